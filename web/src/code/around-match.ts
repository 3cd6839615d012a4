/** How many lines of a match are shown, and how many of those come before the best line. */
const LINES_SHOWN = 9;
const LINES_BEFORE = 2;
/** In longer lines, only the beginning is looked at. */
const MAX_LINE_LENGTH = 500;

/** The line with the most distinct matches, counted from 0; undefined if no line matches. */
export function bestLine(text: string, marks: RegExp | undefined): number | undefined {
  if (marks === undefined) return undefined;
  const counts = text
    .split('\n')
    .map(
      (line) =>
        new Set([...line.slice(0, MAX_LINE_LENGTH).matchAll(marks)].map(([found]) => found.toLowerCase()))
          .size,
    );
  const most = Math.max(...counts);
  return most === 0 ? undefined : counts.indexOf(most);
}

/** The lines around the best one, and how many lines before them were skipped. */
export function aroundMatch(
  text: string,
  marks: RegExp | undefined,
): { readonly text: string; readonly skipped: number } {
  const lines = text.split('\n');
  if (lines.length <= LINES_SHOWN) return { text, skipped: 0 };
  const best = bestLine(text, marks) ?? 0;
  const skipped = Math.max(0, Math.min(best - LINES_BEFORE, lines.length - LINES_SHOWN));
  return { text: lines.slice(skipped, skipped + LINES_SHOWN).join('\n'), skipped };
}

/** The line of a file that a match leads to: its best line, or else its first. */
export function lineOfMatch(
  match: {
    readonly line_start: number;
    readonly text?: string | undefined;
    readonly text_start?: number | undefined;
  },
  marks: RegExp | undefined,
): number {
  const best = match.text === undefined ? undefined : bestLine(match.text, marks);
  return best === undefined ? match.line_start : (match.text_start ?? match.line_start) + best;
}
