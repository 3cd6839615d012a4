/** A piece of SQL: its kind and where it begins. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'other';
  /** Without quotes. */
  readonly value: string;
  readonly at: number;
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|[A-Za-z_\u0080-\uffff$][\w\u0080-\uffff$]*|\d[\w.]*|\S/g;

/** The tokens of a statement in SQLite's dialect, without comments. */
export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: piece, index } of sql.matchAll(TOKEN)) {
    if (piece.startsWith('--') || piece.startsWith('/*')) continue;
    tokens.push({ ...tokenOf(piece), at: index });
  }
  return tokens;
}

function tokenOf(piece: string): Omit<Token, 'at'> {
  const quote = piece[0] ?? '';
  if (quote === "'") return { kind: 'text', value: unquoted(piece, "'") };
  if (quote === '"' || quote === '`') return { kind: 'name', value: unquoted(piece, quote) };
  if (quote === '[') return { kind: 'name', value: piece.slice(1).replace(/\]$/, '') };
  return { kind: /^[A-Za-z_\u0080-\uffff$]/.test(piece) ? 'word' : 'other', value: piece };
}

function unquoted(piece: string, quote: string): string {
  const inside = piece.length > 1 && piece.endsWith(quote) ? piece.slice(1, -1) : piece.slice(1);
  return inside.replaceAll(quote + quote, quote);
}

/** Column names that SQL reserves for statements that are refused anyway. */
const RESERVED = new Set(['check', 'table']);

/** The query with quotes around columns with reserved names: nobody remembers that `check` needs them. */
export function withQuotedNames(query: string, tokens: readonly Token[]): string {
  let quoted = '';
  let end = 0;
  for (const { kind, value, at } of tokens) {
    if (kind !== 'word' || !RESERVED.has(value.toLowerCase())) continue;
    quoted += `${query.slice(end, at)}"${value}"`;
    end = at + value.length;
  }
  return quoted + query.slice(end);
}

const OPERATORS = new Set(['=', '<', '>', 'like', 'glob', 'regexp', 'match']);

/**
 * The query with single quotes around a text in double quotes, which are for names; undefined if it may be meant as a
 * name. After an operator, or as one of the values in brackets, it is a text.
 */
export function withQuotedText(query: string, text: string): string | undefined {
  const tokens = tokensOf(query);
  const word = (place: number) => tokens[place]?.value.toLowerCase() ?? '';
  const lists: boolean[] = [];
  let quoted = '';
  let end = 0;
  for (const [i, { kind, value, at }] of tokens.entries()) {
    if (kind === 'other' && value === '(')
      lists.push(tokens[i - 1]?.kind === 'word' && !['select', 'with', 'values'].includes(word(i + 1)));
    if (kind === 'other' && value === ')') lists.pop();
    if (kind !== 'name' || query[at] !== '"' || value !== text) continue;
    const inList = lists.at(-1) === true && /^[(,]$/.test(word(i - 1));
    if (!inList && !OPERATORS.has(word(i - 1))) return undefined;
    quoted += `${query.slice(end, at)}'${value.replaceAll("'", "''")}'`;
    end = at + value.replaceAll('"', '""').length + 2;
  }
  return end === 0 ? undefined : quoted + query.slice(end);
}

/** Splits a text into statements at semicolons. */
export function statementsOf(query: string): string[] {
  const ends = tokensOf(query).flatMap(({ kind, value, at }) =>
    kind === 'other' && value === ';' ? [at] : [],
  );
  const parts = [...ends, query.length].map((end, i) =>
    query.slice(i === 0 ? 0 : (ends[i - 1] ?? 0) + 1, end),
  );
  const given = parts.filter((part) => tokensOf(part).length > 0);
  return given.length > 1 ? given : [query];
}

const COMPARING = new Set(['=', '<', '>', 'LIKE', 'GLOB', 'BETWEEN', 'AND', 'IS']);

/** The texts a statement compares with, alone or in a list; neither parts of texts nor function arguments. */
export function comparedTexts(tokens: readonly Token[]): readonly string[] {
  /** For each open bracket, whether it contains such texts; `ended` says so for the last closed one. */
  const lists: boolean[] = [];
  let ended = false;
  return tokens.flatMap(({ kind, value }, at) => {
    const word = (place: number) => tokens[place]?.value.toUpperCase() ?? '';
    if (kind === 'other' && value === '(')
      lists.push(['IN', 'VALUES'].includes(word(at - 1)) || (ended && word(at - 1) === ','));
    if (kind === 'other' && value === ')') ended = lists.pop() === true;
    if (kind !== 'text' || word(at - 1) === '|' || word(at + 1) === '|') return [];
    const inList = lists.at(-1) === true && /^[(,]$/.test(word(at - 1));
    return inList || COMPARING.has(word(at - 1)) || /^[=<>]$/.test(word(at + 1)) ? [value] : [];
  });
}

/** Absolute paths in the comparisons of a query. */
export function namedFolders(texts: readonly string[]): readonly string[] {
  const folders = texts.map((text) => {
    const [, path = ''] = /^(\/[^%*?[\]\n]*)/.exec(text) ?? [];
    // A wildcard may cut off the last name.
    const folder = path === text ? path : path.slice(0, path.lastIndexOf('/'));
    return folder.replace(/\/+$/, '');
  });
  return [...new Set(folders)].filter((folder) => folder.length > 1);
}

/** Whether a statement itself limits its rows; limits inside brackets apply only to parts of it. */
export function namesLimit(query: string): boolean {
  let depth = 0;
  for (const { kind, value } of tokensOf(query)) {
    if (kind === 'other' && value === '(') depth++;
    if (kind === 'other' && value === ')') depth--;
    if (depth === 0 && kind === 'word' && value.toLowerCase() === 'limit') return true;
  }
  return false;
}

/** Why a text is not a single SELECT, as a sentence; undefined if it looks like one. */
export function notOneSelect(tokens: readonly Token[]): string | undefined {
  const [first] = tokens;
  if (first === undefined) return 'query is empty. Write one SELECT.';
  const word = first.value.toUpperCase();
  if (!['SELECT', 'WITH', 'VALUES'].includes(word)) {
    return WRITES.has(word)
      ? `sql is read-only: ${word} is refused. Write one SELECT.`
      : `query must begin with SELECT or WITH, not with '${first.value.slice(0, 30)}'.`;
  }
  const end = tokens.findIndex(({ kind, value }) => kind === 'other' && value === ';');
  if (end >= 0 && tokens.slice(end).some(({ value }) => value !== ';'))
    return 'query must be one statement. Make several calls, or join with WITH … or UNION ALL.';
  return undefined;
}

const WRITES = new Set(
  'INSERT UPDATE DELETE REPLACE CREATE DROP ALTER ATTACH DETACH PRAGMA VACUUM REINDEX ANALYZE BEGIN COMMIT ROLLBACK SAVEPOINT RELEASE END'.split(
    ' ',
  ),
);
