import { mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const house = await temporaryApp();
const root = realpathSync(temporaryFolder());
const put = (path: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), 'some text\n');
};
for (const path of [
  'src/user/user-controller.ts',
  'src/pool/pool.ts',
  'src/pool/pool.go',
  'docs/pool.md',
  '.hidden/pool.ts',
  'build/pool.ts',
])
  put(path);
writeFileSync(join(root, '.ignore'), 'build\n');
const call = (input: object, more: object = {}) =>
  ask(house, 'find_files', { path: root, ...input }, { roots: [root], ...more });
const found = async (input: object) =>
  (await call(input)).body.data.files.map(({ path }: { path: string }) => path);

test('letters of the path find a file, without those that are ignored or hidden', async () => {
  expect(await found({ query: 'usrctl' })).toEqual(['src/user/user-controller.ts']);
  expect((await found({ query: 'pool.ts:40' }))[0]).toBe('src/pool/pool.ts');
  expect((await found({ query: 'pool' })).sort()).toEqual([
    'docs/pool.md',
    'src/pool/pool.go',
    'src/pool/pool.ts',
  ]);
  expect(await found({ query: 'hidden pool', hidden: true })).toEqual(['.hidden/pool.ts']);
});

test('a folder, a glob and a language narrow it', async () => {
  expect(await found({ query: 'pool', path: join(root, 'docs') })).toEqual(['docs/pool.md']);
  expect(await found({ query: 'pool', language: 'go' })).toEqual(['src/pool/pool.go']);
  expect(await found({ query: 'pool', glob: ['!*.go', '!docs/**'] })).toEqual(['src/pool/pool.ts']);
});

test('a typing error leads to similar names, and a zero says how many were looked at', async () => {
  const typo = await call({ query: 'user-contorller.ts' }, { format: 'text' });
  expect(typo.answer.rendered.text).toBe(
    [
      'No path of 4 files has these letters in this order. Similar names:',
      `in ${root}:`,
      'src/user/user-controller.ts  10 B',
    ].join('\n'),
  );
  const none = await call({ query: 'zzzz' }, { format: 'text' });
  expect(none.answer.rendered.text).toBe(
    'No path of 4 files has these letters in this order, and no name is similar.',
  );
});

test('files that come and go are seen at once, and pages continue', async () => {
  for (let i = 0; i < 30; i++) put(`many/page-${i}.ts`);
  expect(await found({ query: 'page-29' })).toEqual(['many/page-29.ts']);
  const first = (await call({ query: 'page' })).body;
  expect(first.data.files).toHaveLength(20);
  const second = (await ask(house, 'find_files', { cursor: first.pagination.next_cursor }, { roots: [root] }))
    .body;
  expect(second.data.files).toHaveLength(10);
  rmSync(join(root, 'many'), { recursive: true });
  expect(await found({ query: 'page-29' })).toEqual([]);
});

test('a name with a typing error comes before its letters far apart in another one', async () => {
  put('requests/adapters.py');
  put('a/template/loaders/app_directories_registry.py');
  put('adaptable/resources.py');
  expect((await found({ query: 'adaptres.py' }))[0]).toBe('requests/adapters.py');
  expect(await found({ query: 'adaptres.py' })).toContain('adaptable/resources.py');
});
