import { existsSync } from 'node:fs';
import { pathOnDisk } from '../contract/file-name.ts';
import { isInside } from '../contract/roots.ts';
import type { Look } from './query-messages.ts';
import { comparedTexts, namedFolders, type Token } from './statement.ts';
import { SUBJECTS, TABLES } from './subjects.ts';

/** Columns that say where a row is; what other columns are compared with names no folder to read. */
const PLACES: ReadonlySet<string> = new Set(['path', 'folder', 'root', 'repo']);
const COLUMNS: ReadonlySet<string> = new Set(TABLES.flatMap(({ columns }) => Object.keys(columns)));
const LOCAL: ReadonlySet<string> = new Set(
  [...SUBJECTS.code.tables, ...SUBJECTS.disk.tables].map(({ name }) => name),
);

/** What may stand between a column and a text it is compared with. */
const BETWEEN = new Set('= < > ! , ( LIKE GLOB BETWEEN AND IN NOT IS'.split(' '));
const AFTER_NOT = new Set('LIKE GLOB REGEXP IN BETWEEN NULL'.split(' '));
const ENDS_WHERE = new Set('GROUP ORDER HAVING WINDOW LIMIT'.split(' '));
/** An alias, its dot, the column, the operator and the text. */
const MAX_COMPARISON_TOKENS = 5;

/** A folder that a statement compares a column with. */
interface NamedFolder {
  readonly path: string;
  /** The place of its token in the statement. */
  readonly at: number;
  /** Whether the column certainly says where a row is. */
  readonly isPlace: boolean;
  /** Whether it only begins or ends a range of paths. */
  readonly isBound: boolean;
}

/** The folders that a statement names and has no rows of. */
export interface UnreadFolders {
  /** Outside the folders that may be read. */
  readonly refused: readonly string[];
  readonly missing: readonly string[];
  /** Whether the statement is only about refused folders, so that any row would be made up. */
  readonly isRefused: boolean;
}

const NONE: UnreadFolders = { refused: [], missing: [], isRefused: false };

/**
 * Which folders of a statement over code or disks are not read. `readable` are the folders that may be, `imported` those
 * of other machines that have rows here.
 */
export function unreadFolders(
  tokens: readonly Token[],
  reads: Look['reads'],
  readable: readonly string[],
  imported: readonly string[] = [],
): UnreadFolders {
  const tables = Object.keys(reads);
  if (!tables.some((name) => LOCAL.has(name))) return NONE;
  const named = foldersIn(tokens);
  const isIn = (folders: readonly string[]) => (one: NamedFolder) =>
    folders.some((folder) => isInside(one.path, folder) || isInside(folder, one.path));
  const [isReadable, isImported] = [isIn(readable), isIn(imported)];
  const refused = named.filter((one) => !isReadable(one) && !isImported(one));
  const missing = named.filter(
    (one) =>
      one.isPlace && !one.isBound && isReadable(one) && !isImported(one) && !existsSync(pathOnDisk(one.path)),
  );
  return {
    refused: outermost(refused),
    missing: outermost(missing),
    isRefused:
      named.length > 0 &&
      refused.length === named.length &&
      tables.every((name) => LOCAL.has(name)) &&
      needsOneOf(tokens, named),
  };
}

