import { realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const app = await temporaryApp();
const root = realpathSync(temporaryFolder());
const outside = join(realpathSync(temporaryFolder()), 'secret.txt');
writeFileSync(outside, 'not for you\n');
writeFileSync(join(root, 'long.txt'), Array.from({ length: 1_000 }, (_, i) => `line ${i + 1}\n`).join(''));
writeFileSync(join(root, 'empty.txt'), '');
writeFileSync(join(root, 'picture.bin'), Buffer.from([1, 0, 2]));
symlinkSync(outside, join(root, 'way-out'));
const view = async (input: Readonly<Record<string, unknown>>) =>
  (await ask(app, 'file_view', input, { roots: [root], budget: 1_000_000 })).body;

test('shows lines around a line, never beyond the file', async () => {
  const path = join(root, 'long.txt');
  const { data } = await view({ path, line: 500, lines: 3 });
  expect(data).toMatchObject({
    path,
    first_line: 499,
    total_lines: 1_000,
    text: 'line 499\nline 500\nline 501',
  });
  expect((await view({ path, lines: 2 })).data).toMatchObject({ first_line: 1, text: 'line 1\nline 2' });
  expect((await view({ path, line: 5_000, lines: 2 })).data).toMatchObject({
    first_line: 999,
    text: 'line 999\nline 1000',
  });
  expect((await view({ path: join(root, 'empty.txt') })).data).toMatchObject({ total_lines: 1, text: '' });
});

test('what is no text, not there, or outside is refused with a reason', async () => {
  expect((await view({ path: join(root, 'picture.bin') })).error.message).toBe('This is not a text file.');
  expect((await view({ path: join(root, 'nothing') })).error.code).toBe('not_found');
  expect((await view({ path: outside })).error.code).toBe('path_not_allowed');
  expect((await view({ path: join(root, 'way-out') })).error.code).toBe('path_not_allowed');
  expect((await view({ path: root, line: 0 })).error.code).toBe('invalid_parameter');
});
