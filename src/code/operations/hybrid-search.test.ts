import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const root = temporaryFolder();
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
write(
  'src/pool.ts',
  '/** Keeps idle sockets. */\nexport class ConnectionPool {\n  acquire() {\n    return this.idle.pop();\n  }\n}\n',
);
write(
  'src/lines.ts',
  '/** Keeps idle phone lines. */\nexport class LinePool {\n  acquire() {\n    return this.idle.pop();\n  }\n}\n',
);
write('src/retry.py', '"""Tries again after a failure."""\n\ndef with_backoff(send):\n    return send()\n');
for (let at = 0; at < 30; at++)
  write(`many/part${at}.go`, `package many\n\n// Part${at} queues job number ${at}.\nfunc Part${at}() {}\n`);

const house = await temporaryApp();
const who = { roots: [root], cwd: root };

type Row = {
  path: string;
  line_start: number;
  line_end: number;
  symbol?: string;
  text?: string;
  text_start?: number;
};
const rows = async (input: Record<string, unknown>): Promise<Row[]> =>
  (await ask(house, 'hybrid_search', input, who)).body.data.matches;
/** The first row, asked for until its file was parsed: a busy machine may not make it the first time. */
const best = (input: Record<string, unknown>, expected: Partial<Row>) =>
  expect.poll(async () => (await rows(input))[0]).toMatchObject(expected);

test('a hit is the definition that was found, with its lines', async () => {
  await best(
    { query: 'ConnectionPool' },
    { path: 'src/pool.ts', line_start: 2, line_end: 6, symbol: 'ConnectionPool', text_start: 2 },
  );
  await best(
    { query: 'idle pop', path: 'src/pool.ts' },
    {
      line_start: 3,
      line_end: 5,
      symbol: 'ConnectionPool.acquire',
      text_start: 3,
      text: 'acquire() {\n  return this.idle.pop();\n}',
    },
  );
  // The comment above a definition belongs to it.
  await best({ query: 'keeps sockets', path: 'src/pool.ts' }, { symbol: 'ConnectionPool', text_start: 1 });
  const { body } = await ask(house, 'hybrid_search', { query: 'ConnectionPool' }, who);
  expect(body.data.root).toBeUndefined();
  expect(body.meta.index).toMatchObject({ files: 33, fresh: true });
});

test('an edit changes the name at once', async () => {
  write('src/edit.ts', 'export function brewCoffee() {\n  return beans();\n}\n');
  await best({ query: 'brew coffee beans' }, { path: 'src/edit.ts', symbol: 'brewCoffee', line_start: 1 });
  write('src/edit.ts', '\n\nexport function grindCoffee() {\n  return beans();\n}\n');
  await best({ query: 'brew coffee beans' }, { path: 'src/edit.ts', symbol: 'grindCoffee', line_start: 3 });
  rmSync(join(root, 'src/edit.ts'));
});

test('the best hits have their text, or all, or none', async () => {
  const withText = async (input: Record<string, unknown>) =>
    (await rows({ query: 'queue a job', ...input })).map(({ text }) => text !== undefined);
  const ten = Array.from({ length: 10 }, () => true);
  expect(await withText({})).toEqual(ten.map((_one, at) => at < 2));
  expect(await withText({ include_snippet: true })).toEqual(ten);
  expect(await withText({ include_snippet: false })).toEqual(ten.map(() => false));
});

test('context_lines are lines around the best one, and spans the bytes of all', async () => {
  await best(
    { query: 'idle pop', path: 'src/pool.ts', context_lines: 1, spans: true },
    { text_start: 3, text: '  acquire() {\n    return this.idle.pop();\n  }'.replaceAll(/^ {2}/gm, '') },
  );
  const [first] = await rows({ query: 'retry with backoff', path: 'src/retry.py', spans: true });
  const content = readFileSync(join(root, 'src/retry.py'), 'utf8');
  const [start, end] = (first as unknown as { bytes: [number, number] }).bytes;
  expect(content.slice(start, end)).toBe(
    content
      .split('\n')
      .slice((first?.line_start ?? 1) - 1, first?.line_end)
      .join('\n'),
  );
});

test('takes up to 200 rows, under either name, and gives no total', async () => {
  const { body } = await ask(
    house,
    'hybrid_search',
    { query: 'queue a job', page_size: 200, include_snippet: false },
    who,
  );
  expect(body.data.matches.length).toBeGreaterThan(29);
  const some = await ask(house, 'hybrid_search', { query: 'queue a job', limit: 5 }, who);
  expect(some.body.pagination).toEqual({ total_in_page: 5, has_more: true, next_cursor: expect.any(String) });
});

