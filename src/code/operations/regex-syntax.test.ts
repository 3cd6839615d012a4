import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

/* Searches that look at syntax, over files in several languages. */

let house: OpenApp;
const root = realpathSync(temporaryFolder());
const who = { roots: [root], cwd: root };

beforeAll(async () => {
  house = await temporaryApp();
  writeFiles(root, {
    'lib/retry.c': [
      '#include "retry.h"',
      '',
      '/* retry_request tries again. */',
      'int retry_request(struct easy *data)',
      '{',
      '  return send(data);',
      '}',
      '',
      'static int state_do(struct easy *data)',
      '{',
      '  if(failed(data))',
      '    return retry_request(data);',
      '  return 0;',
      '}',
      '',
    ].join('\n'),
    'lib/retry.h': 'struct easy;\nint retry_request(struct easy *data);\n',
    'src/case.rs': [
      'pub fn rename(name: &str) -> String {',
      '    name.to_string()',
      '}',
      '',
      '#[cfg(test)]',
      'mod tests {',
      '    use super::rename;',
      '',
      '    #[test]',
      '    fn renames() {',
      '        assert_eq!(rename("a"), "a");',
      '    }',
      '}',
      '',
      'fn all() -> String {',
      '    rename("b")',
      '}',
      '',
    ].join('\n'),
    'src/pool.py': [
      'from wait import acquire',
      '',
      '',
      'class Pool:',
      '    def take(self):',
      '        # acquire waits',
      '        return acquire(self)',
      '',
    ].join('\n'),
    'test/retry.test.ts': 'retry_request({});\n',
    'notes.md': 'retry_request is described here.\n',
  });
});

const run = async (input: Record<string, unknown>, more = {}) =>
  ask(house, 'regex_search', input, { ...who, ...more });
type Hit = { line: number; in?: string; kind?: string; test?: true };
const facts = async (input: Record<string, unknown>): Promise<string[]> => {
  const { body } = await run(input);
  return body.data.matches.flatMap(({ path, hits }: { path: string; hits: Hit[] }) =>
    hits.map(({ line, in: around, kind, test: isTest }) =>
      [`${path}:${line}`, around, kind, isTest && 'test'].filter((part) => part).join(' '),
    ),
  );
};
/** Asks until every file was parsed: a busy machine may not make it the first time. */
const settled = (input: Record<string, unknown>, expected: string[]) =>
  expect.poll(() => facts(input)).toEqual(expected);

test('every hit says what it is and what it is in', async () => {
  await settled({ pattern: 'retry_request' }, [
    'lib/retry.c:3 comment',
    'lib/retry.c:4 retry_request definition',
    'lib/retry.c:12 state_do',
    'lib/retry.h:2 prototype',
    'notes.md:1',
    'test/retry.test.ts:1 test',
  ]);
  await settled({ pattern: 'acquire' }, [
    'src/pool.py:1 import',
    'src/pool.py:6 Pool.take comment',
    'src/pool.py:7 Pool.take',
  ]);
});

test('as text, hits are below the definition around them', async () => {
  const text = async () =>
    (await run({ pattern: 'retry_request', glob: ['lib'] }, { format: 'text' })).answer.rendered.text;
  await expect
    .poll(text)
    .toBe(
      [
        'lib/retry.c',
        '  3  /* retry_request tries again. */',
        '  4  int retry_request(struct easy *data)',
        '  state_do',
        '    12  return retry_request(data);',
        'lib/retry.h',
        '  2  int retry_request(struct easy *data);',
      ].join('\n'),
    );
});

test('skip leaves definitions out, so that uses remain', async () => {
  await settled({ pattern: 'retry_request', skip: ['definitions', 'prototypes', 'comments', 'tests'] }, [
    'lib/retry.c:12 state_do',
    'notes.md:1',
  ]);
});

test('skip leaves comments, prototypes, imports and tests out, also tests inside a source file', async () => {
  await settled({ pattern: 'retry_request', skip: ['comments', 'prototypes', 'tests'] }, [
    'lib/retry.c:4 retry_request definition',
    'lib/retry.c:12 state_do',
    'notes.md:1',
  ]);
  await settled({ pattern: 'retry_request', skip: ['comments', 'docs', 'prototypes', 'tests'] }, [
    'lib/retry.c:4 retry_request definition',
    'lib/retry.c:12 state_do',
  ]);
  await settled({ pattern: 'rename\\(', skip: ['tests'] }, [
    'src/case.rs:1 rename definition',
    'src/case.rs:16 all',
  ]);
  await settled({ pattern: 'acquire', skip: ['imports', 'comments'] }, ['src/pool.py:7 Pool.take']);
});

