import type { LineSpan } from '../symbols/file-symbols.ts';
import { bestRun, type SnippetSize } from './best-run.ts';
import { withoutSharedIndent } from './shared-indent.ts';

/** Consecutive lines of a file. */
export interface Snippet {
  readonly from: number;
  readonly text: string;
}

/**
 * Whole lines of a place, without the indentation they share: all of them if they fit, otherwise the run of lines with
 * the most terms of the question.
 */
export function semanticSnippet(
  { from, to }: LineSpan,
  lineAt: (line: number) => string,
  size: SnippetSize,
  asked: ReadonlySet<string>,
): Snippet {
  const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_none, at) =>
    lineAt(from + at).trimEnd(),
  );
  const { first, count } = bestRun(withoutSharedIndent(lines), size, asked);
  const run = withoutSharedIndent(lines.slice(first, first + count));
  const shown = run.length === 1 ? run.map((line) => cutLine(line, size.characters)) : run;
  return { from: from + first, text: shown.join('\n') };
}

/** The beginning of a line that is too long, by whole characters. */
function cutLine(line: string, length: number): string {
  return line.length <= length ? line : `${[...line.slice(0, 2 * length)].slice(0, length).join('')}…`;
}