test('says why nothing was found', async () => {
  const { body } = await ask(
    house,
    'hybrid_search',
    { query: 'queue', path: 'many', glob: ['part/*.go'] },
    who,
  );
  expect(body.data).toEqual({
    note: 'No file in many matches glob part/*.go; globs are relative to many or to the root.',
    matches: [],
  });
});

test('pages by cursor without repeating a file on the first page', async () => {
  const first = (await ask(house, 'hybrid_search', { query: 'queue a job', limit: 10 }, who)).body;
  const paths: string[] = first.data.matches.map(({ path }: { path: string }) => path);
  expect(new Set(paths).size).toBe(10);
  const second = (await ask(house, 'hybrid_search', { cursor: first.pagination.next_cursor }, who)).body;
  expect(second.data.matches.length).toBeGreaterThan(0);
  for (const { path } of second.data.matches) expect(paths).not.toContain(path);
});

test('semantic_search finds code similar to a place, given by a relative or absolute path', async () => {
  for (const like of ['src/pool.ts:3', `${root}/src/pool.ts:3`]) {
    const { body } = await ask(house, 'semantic_search', { like, limit: 3 }, who);
    expect(body.data.matches[0].path).toBe('src/lines.ts');
  }
  const { body } = await ask(
    house,
    'semantic_search',
    { query: 'try again when it fails', glob: ['*.py'] },
    who,
  );
  expect(body.data.matches.map(({ path }: { path: string }) => path)).toEqual(['src/retry.py']);
});

test('says what is wrong', async () => {
  const code = async (input: Record<string, unknown>): Promise<string> =>
    (await ask(house, 'semantic_search', input, who)).body.error.code;
  expect(await code({})).toBe('invalid_parameter');
  expect(await code({ query: 'a', like: 'b:1' })).toBe('invalid_parameter');
  expect(await code({ like: 'src/pool.ts' })).toBe('invalid_parameter');
  expect(await code({ like: 'src/none.ts:3' })).toBe('not_found');
  expect(await code({ query: 'a', language: 'klingon' })).toBe('invalid_parameter');
});

test('explains scores by their parts', async () => {
  const { body } = await ask(house, 'hybrid_search', { query: 'ConnectionPool' }, { ...who, explain: true });
  const plan = JSON.stringify(body);
  expect(plan).toContain('"kind":"symbol"');
  expect(plan).toContain('"definesAsked":');
});

test('--format text is terse', async () => {
  const { answer } = await ask(
    house,
    'hybrid_search',
    { query: 'ConnectionPool', limit: 1 },
    { ...who, format: 'text' },
  );
  const [head = '', ...body] = answer.rendered.text.split('\n');
  expect(head).toMatch(/^src\/pool\.ts:2-6 {2}ConnectionPool {2}(0\.\d\d|1\.00)$/);
  expect(body.slice(0, 5)).toEqual([
    '2  export class ConnectionPool {',
    '3    acquire() {',
    '4      return this.idle.pop();',
    '5    }',
    '6  }',
  ]);
});

test('weighs words more in a folder of repositories than in one', async () => {
  const shareOfWords = async (isCollection: boolean): Promise<number> => {
    const folder = temporaryFolder();
    for (const name of ['one', 'two']) {
      mkdirSync(join(folder, name, isCollection ? '.git' : 'empty'), { recursive: true });
      writeFileSync(join(folder, name, 'gate.ts'), `export function open${name}Gate() {\n  return 1;\n}\n`);
    }
    const asker = { roots: [folder], cwd: folder, explain: true };
    const { body } = await ask(house, 'hybrid_search', { query: 'opens the gate' }, asker);
    const { words, size } = body.data.hits[0].parts;
    return words / size;
  };
  const [inCollection, inOne] = [await shareOfWords(true), await shareOfWords(false)];
  expect(inCollection).toBeGreaterThan(5 * inOne);
});

test.each([['!!! ??? ((('], ['   '], ['{'], ['🙂'], ['a\0b']])(
  '%j has no words to search for',
  async (query) => {
    for (const operation of ['hybrid_search', 'semantic_search']) {
      const { data } = (await ask(house, operation, { query }, who)).body;
      expect(data.matches).toEqual([]);
      expect(data.note).toContain('The query has no words.');
    }
  },
);

test.each([['контекст запроса'], ['連線逾時']])(
  'no word of %s is known, which the answer says',
  async (query) => {
    const { data } = (await ask(house, 'hybrid_search', { query }, who)).body;
    expect(data.matches).toEqual([]);
    expect(data.note).toContain('No word of the query is known.');
  },
);

test('words of another script are found where files have them', async () => {
  write('src/notes.ts', '/** контекст запроса */\nexport const requestContext = 1;\n');
  await best({ query: 'контекст запроса' }, { path: 'src/notes.ts' });
  rmSync(join(root, 'src/notes.ts'));
});