test('counts with skip count what is shown', async () => {
  const skip = ['comments', 'prototypes', 'tests'];
  const counted = async (output: string) => (await run({ pattern: 'retry_request', skip, output })).body.data;
  await expect.poll(() => counted('count')).toEqual({ count: { hits: 3, files: 2 } });
  expect(await counted('files')).toEqual({
    files: [
      { path: 'lib/retry.c', hits: 2 },
      { path: 'notes.md', hits: 1 },
    ],
  });
  const { body } = await run({ pattern: 'retry_request', skip: ['comments'], limit: 2 });
  // The total is known when all hits were looked at.
  expect(body.pagination).toMatchObject({ total_in_page: 2, has_more: true });
  expect(body.pagination.total).toBeUndefined();
  const refused = await run({ pattern: 'x', skip: ['comments'], output: 'file' });
  expect(refused.body.error.message).toBe('skip does not work with output=file. Use output=hits.');
});

test('an edit is seen in the very next search', async () => {
  writeFiles(root, { 'src/edit.py': 'def first():\n    return token()\n' });
  await settled({ pattern: 'token' }, ['src/edit.py:2 first']);
  writeFileSync(join(root, 'src/edit.py'), 'import os\n\n\ndef second():\n    return token()\n');
  await settled({ pattern: 'token' }, ['src/edit.py:5 second']);
});

test.each([
  [{ pattern: 'nowhere' }, /^No match in \d+ files\.$/],
  [{ pattern: 'nowhere', path: 'lib/retry.h' }, /^No match in 1 file\.$/],
  [
    { pattern: 'retry', path: 'lib', glob: ['server/*.go'] },
    /^No file in lib matches glob server\/\*\.go; globs are relative to lib or to the root\.$/,
  ],
  [{ pattern: 'retry', glob: ['*.zig'] }, /^No file matches glob \*\.zig; globs are relative to the root\.$/],
  [{ pattern: 'retry', language: 'kotlin' }, /^No kotlin files to search\.$/],
])('%j says what was looked at', async (input, note) => {
  const { body } = await run(input);
  expect(body.data.note).toMatch(note);
  const { answer } = await run(input, { format: 'text' });
  expect(answer.rendered.text).toMatch(note);
});

test('globs are relative to the path as well as to the root', async () => {
  const paths = async (input: Record<string, unknown>) =>
    (await run({ pattern: 'retry', output: 'files', ...input })).body.data.files.map(
      ({ path }: { path: string }) => path,
    );
  writeFiles(root, { 'lib/deep/retry.go': 'retry\n', 'deep/retry.go': 'retry\n' });
  expect(await paths({ path: 'lib', glob: ['deep/*.go'] })).toEqual(['lib/deep/retry.go']);
  expect(await paths({ path: 'lib', glob: ['lib/deep/*.go'] })).toEqual(['lib/deep/retry.go']);
  expect(await paths({ path: 'lib', glob: ['!deep/**', '*.go'] })).toEqual([]);
  expect(await paths({ glob: ['/deep/*.go'] })).toEqual(['deep/retry.go']);
});

test('spans are the bytes of the line', async () => {
  const { body } = await run({ pattern: 'return 0', path: 'lib', spans: true });
  const [start, end] = body.data.matches[0].hits[0].bytes;
  expect(readFileSync(join(root, 'lib/retry.c')).toString('utf8', start, end)).toBe('  return 0;');
});

test('the number of files does not change with what was read', async () => {
  writeFiles(root, { 'logo.bin': 'retry\0' });
  const files = async () => (await run({ pattern: 'retry' })).body.meta.index.files;
  const first = await files();
  const { body } = await ask(house, 'index', { root, what: 'code' }, who);
  await expect.poll(async () => (await house.services.jobs.get(body.data.job_id))?.status).toBe('done');
  expect(await files()).toBe(first);
});

test('context_lines above 10 are refused', async () => {
  for (const operation of ['regex_search', 'hybrid_search', 'semantic_search']) {
    const input = { [operation === 'regex_search' ? 'pattern' : 'query']: 'retry', context_lines: 11 };
    const { body } = await ask(house, operation, input, who);
    expect(body.error.message).toBe('context_lines must be 0..10.');
  }
});
