import { appendFileSync, chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TABLES } from '../sql/subjects.ts';

const HISTORY = 'sql-history';
const MAX_HISTORY_LINES = 500;
const WORDS =
  'select from where group by order by having limit join left join on as with distinct count sum'.split(' ');
const FUNCTIONS = ['ago(', 'regexp', 'snip(', 'around(', 'dirname(', 'size('];

/** Names that a word could become: tables, columns, functions and keywords. */
export function completions(line: string): [string[], string] {
  const [word = ''] = /[A-Za-z_]*$/.exec(line) ?? [];
  const [, table] = /([A-Za-z_]+)\.[A-Za-z_]*$/.exec(line) ?? [];
  const named = TABLES.filter(({ name }) => (table === undefined ? true : name === table));
  const names = [
    ...(table === undefined ? [...TABLES.map(({ name }) => name), ...FUNCTIONS, ...WORDS] : []),
    ...named.flatMap(({ columns }) => Object.keys(columns)),
  ];
  const fitting = names.filter((name) => name.startsWith(word.toLowerCase()));
  return [[...new Set(fitting)].sort(), word];
}

/** Reads queries until the input ends. A query ends with a semicolon or an empty line. */
export async function sqlPrompt(run: (query: string) => Promise<number>, home: string): Promise<void> {
  const file = join(home, HISTORY);
  const input = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: 'sql> ',
    history: readHistory(file),
    historySize: MAX_HISTORY_LINES,
    completer: completions,
  });
  let query = '';
  process.stdout.write("One SELECT, ended by ';'. Tab completes names, Ctrl-D ends.\n");
  input.prompt();
  for await (const line of input) {
    query += `${line}\n`;
    const complete = /;\s*$/.test(query) || line.trim() === '';
    if (complete && query.trim() !== '') {
      remember(file, query.trim().replace(/\s+/g, ' '));
      await run(query.trim());
    }
    if (complete) query = '';
    input.setPrompt(query === '' ? 'sql> ' : '...> ');
    input.prompt();
  }
  if (query.trim() !== '') await run(query.trim());
}

function readHistory(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-MAX_HISTORY_LINES).reverse();
  } catch {
    return [];
  }
}

function remember(file: string, query: string): void {
  try {
    appendFileSync(file, `${query}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
  } catch {
    // Without a history it works as well.
  }
}
