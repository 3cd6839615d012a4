import { type JsonObject, list, object, text } from '../../model/log-json.ts';

/** The diff that Claude Code wrote next to the answer of an edit; the texts beside it restore its tabs. */
export function recordedDiff(beside: JsonObject): string | undefined {
  const hunks = list(beside.structuredPatch).map(object);
  if (hunks.length === 0) return undefined;
  const tabbed = linesWithTabs(beside);
  return hunks
    .map((hunk) => {
      const head = `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`;
      const lines = list(hunk.lines).filter((line) => typeof line === 'string');
      return [
        head,
        ...lines.map((line) => `${line[0] ?? ''}${tabbed.get(line.slice(1)) ?? line.slice(1)}`),
      ].join('\n');
    })
    .join('\n');
}

/** Lines with tabs, by how they appear in the diff, which has two spaces for each tab. */
function linesWithTabs(beside: JsonObject): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  for (const source of [beside.originalFile, beside.oldString, beside.newString, beside.content]) {
    const whole = text(source);
    if (whole?.includes('\t') !== true) continue;
    for (const line of whole.split('\n'))
      if (line.includes('\t')) known.set(line.replaceAll('\t', '  '), line);
  }
  return known;
}
