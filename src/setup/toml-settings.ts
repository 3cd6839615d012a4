import { isDeepStrictEqual } from 'node:util';
import { parse, TomlError } from 'smol-toml';
import {
  applyEdits,
  type Edit,
  type Entry,
  type EntryPath,
  entryIn,
  eolOf,
  lineBreak,
  lineEnd,
  lineStart,
  placeOf,
  type SettingsFormat,
  UnusableSettings,
} from './settings-format.ts';
import { type Statement, statementsOf } from './toml-statements.ts';

/** TOML settings: the entry is a separate table. */
export const tomlSettings: SettingsFormat = {
  parse: parsed,

  set(text, path, entry) {
    const current = entryOf(text, path);
    if (current === undefined) {
      const inline = statementsOf(text).find(
        ({ kind, key }) => kind === 'pair' && same(key, path.slice(0, 1)),
      );
      if (inline !== undefined)
        throw new UnusableSettings(
          `${path[0]} is an inline table (${placeOf(text, inline.start)}), which cannot be extended. Turn it into [${path[0]}.NAME] tables, then run setup again`,
        );
      return append(text, path, entry);
    }
    const header = statementsOf(text).find(({ kind, key }) => kind === 'table' && same(key, path));
    if (header === undefined) {
      if (Object.entries(entry).every(([key, value]) => isDeepStrictEqual(current[key], value))) return text;
      throw new UnusableSettings(
        `${path.join('.')} is not a separate table (${placeOf(text, first(text, path))}). Change it by hand`,
      );
    }
    return applyEdits(
      text,
      Object.entries(entry).flatMap(([key, value]) => {
        if (isDeepStrictEqual(current[key], value)) return [];
        const pair = statementsOf(text).find((s) => s.kind === 'pair' && same(s.key, [...path, key]));
        return pair === undefined
          ? [
              {
                offset: lineBreak(text, header.end),
                length: 0,
                text: `${eolOf(text)}${key} = ${valueText(value)}`,
              },
            ]
          : [{ offset: pair.value, length: pair.end - pair.value, text: valueText(value) }];
      }),
    );
  },

  remove(text, path) {
    if (entryOf(text, path) === undefined) return text;
    return applyEdits(text, spans(statementsOf(text), path).map(wholeLines(text)));
  },
};

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '');
    throw new UnusableSettings(
      `it is not valid TOML (${what} at line ${error.line}, column ${error.column})`,
    );
  }
}

function entryOf(text: string, path: EntryPath): Readonly<Record<string, unknown>> | undefined {
  return entryIn(parsed(text), path);
}

function append(text: string, path: EntryPath, entry: Entry): string {
  const eol = eolOf(text);
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${valueText(value)}`);
  const table = [`[${path.join('.')}]`, ...lines, ''].join(eol);
  if (text.trim() === '') return table;
  const gap = text.endsWith('\n') ? eol : eol + eol;
  return `${text}${gap}${table}`;
}

/** Ranges of statements that belong to the entry: its table with all pairs, its sub-tables, single dotted pairs. */
function spans(statements: readonly Statement[], path: EntryPath): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  let open = false;
  for (const { kind, key, start, end } of statements) {
    const own = same(key.slice(0, path.length), path);
    const last = runs.at(-1);
    if (own && open && last !== undefined && kind === 'pair') last[1] = end;
    else if (own) runs.push([start, end]);
    open = own;
  }
  return runs;
}

/** A range, extended to whole lines and to the empty line above it. */
function wholeLines(text: string): (run: readonly [number, number]) => Edit {
  return ([start, end]) => {
    const to = lineEnd(text, end);
    let from = lineStart(text, start);
    const above = lineStart(text, Math.max(0, from - 1));
    const freeBelow = to >= text.length || text.slice(to, lineEnd(text, to)).trim() === '';
    if (from > 0 && freeBelow && text.slice(above, from).trim() === '') from = above;
    return { offset: from, length: to - from, text: '' };
  };
}

function first(text: string, path: EntryPath): number {
  const all = statementsOf(text);
  const own = all.find(({ key }) => same(key.slice(0, path.length), path));
  return (own ?? all.find(({ key }) => same(key, path.slice(0, 1))))?.start ?? 0;
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((part, i) => part === b[i]);
}

/** JSON strings are valid basic strings in TOML. */
function valueText(value: Entry[string]): string {
  return typeof value === 'object'
    ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    : JSON.stringify(value);
}
