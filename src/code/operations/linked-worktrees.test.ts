import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

let house: OpenApp;
const root = realpathSync(temporaryFolder());
beforeAll(async () => {
  house = await temporaryApp();
  writeFiles(root, {
    'main/.git/HEAD': '',
    'main/a.ts': 'export function openGate() {}\n',
    'wt/.git': `gitdir: ${root}/main/.git/worktrees/wt\n`,
    'wt/a.ts': 'export function openGate() {}\n',
    'wt/only.ts': 'export function shutGate() {}\n',
  });
});

const asked = async (operation: string, input: Record<string, unknown>) =>
  (await ask(house, operation, input, { roots: [root], cwd: root })).body;

const hits = async (input: Record<string, unknown>): Promise<string[]> =>
  (await asked('regex_search', input)).data.matches.map(({ path }: { path: string }) => path);

it('exact search reads linked worktrees, and says that nothing was skipped', async () => {
  expect(await hits({ pattern: 'Gate' })).toEqual(['main/a.ts', 'wt/a.ts', 'wt/only.ts']);
  expect((await asked('regex_search', { pattern: 'Gate' })).meta.skipped).toBeUndefined();
  expect(await hits({ pattern: 'Gate', path: join(root, 'main') })).toEqual(['main/a.ts']);
});

it('ranked searches and definitions have the main checkout only, and the worktree if it is named', async () => {
  const found = async (input: Record<string, unknown>) =>
    (await asked('hybrid_search', { query: 'openGate', ...input })).data.matches.map(
      ({ path }: { path: string }) => path,
    );
  expect(await found({})).toEqual(['main/a.ts']);
  expect(await found({ path: join(root, 'wt') })).toContain('a.ts');
  const names = (await asked('find_files', { query: 'a.ts' })).data.files;
  expect(JSON.stringify(names)).not.toContain('wt/');
});
