import type { Node } from 'jsonc-parser';
import { afterTrivia } from './json-trivia.ts';
import { type Edit, lineEnd, lineStart } from './settings-format.ts';

/** Edits that remove a property from an object and leave every comment around it. */
export function removeProperty(text: string, object: Node, key: string): readonly Edit[] {
  const children = object.children ?? [];
  const index = children.findIndex((child) => child.children?.[0]?.value === key);
  const own = children[index];
  if (own === undefined) return [];
  const previous = children[index - 1];
  const next = afterTrivia(text, own.offset + own.length);
  const hasComma = text[next] === ',';
  const end = hasComma ? next + 1 : own.offset + own.length;
  const comma = previous && !hasComma ? afterTrivia(text, previous.offset + previous.length) : undefined;
  if (comma === undefined || text[comma] !== ',') return [span(text, own.offset, end)];
  // On one line, the space after the comma goes too.
  return /^,[ \t]*$/.test(text.slice(comma, own.offset))
    ? [{ offset: comma, length: end - comma, text: '' }]
    : [{ offset: comma, length: 1, text: '' }, span(text, own.offset, end)];
}

/** The span, extended to whole lines if nothing else is on them. */
function span(text: string, start: number, end: number): Edit {
  const from = lineStart(text, start);
  const to = lineEnd(text, end);
  const alone = text.slice(from, start).trim() === '' && text.slice(end, to).trim() === '';
  if (alone && to > end) return { offset: from, length: to - from, text: '' };
  const space = /^[ \t]*/.exec(text.slice(end, to))?.[0].length ?? 0;
  return { offset: start, length: end + space - start, text: '' };
}
