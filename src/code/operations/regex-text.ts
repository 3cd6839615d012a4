import { oneLine } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import type { TextStyle } from '../../contract/operation.ts';
import type { Paint } from '../../contract/painted-text.ts';
import type { FileMatches, OneOfSeveral, RegexMatches, ShownHit } from './regex-matches.ts';
import { codeLine, withoutSharedIndent } from './shared-indent.ts';

/** The results of one search, or of several, each below its heading. */
export function regexText({ searches, ...one }: RegexMatches, { paint }: Pick<TextStyle, 'paint'>): string {
  if (searches === undefined) return oneText(one, paint);
  // A folder that all share is named once.
  const isShared = searches.every(({ path }) => path === searches[0]?.path);
  return searches
    .map((each, at) => `${headText(each, at === 0 || !isShared)}\n${oneText(each, paint)}`.trimEnd())
    .join('\n');
}

/** Enough of a pattern to recognise it. */
const MAX_PATTERN_LENGTH = 30;

/** `2. listen\(: 10 of 34`; what is not counted yet is `10 and more`. */
function headText({ number, pattern, path, total, matches = [] }: OneOfSeveral, namesPath: boolean): string {
  const cut = pattern.length > MAX_PATTERN_LENGTH ? `${pattern.slice(0, MAX_PATTERN_LENGTH)}…` : pattern;
  const shown = matches.reduce((sum, { hits }) => sum + hits.length, 0);
  // The paths of hits say where they are.
  const where = path === undefined || !namesPath || shown > 0 ? '' : ` in ${oneLine(path)}`;
  const rest = total === undefined ? ' and more' : total === shown ? '' : ` of ${total}`;
  return `${number}. ${oneLine(cut)}${where}${shown === 0 ? '' : `: ${shown}${rest}`}`;
}

/** Hits below their file and the definition around them; counts or file names if those were requested. */
function oneText(found: Omit<RegexMatches, 'searches'>, paint: Paint): string {
  const { root, note, file, count, files, matches: shown = [] } = found;
  const lead = note === undefined ? [] : [note];
  if (file !== undefined) return `${countText(file)}: ${file.path} (${countOf(file.bytes, 'byte')})`;
  if (count !== undefined) {
    const said = count.hits === 0 && lead.length > 0 ? [] : [countText(count)];
    return [...lead, ...said].join('\n');
  }
  if (root !== undefined && (files ?? shown).length > 0) lead.push(`in ${oneLine(root)}:`);
  const rows =
    files === undefined
      ? shown.map((matches) => matchesText(matches, paint))
      : files.map(({ path, hits }) => `${paint('path', oneLine(path))}: ${hits}`);
  return [...lead, ...rows].join('\n');
}

/** `1 match in 1 file`. */
function countText({ hits, files }: { readonly hits: number; readonly files: number }): string {
  return `${countOf(hits, 'match', 'matches')} in ${countOf(files, 'file')}`;
}

/** Hits that are shown below the same name. */
interface Group {
  readonly name: string | undefined;
  readonly hits: ShownHit[];
}

function matchesText({ path, hits }: FileMatches, paint: Paint): string {
  const lines = [paint('path', oneLine(path))];
  for (const { name, hits: inside } of groupsOf(hits)) {
    if (name !== undefined) lines.push(`  ${oneLine(name)}`);
    const indent = name === undefined ? '  ' : '    ';
    lines.push(...linesOf(inside, paint).map((line) => indent + line));
  }
  return lines.join('\n');
}

/** A line that begins a definition names it, so it is shown below that name only together with other lines of it. */
function groupsOf(hits: readonly ShownHit[]): Group[] {
  const groups: Group[] = [];
  const outer = hits.map((hit) => (hit.kind === 'definition' ? around(hit.in) : hit.in));
  for (const [at, hit] of hits.entries()) {
    const hasMore = hit.in !== undefined && [outer[at - 1], outer[at + 1]].includes(hit.in);
    const name = hasMore ? hit.in : named(outer[at], hit);
    const open = groups.at(-1);
    if (open !== undefined && open.name === name) open.hits.push(hit);
    else groups.push({ name, hits: [hit] });
  }
  return groups;
}

/** `Pool` for `Pool.acquire`. */
function around(name: string | undefined): string | undefined {
  const [bare = ''] = name?.split('(') ?? [];
  const dot = bare.lastIndexOf('.');
  return dot > 0 ? bare.slice(0, dot) : undefined;
}

/** The first line of a method may name its class already, as in Go; that of a constructor names itself. */
function named(outer: string | undefined, { kind, text = '', in: inside }: ShownHit): string | undefined {
  const nearest = lastName(outer);
  if (kind !== 'definition' || nearest === undefined || nearest === lastName(inside)) return outer;
  return text.includes(nearest) ? undefined : outer;
}

function lastName(name: string | undefined): string | undefined {
  return name?.split('(')[0]?.split('.').at(-1);
}

/** The texts of hits with the lines that have them: a repeated text is shown once, where it first occurs. */
function folded(hits: readonly ShownHit[]): (readonly [text: string, lines: string])[] {
  const lines = new Map<string, number[]>();
  for (const { line, text = '' } of hits) {
    const shown = codeLine(text.trimStart());
    lines.set(shown, [...(lines.get(shown) ?? []), line]);
  }
  // Lines without a text are not shown together: there is nothing to save.
  return [...lines].flatMap(([text, at]) =>
    text === '' ? at.map((line) => ['', String(line)] as const) : [[text, at.join(', ')] as const],
  );
}

/** The lines of some hits, each once; with context, a colon marks those that match and dashes mark gaps. */
function linesOf(hits: readonly ShownHit[], paint: Paint): string[] {
  if (hits.every(({ before, after }) => before === undefined && after === undefined)) {
    return folded(hits).map(([text, lines]) =>
      text === '' ? paint('line', lines) : `${paint('line', lines)}  ${text}`,
    );
  }
  const shown = new Map<number, { readonly text: string; readonly mark: string }>();
  for (const { line, text = '', before = [], after = [] } of hits) {
    const context = [
      ...before.map((one, at) => [line - before.length + at, one] as const),
      ...after.map((one, at) => [line + 1 + at, one] as const),
    ];
    for (const [number, one] of context) if (!shown.has(number)) shown.set(number, { text: one, mark: '  ' });
    shown.set(line, { text, mark: ': ' });
  }
  const sorted = [...shown].sort(([a], [b]) => a - b);
  const texts = withoutSharedIndent(sorted.map(([, { text }]) => text));
  return sorted.flatMap(([line, { mark }], at) => {
    const before = sorted[at - 1]?.[0] ?? line - 1;
    return [
      ...(before < line - 1 ? ['--'] : []),
      `${paint('line', String(line))}${mark}${codeLine(texts[at] ?? '')}`.trimEnd(),
    ];
  });
}
