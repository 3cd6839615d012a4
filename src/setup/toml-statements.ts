/** One statement of a TOML text: a `[table]` header or a `key = value` pair. */
export interface Statement {
  readonly kind: 'table' | 'pair';
  /** The full key; for pairs it includes the key of the table. */
  readonly key: readonly string[];
  readonly start: number;
  readonly end: number;
  /** Where the value starts; only for pairs. */
  readonly value: number;
}

/** The statements of a text that is known to be valid TOML. */
export function statementsOf(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let table: readonly string[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === undefined || /\s/.test(char)) at++;
    else if (char === '#') at = endOfLine(text, at);
    else if (char === '[') {
      const start = at;
      const double = text[at + 1] === '[';
      const { key, end } = readKey(text, at + (double ? 2 : 1));
      at = text.indexOf(double ? ']]' : ']', end) + (double ? 2 : 1);
      table = key;
      statements.push({ kind: 'table', key, start, end: at, value: at });
    } else {
      const start = at;
      const { key, end } = readKey(text, at);
      const value = skipSpace(text, end + 1);
      at = endOfValue(text, value);
      statements.push({ kind: 'pair', key: [...table, ...key], start, end: at, value });
    }
  }
  return statements;
}

/** A dotted key, and the offset of the `=` or `]` after it. */
function readKey(text: string, offset: number): { key: readonly string[]; end: number } {
  const key: string[] = [];
  let at = skipSpace(text, offset);
  for (;;) {
    const quote = text[at];
    const end = quote === '"' || quote === "'" ? endOfString(text, at) : endOfBare(text, at);
    key.push(quote === '"' || quote === "'" ? text.slice(at + 1, end - 1) : text.slice(at, end));
    at = skipSpace(text, end);
    if (text[at] !== '.') return { key, end: at };
    at = skipSpace(text, at + 1);
  }
}

function endOfBare(text: string, offset: number): number {
  let at = offset;
  while (/[A-Za-z0-9_-]/.test(text[at] ?? '')) at++;
  return Math.max(at, offset + 1);
}

/** The end of a value; lists and inline tables can span lines, and strings can contain anything. */
function endOfValue(text: string, offset: number): number {
  let depth = 0;
  let at = offset;
  let end = offset;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'") at = endOfString(text, at);
    else if (char === '#') {
      if (depth === 0) return end;
      at = endOfLine(text, at);
      continue;
    } else if (char === '\n' && depth === 0) return end;
    else {
      if (char === '[' || char === '{') depth++;
      if (char === ']' || char === '}') depth--;
      at++;
    }
    if (!/\s/.test(char)) end = at;
  }
  return end;
}

function endOfString(text: string, offset: number): number {
  const quote = text[offset] ?? '';
  const triple = quote.repeat(3);
  const mark = text.startsWith(triple, offset) ? triple : quote;
  let at = offset + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  at += mark.length;
  // Up to two quotes can come right before the closing three.
  while (mark === triple && text[at] === quote) at++;
  return at;
}

function endOfLine(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at;
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}
