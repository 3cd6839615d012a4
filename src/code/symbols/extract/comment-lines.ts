import { at } from '../../../contract/at.ts';
import type { LineSpan } from '../file-symbols.ts';
import type { FlatTree } from './flat-tree.ts';

/** The lines that contain nothing but the given comments. */
export function commentLines(tree: FlatTree, comments: readonly number[]): LineSpan[] {
  const spans: { from: number; to: number }[] = [];
  const { text } = tree;
  // Where the last comment ended, so that several on one line count as one.
  let covered = 0;
  for (const comment of [...comments].sort((a, b) => a - b)) {
    let start = tree.start(comment);
    if (text.slice(covered, start).trim() === '' && covered > 0) start = Math.min(start, covered);
    let end = tree.end(comment);
    while (end > start && /\s/.test(text[end - 1] ?? '')) end--;
    covered = end;
    const firstLine = tree.lineAt(start);
    const lastLine = tree.lineAt(Math.max(start, end - 1));
    const first = text.slice(tree.lineStart(firstLine), start).trim() === '' ? firstLine : firstLine + 1;
    const lineEnd = text.indexOf('\n', end);
    const last = text.slice(end, lineEnd < 0 ? text.length : lineEnd).trim() === '' ? lastLine : lastLine - 1;
    if (last < first) continue;
    const before = spans.at(-1);
    if (before !== undefined && first + 1 <= before.to + 1) before.to = Math.max(before.to, last + 1);
    else spans.push({ from: first + 1, to: last + 1 });
  }
  return merged(spans);
}

/** Joins spans that touch. */
function merged(spans: readonly LineSpan[]): LineSpan[] {
  const joined: { from: number; to: number }[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    if (before !== undefined && span.from <= before.to + 1) {
      at(joined, joined.length - 1).to = Math.max(before.to, span.to);
    } else joined.push({ ...span });
  }
  return joined;
}
