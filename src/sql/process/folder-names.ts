import { type Token, tokensOf } from '../statement.ts';
import { bracketsOf, filesOf } from './files-source.ts';

/** The result of `dirname(path, parts, base)` for all files of a folder. */
export interface FolderName {
  /** The column that replaces the call. */
  readonly column: string;
  readonly parts: number;
  /** A folder whose names do not count; `root` stands for the column. */
  readonly base?: { readonly text: string } | 'root' | undefined;
}

/** The table that is read instead of `files`, with the columns of {@link FolderName}. */
export const FILES_BY_FOLDER = 'files by folder';

/** Each needs a table in memory with all folders. */
export const MAX_FOLDER_NAMES = 4;
const MAX_DIGITS = 3;

/**
 * The query with a column in place of each `dirname(path, n)` of `files`. The result is the same for all files of a
 * folder, so it is computed once per folder, not once per file. Calls that do not clearly refer to that table stay as
 * they are.
 */
export function withFolderNames(query: string): {
  readonly query: string;
  readonly names: readonly FolderName[];
} {
  const tokens = tokensOf(query);
  const brackets = bracketsOf(tokens);
  const names = new Map<string, FolderName>();
  /** Keyed by their start position in the query. */
  const changes = new Map<number, { readonly end: number; readonly text: string }>();
  for (const [place, { at }] of tokens.entries()) {
    const call = callAt(tokens, place);
    const source = call && filesOf(tokens, brackets, place, call.table?.value);
    if (call === undefined || source === undefined) continue;
    names.set(call.name.column, call.name);
    const table = call.table === undefined ? '' : `${query.slice(call.table.at, call.table.end)}.`;
    changes.set(at, { end: call.end, text: `${table}[${call.name.column}]` });
    const alias = source.hasAlias ? '' : ' AS files';
    const length = /^(?:\w+|\W\w+\W)/.exec(query.slice(source.at))?.[0].length ?? 0;
    changes.set(source.at, { end: source.at + length, text: `[${FILES_BY_FOLDER}]${alias}` });
  }
  if (names.size === 0 || names.size > MAX_FOLDER_NAMES) return { query, names: [] };
  let changed = '';
  let done = 0;
  for (const [at, { end, text }] of [...changes].sort(([a], [b]) => a - b)) {
    changed += query.slice(done, at) + text;
    done = end;
  }
  return { query: changed + query.slice(done), names: [...names.values()] };
}

class TokenReader {
  #next: number;

  constructor(
    readonly tokens: readonly Token[],
    from: number,
  ) {
    this.#next = from;
  }

  /** The next token, if it has this kind and matches the pattern. */
  take(kind: Token['kind'], pattern: RegExp): Token | undefined {
    const token = this.tokens[this.#next];
    if (token?.kind !== kind || !pattern.test(token.value)) return undefined;
    this.#next++;
    return token;
  }

  name(pattern: RegExp): Token | undefined {
    return this.take('word', pattern) ?? this.take('name', pattern);
  }

  /** A column with this name, and its qualifier; undefined if something else is there. */
  column(name: RegExp): { readonly table: Qualifier | undefined } | undefined {
    const first = this.name(/./);
    const dot = this.take('other', /^\.$/);
    if (first === undefined) return undefined;
    if (dot === undefined) return name.test(first.value) ? { table: undefined } : undefined;
    const table = { value: first.value.toLowerCase(), at: first.at, end: dot.at };
    return this.name(name) === undefined ? undefined : { table };
  }
}

interface Qualifier {
  readonly value: string;
  /** Its position in the query. */
  readonly at: number;
  readonly end: number;
}

/** `dirname(path)`, `dirname(f.path, 2)`, `dirname(path, -1)` or `dirname(path, 1, root)` at a token. */
function callAt(tokens: readonly Token[], place: number) {
  const reader = new TokenReader(tokens, place);
  if (!reader.take('word', /^dirname$/i) || !reader.take('other', /^\($/)) return undefined;
  const path = reader.column(/^path$/i);
  if (path === undefined) return undefined;
  const { table } = path;
  let parts = -1;
  let base: FolderName['base'];
  if (reader.take('other', COMMA)) {
    const sign = reader.take('other', /^-$/) ? -1 : 1;
    const digits = reader.take('other', /^\d+$/)?.value;
    if (digits === undefined || digits.length > MAX_DIGITS) return undefined;
    parts = sign * Number(digits);
    if (reader.take('other', COMMA)) {
      const text = reader.take('text', /^/)?.value;
      const root = text === undefined ? reader.column(/^root$/i) : undefined;
      if (text === undefined && (root === undefined || root.table?.value !== table?.value)) return undefined;
      base = text === undefined ? 'root' : { text };
    }
  }
  const last = reader.take('other', /^\)$/);
  if (last === undefined) return undefined;
  const below = base === undefined || base === 'root' ? base : Buffer.from(base.text).toString('hex');
  const column = ['dirname', parts, below].filter((part) => part !== undefined).join(' ');
  return { table, end: last.at + 1, name: { column, parts, base } };
}

const COMMA = /^,$/;