/** The line before the rows of a statement that lacks some of its folders. */
export function unreadNote({ refused, missing }: UnreadFolders): string | undefined {
  const notes = [
    ...(refused.length > 0 ? [`Without ${refused.join(', ')} (refused).`] : []),
    ...(missing.length > 0 ? [`Nothing exists at ${missing.join(', ')}.`] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** Why a statement was not run. */
export function refusedText({ refused }: UnreadFolders): string {
  return `${refused.join(', ')} ${refused.length === 1 ? 'is' : 'are'} outside the folders that may be read.`;
}

/** The same for a whole answer, with what helps. */
export function outsideNote(refused: readonly string[], folders: readonly string[]): string {
  const allowed = folders.length === 0 ? 'no folder is allowed yet' : `allowed: ${folders.join(', ')}`;
  return `Outside the folders that may be read here (${allowed}): ${outermost(refused.map((path) => ({ path }))).join(', ')}. To allow more, a person runs: pinhole allow PATH`;
}

function outermost(folders: readonly Pick<NamedFolder, 'path'>[]): readonly string[] {
  const paths = [...new Set(folders.map(({ path }) => path))];
  return paths.filter((path) => !paths.some((other) => other !== path && isInside(path, other)));
}

/** The folders that a statement compares with, without those it leaves out (`path not like '/usr/%'`). */
function foldersIn(tokens: readonly Token[]): readonly NamedFolder[] {
  const texts = comparedTexts(tokens);
  return tokens.flatMap(({ kind, value }, at): NamedFolder[] => {
    if (kind !== 'text' || !texts.includes(value) || endsRange(value, texts)) return [];
    const [path] = namedFolders([value]);
    const { column, operators } = comparisonBefore(tokens, at);
    const isNegated = /NOT|!|<>/.test(operators.join(''));
    const isPlace = column.some((name) => PLACES.has(name));
    const isOther = !isPlace && column.length === 1 && column.every((name) => COLUMNS.has(name));
    if (path === undefined || isNegated || isOther) return [];
    return [{ path, at, isPlace, isBound: operators.some((one) => ['<', '>', 'BETWEEN'].includes(one)) }];
  });
}

/** Whether a text only ends a range of paths: `path > '/usr/' and path < '/usr0'`, since 0 comes after the slash. */
export function endsRange(path: string, texts: readonly string[]): boolean {
  return path.endsWith('0') && texts.includes(`${path.slice(0, -1)}/`);
}

/** What a text is compared with, as the words of a column or of a function, and the operators in their order. */
function comparisonBefore(tokens: readonly Token[], at: number) {
  const operators: string[] = [];
  let place = at - 1;
  for (; place >= 0; place--) {
    const { kind, value = '' } = tokens[place] ?? {};
    const word = value.toUpperCase();
    if (kind !== 'text' && !BETWEEN.has(word)) break;
    if (kind !== 'text') operators.unshift(word);
  }
  const opened = tokens[place]?.value === ')' ? openingBracket(tokens, place) : place;
  const column = tokens
    .slice(Math.max(0, opened), place + 1)
    .flatMap(({ kind, value }) => (kind === 'word' || kind === 'name' ? [value.toLowerCase()] : []));
  return { column, operators };
}

function openingBracket(tokens: readonly Token[], closing: number): number {
  let depth = 0;
  for (let at = closing; at >= 0; at--) {
    const { value } = tokens[at] ?? {};
    if (value === ')') depth++;
    if (value === '(' && --depth === 0) return at;
  }
  return 0;
}

/** Whether every row of a statement must be in one of its folders: they are the conditions of its only WHERE. */
function needsOneOf(tokens: readonly Token[], named: readonly NamedFolder[]): boolean {
  const words = tokens.map(({ kind, value }) => (kind === 'word' ? value.toUpperCase() : ''));
  const { from, to } = outerWhere(tokens, words);
  return (
    words.filter((word) => word === 'SELECT').length === 1 &&
    named.every(({ at, isPlace }) => isPlace && at > from && at < to) &&
    words.every((word, at) => {
      if (['CASE', 'IIF'].includes(word)) return false;
      if (word === 'NOT') return AFTER_NOT.has(words[at + 1] ?? '');
      return word !== 'OR' || joinsFolders(tokens, words, at);
    })
  );
}

function outerWhere(tokens: readonly Token[], words: readonly string[]) {
  let depth = 0;
  let from = Number.POSITIVE_INFINITY;
  for (const [at, { kind, value }] of tokens.entries()) {
    if (kind === 'other' && value === '(') depth++;
    if (kind === 'other' && value === ')') depth--;
    if (depth === 0 && words[at] === 'WHERE') from = at;
    if (depth === 0 && at > from && ENDS_WHERE.has(words[at] ?? '')) return { from, to: at };
  }
  return { from, to: tokens.length };
}

/** Whether an OR is between two comparisons with folders. */
function joinsFolders(tokens: readonly Token[], words: readonly string[], or: number): boolean {
  const isFolder = (token: Token | undefined) => token?.kind === 'text' && token.value.startsWith('/');
  const next = tokens.slice(or + 1, or + 1 + MAX_COMPARISON_TOKENS).findIndex(isFolder);
  const between = words.slice(or + 1, or + 1 + next);
  return isFolder(tokens[or - 1]) && next >= 0 && !between.some((word) => word === 'AND' || word === 'OR');
}
