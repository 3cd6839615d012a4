import type { Node } from 'jsonc-parser';
import { afterTrivia, endOfLineComment } from './json-trivia.ts';
import { type Edit, eolOf, lineStart } from './settings-format.ts';

/** Edits that add a property at the end of an object, in the style of the text around it. */
export function insertProperty(text: string, object: Node, key: string, value: unknown): readonly Edit[] {
  const eol = eolOf(text);
  const unit = indentUnit(text);
  const base = indentAt(text, object.offset);
  const close = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  if (last === undefined) {
    const inner = text.slice(object.offset + 1, close);
    const kept = inner.trimEnd();
    const line = `${eol}${base}${unit}${JSON.stringify(key)}: ${valueText(value, base + unit, unit, eol)}${eol}${base}`;
    return [{ offset: object.offset + 1 + kept.length, length: inner.length - kept.length, text: line }];
  }
  const end = last.offset + last.length;
  if (!text.slice(object.offset, close).includes('\n'))
    return [{ offset: end, length: 0, text: `, ${JSON.stringify(key)}: ${valueText(value)}` }];
  const next = afterTrivia(text, end);
  const hasComma = text[next] === ',';
  const indent = startsLine(text, last.offset) ? indentAt(text, last.offset) : base + unit;
  const line = `${eol}${indent}${JSON.stringify(key)}: ${valueText(value, indent, unit, eol)}`;
  return [
    ...(hasComma ? [] : [{ offset: end, length: 0, text: ',' }]),
    // After a comment that follows the last property on its line, so that the two stay together.
    {
      offset: endOfLineComment(text, hasComma ? next + 1 : end),
      length: 0,
      text: hasComma ? `${line},` : line,
    },
  ];
}

/** JSON with one line per property and lists on one line; without an indent everything is on one line. */
export function valueText(value: unknown, indent?: string, unit = '  ', eol = '\n'): string {
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pairs = Object.entries(value);
  if (indent === undefined)
    return `{ ${pairs.map(([key, item]) => `${JSON.stringify(key)}: ${valueText(item)}`).join(', ')} }`;
  const deeper = indent + unit;
  const lines = pairs.map(
    ([key, item]) => `${deeper}${JSON.stringify(key)}: ${valueText(item, deeper, unit, eol)}`,
  );
  return `{${eol}${lines.join(`,${eol}`)}${eol}${indent}}`;
}

function indentUnit(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === '';
}
