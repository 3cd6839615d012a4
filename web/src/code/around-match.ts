/** This many lines are shown of a match, of which this many come before the best one. */
const SHOWN = 9;
const BEFORE = 2;

/** The lines of a text around the one with the most different matches, and how many were skipped before them. */
export function aroundMatch(
  text: string,
  marks: RegExp | undefined,
): { readonly text: string; readonly skipped: number } {
  const lines = text.split('\n');
  if (marks === undefined || lines.length <= SHOWN) return { text, skipped: 0 };
  const different = (line: string) =>
    new Set([...line.slice(0, 500).matchAll(marks)].map(([found]) => found.toLowerCase())).size;
  const counts = lines.map(different);
  const best = counts.indexOf(Math.max(...counts));
  const skipped = Math.max(0, Math.min(best - BEFORE, lines.length - SHOWN));
  return { text: lines.slice(skipped, skipped + SHOWN).join('\n'), skipped };
}
