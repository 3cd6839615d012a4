import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { isObject } from '../contract/guards.ts';
import {
  applyEdits,
  type Edit,
  type Entry,
  eolOf,
  lineEnd,
  lineStart,
  type SettingsFormat,
  UnusableSettings,
} from './settings-format.ts';

/** YAML settings in block style; only the lines of the entry change. */
export const yamlSettings: SettingsFormat = {
  parse(text) {
    const value: unknown = rootOf(text)?.toJSON();
    return isObject(value) ? value : {};
  },

  set(text, path, entry) {
    const root = rootOf(text);
    const [container = '', name = ''] = path;
    const holder = pairOf(root, container);
    if (holder === undefined) return append(text, container, name, entry);
    const own = isMap(holder.value) ? pairOf(holder.value, name) : undefined;
    if (own === undefined) return insert(text, holder, name, entry);
    if (!isMap(own.value)) throw new UnusableSettings(`${path.join('.')} is not a block of settings`);
    return update(text, own.value, entry);
  },

  remove(text, path) {
    const [container = '', name = ''] = path;
    const holder = pairOf(rootOf(text), container);
    const own = isMap(holder?.value) ? pairOf(holder.value, name) : undefined;
    if (holder === undefined || own === undefined) return text;
    const isLast = isMap(holder.value) && holder.value.items.length === 1;
    return applyEdits(text, [wholeLines(text, isLast ? holder : own)]);
  },
};

function rootOf(text: string): YAMLMap | undefined {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [error] = document.errors;
  if (error !== undefined) {
    const at = error.linePos?.[0];
    const what = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '');
    throw new UnusableSettings(`it is not valid YAML (${what} at line ${at?.line}, column ${at?.col})`);
  }
  if (document.contents === null) return undefined;
  if (!isMap(document.contents)) throw new UnusableSettings('it is not a YAML mapping');
  return document.contents;
}

function pairOf(map: YAMLMap | undefined, key: string): Pair | undefined {
  return map?.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

function append(text: string, container: string, name: string, entry: Entry): string {
  const eol = eolOf(text);
  const gap = text === '' || text.endsWith('\n') ? '' : eol;
  return `${text}${gap}${container}:${eol}${block(name, entry, '  ', '  ', eol)}`;
}

function insert(text: string, holder: Pair, name: string, entry: Entry): string {
  const eol = eolOf(text);
  const { value } = holder;
  const [start = 0, end = 0] = rangeOf(holder.key);
  if (isMap(value) && value.flow !== true && value.items.length > 0) {
    const [first = 0] = rangeOf(value.items[0]?.key);
    const indent = text.slice(lineStart(text, first), first);
    // Below the key itself: comments above the first entry belong to that one.
    const offset = text.indexOf('\n', end) + 1;
    if (indent.trim() === '')
      return applyEdits(text, [{ offset, length: 0, text: block(name, entry, indent, indent || '  ', eol) }]);
  }
  const isEmpty = isMap(value) ? value.items.length === 0 : isScalar(value) && value.value === null;
  if (!isEmpty) throw new UnusableSettings(`${text.slice(start, end)} is written in one line`);
  const line = lineEnd(text, end);
  const rest = `:${eol}${block(name, entry, '  ', '  ', eol)}`;
  return applyEdits(text, [{ offset: end, length: line - end, text: rest }]);
}

function update(text: string, map: YAMLMap, entry: Entry): string {
  const edits: Edit[] = [];
  for (const [key, value] of Object.entries(entry)) {
    const pair = pairOf(map, key);
    const old: unknown = pair === undefined ? undefined : map.toJSON()[key];
    if (isDeepStrictEqual(old, value)) continue;
    const [from = 0] = rangeOf(map.items[0]?.key);
    const indent = text.slice(lineStart(text, from), from);
    if (pair !== undefined) {
      const lines = wholeLines(text, pair);
      edits.push({ ...lines, text: `${indent}${key}: ${JSON.stringify(value)}${eolOf(text)}` });
    } else
      edits.push({
        offset: lineStart(text, from),
        length: 0,
        text: `${indent}${key}: ${JSON.stringify(value)}${eolOf(text)}`,
      });
  }
  return applyEdits(text, edits);
}

/** JSON values are valid in YAML. */
function block(name: string, entry: Entry, indent: string, unit: string, eol: string): string {
  const lines = Object.entries(entry).map(([key, value]) => `${indent}${unit}${key}: ${valueText(value)}`);
  return [`${indent}${name}:`, ...lines, ''].join(eol);
}

function valueText(value: Entry[string]): string {
  return typeof value === 'object'
    ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    : typeof value === 'string' && /^[A-Za-z][\w./-]*$/.test(value)
      ? value
      : JSON.stringify(value);
}

/** The lines of a pair, with everything below its key. */
function wholeLines(text: string, pair: Pair): Edit {
  const [start = 0, keyEnd = 0] = rangeOf(pair.key);
  const [, valueEnd = keyEnd] = rangeOf(pair.value);
  const from = lineStart(text, start);
  const last = Math.max(keyEnd, valueEnd);
  // A block value ends after its last line break.
  const to = text[last - 1] === '\n' ? last : lineEnd(text, last);
  return { offset: from, length: to - from, text: '' };
}

function rangeOf(node: unknown): readonly number[] {
  return isObject(node) && Array.isArray(node.range) ? node.range : [];
}
