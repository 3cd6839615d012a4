import { mkdirSync, writeFileSync } from 'node:fs';
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

test('hybrid_search shows places with their text', async () => {
  const { body } = await ask(house, 'hybrid_search', { query: 'ConnectionPool' }, who);
  expect(body.data.matches[0]).toMatchObject({
    path: 'src/pool.ts',
    line_start: 1,
    symbol: 'ConnectionPool',
    language: 'typescript',
  });
  expect(body.data.matches[0].text).toContain('return this.idle.pop();');
  expect(body.data.root).toBeUndefined();
  expect(body.meta.index).toMatchObject({ files: 33, fresh: true });
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
  expect(answer.rendered.text.split('\n')[0]).toMatch(
    /^src\/pool\.ts:1-7 {2}ConnectionPool {2}(0\.\d\d|1\.00)$/,
  );
});
