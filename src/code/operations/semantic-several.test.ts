import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const [one, two] = [temporaryFolder(), temporaryFolder()];
mkdirSync(join(two, 'src'));
writeFileSync(join(one, 'pool.ts'), '/** Keeps idle sockets. */\nexport class ConnectionPool {}\n');
for (let at = 0; at < 12; at++)
  writeFileSync(join(one, `part${at}.ts`), `/** Closes socket ${at}. */\nexport function close${at}() {}\n`);
writeFileSync(join(two, 'src/retry.ts'), '/** Tries again. */\nexport function withBackoff() {}\n');
writeFileSync(join(two, 'src/socket.ts'), '/** Closes sockets. */\nexport function closeSocket() {}\n');
const house = await temporaryApp();
const who = { roots: [one, two], cwd: two };

test.each(['hybrid_search', 'semantic_search'])(
  '%s searches several roots in one call',
  async (operation) => {
    const paths = async (query: string) =>
      (await ask(house, operation, { query, path: [one, two] }, who)).body.data.matches.map(
        ({ path }: { path: string }) => path,
      );
    expect((await paths('ConnectionPool'))[0]).toBe(join(one, 'pool.ts'));
    expect((await paths('withBackoff tries again'))[0]).toContain('src/retry.ts');
  },
);

test('pages go on, scores fall, and a place in two of the folders comes once', async () => {
  const path = [one, two, join(two, 'src')];
  const first = await ask(house, 'hybrid_search', { query: 'close a socket', path, limit: 4 }, who);
  const second = await ask(
    house,
    'hybrid_search',
    { cursor: first.body.pagination.next_cursor, limit: 50 },
    who,
  );
  const rows: { path: string; line_start: number; score: number; text?: string }[] = [
    ...first.body.data.matches,
    ...second.body.data.matches,
  ];
  expect(first.body.data.matches).toHaveLength(4);
  const scores = rows.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(new Set(rows.map((row) => `${row.path}:${row.line_start}`)).size).toBe(rows.length);
  expect(rows.filter(({ text }) => text !== undefined)).toHaveLength(2);
});

test('a repository is a path', async () => {
  const { data } = (await ask(house, 'hybrid_search', { query: 'ConnectionPool', repository: one }, who))
    .body;
  expect(data.matches[0].path).toBe('pool.ts');
});
