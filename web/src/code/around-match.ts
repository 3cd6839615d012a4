/** How many lines of a match are shown, and how many of those come before the best line. */
const LINES_SHOWN = 9;
const LINES_BEFORE = 2;

/** The lines around the one with the most distinct matches, and how many lines before them were skipped. */
export function aroundMatch(
  text: string,
  marks: RegExp | undefined,
): { readonly text: string; readonly skipped: number } {
  const lines = text.split('\n');
  if (marks === undefined || lines.length <= LINES_SHOWN) return { text, skipped: 0 };
  const different = (line: string) =>
    new Set([...line.slice(0, 500).matchAll(marks)].map(([found]) => found.toLowerCase())).size;
  const counts = lines.map(different);
  const best = counts.indexOf(Math.max(...counts));
  const skipped = Math.max(0, Math.min(best - LINES_BEFORE, lines.length - LINES_SHOWN));
  return { text: lines.slice(skipped, skipped + LINES_SHOWN).join('\n'), skipped };
}
