import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, claude, lines, resetClock, text, tick, writeLog } from '../../test/fixtures/sessions/logs.ts';
import { temporaryRepository } from '../../test/git.ts';
import { ask, temporaryApp, temporaryFolder } from '../../test/support.ts';
import type { OpenApp } from '../app/open-app.ts';

const ID = '5e55a001-0000-4000-8000-000000000001';
const CODE = `export function sumOfPrices(prices: readonly number[]): number {
  let total = 0;
  for (const price of prices) total += price;
  return total;
}
`;

let app: OpenApp;
let repository: Awaited<ReturnType<typeof temporaryRepository>>;
let logs: string;

beforeEach(async () => {
  resetClock();
  repository = await temporaryRepository();
  const home = temporaryFolder();
  logs = join(home, '.claude/projects/p');
  app = await temporaryApp({ env: { HOME: home } });
});
afterEach(() => app.close());

/** A session that writes a file of the repository, which is then there but not committed. */
function sessionWrites(path: string, content = CODE, root = repository.root) {
  const main = claude({ id: ID, cwd: root });
  writeLog(
    join(logs, `${ID}.jsonl`),
    lines([
      main.prompt(`please write ${path}`),
      main.answer('msg_1', call('w1', 'Write', { file_path: join(root, path), content })),
      main.result('w1', 'created'),
      main.answer('msg_2', text('Done.')),
    ]),
  );
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

const get = async (operation: string, input: Record<string, unknown>, root = repository.root) => {
  await app.services.sessions.reading.refresh();
  const { body, answer } = await ask(app, operation, input, { roots: [root], cwd: root, budget: 100_000 });
  return answer.ok ? body.data : body.error;
};

const first = async (path: string, root = repository.root) =>
  (await get('blame', { path: join(root, path) }, root)).lines[0];

test('a line of a renamed file leads to the edit under its old name; the rename itself has no lines', async () => {
  sessionWrites('src/prices.ts');
  repository.commit('feat: prices', tick(60));
  repository.git(['mv', 'src/prices.ts', 'src/sums.ts']);
  const renamed = repository.commit('refactor: rename', tick(24 * 3600));
  const row = await get('blame', { path: join(repository.root, 'src/sums.ts'), line: 1 });
  expect(row.lines[0]).toMatchObject({ subject: 'feat: prices', session_id: '5e55a001', event_index: 1 });
  const { commits } = await get('commit_sessions', { of: renamed });
  expect(commits).toEqual([expect.not.objectContaining({ session_id: expect.anything() })]);
});

test('line ends of Windows make no difference', async () => {
  sessionWrites('src/prices.ts');
  repository.write('src/prices.ts', CODE.replaceAll('\n', '\r\n'));
  repository.commit('feat: prices', tick(60));
  expect(await first('src/prices.ts')).toMatchObject({ session_id: '5e55a001', certainty: 'likely' });
});

test('a merge has the commits of its branch, a squash their lines, a revert is not the session', async () => {
  repository.write('README.md', 'the first line of all\n');
  repository.commit('docs: readme', tick());
  repository.git(['checkout', '-q', '-b', 'side']);
  sessionWrites('src/prices.ts');
  repository.commit('feat: prices', tick(60));
  repository.git(['checkout', '-q', 'main']);
  repository.git(['merge', '-q', '--no-ff', '-m', 'merge side', 'side']);
  const merged = await get('commit_sessions', { of: 'HEAD^..HEAD' });
  expect(merged.commits).toMatchObject([{ subject: 'feat: prices', session_id: '5e55a001', agent_share: 1 }]);
  repository.git(['reset', '-q', '--hard', 'HEAD^']);
  repository.git(['merge', '-q', '--squash', 'side']);
  repository.commit('feat: everything (#7)', tick(60));
  expect(await get('commit_sessions', { of: 'HEAD' })).toMatchObject({
    commits: [{ subject: 'feat: everything (#7)', session_id: '5e55a001' }],
  });
  repository.git(['revert', '--no-edit', 'HEAD'], {
    GIT_AUTHOR_DATE: tick(86_400),
    GIT_COMMITTER_DATE: tick(),
  });
  const [revert] = (await get('commit_sessions', { of: 'HEAD' })).commits;
  expect(revert.subject).toMatch(/^Revert/);
  expect(revert.session_id === undefined || revert.certainty === 'uncertain').toBe(true);
});

test('a merge is the commits that it brought, not the newest ones before it', async () => {
  repository.write('README.md', 'the first line of all\n');
  repository.commit('docs: readme', tick());
  repository.git(['checkout', '-q', '-b', 'side']);
  sessionWrites('src/prices.ts');
  repository.commit('feat: prices', tick(60));
  repository.git(['checkout', '-q', 'main']);
  repository.write('CHANGES.md', 'a later line on the main branch\n');
  repository.commit('docs: changes', tick(60));
  repository.git(['merge', '-q', '--no-ff', '-m', 'merge side', 'side']);
  const { commits } = await get('commit_sessions', { of: 'HEAD' });
  expect(commits).toMatchObject([{ subject: 'feat: prices', session_id: '5e55a001' }]);
});

test('a worktree, a detached head and a folder in them are asked like the main checkout', async () => {
  sessionWrites('src/prices.ts');
  repository.commit('feat: prices', tick(60));
  const tree = join(await realpath(temporaryFolder()), 'tree');
  repository.git(['worktree', 'add', '-q', '--detach', tree]);
  expect(await first('src/prices.ts', tree)).toMatchObject({ session_id: '5e55a001' });
  repository.git(['checkout', '-q', '--detach']);
  expect(await first('src/prices.ts')).toMatchObject({ session_id: '5e55a001' });
});

test('a submodule is a repository of its own', async () => {
  const inner = await temporaryRepository();
  sessionWrites('src/prices.ts', CODE, inner.root);
  inner.commit('feat: prices', tick(60));
  repository.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'inner']);
  repository.commit('chore: submodule', tick(60));
  const root = join(repository.root, 'inner');
  expect(await first('src/prices.ts', root)).toMatchObject({ session_id: '5e55a001', certainty: 'likely' });
});

test('a shallow clone knows what it has', async () => {
  sessionWrites('src/prices.ts');
  repository.commit('feat: prices', tick(60));
  repository.write('README.md', 'the first line of all\n');
  repository.commit('docs: readme', tick(60));
  const clone = join(await realpath(temporaryFolder()), 'clone');
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${repository.root}`, clone]);
  const row = await first('src/prices.ts', clone);
  expect(row).toMatchObject({ subject: 'docs: readme' });
  const { note } = await get('blame', { path: join(clone, 'src/prices.ts') }, clone);
  expect(note).toMatch(/^This clone is shallow: lines of [0-9a-f]{10} may be older\./);
  expect(await get('blame', { path: join(repository.root, 'src/prices.ts') })).not.toHaveProperty('note');
});

test('a repository without a commit says so', async () => {
  sessionWrites('src/prices.ts');
  expect(await get('commit_sessions', {})).toMatchObject({ commits: [] });
  expect(await get('blame', { path: join(repository.root, 'src/prices.ts') })).toMatchObject({
    code: 'not_found',
  });
});

test('a new commit is seen at once, also when branches were packed', async () => {
  sessionWrites('src/prices.ts');
  expect((await get('commit_sessions', {})).commits).toEqual([]);
  repository.commit('feat: prices', tick(60));
  expect((await get('commit_sessions', {})).commits).toHaveLength(1);
  repository.git(['pack-refs', '--all']);
  repository.write('README.md', 'the first line of all\n');
  repository.commit('docs: readme', tick(60));
  expect((await get('commit_sessions', {})).commits).toHaveLength(2);
});

test("a colleague's commit of a file that a session edited shortly before is not the session's", async () => {
  sessionWrites('src/prices.ts');
  repository.commit('feat: prices', tick(60));
  repository.write('src/prices.ts', 'export const nothingOfThisIsLeft = true;\n');
  repository.commit('refactor: prices', tick(600), 'Noah <noah@example.com>');
  const { commits } = await get('commit_sessions', {});
  expect(commits.map((row: Record<string, unknown>) => [row.author, row.certainty])).toEqual([
    ['Noah', 'uncertain'],
    ['Mia', 'likely'],
  ]);
});

test("the session of Entire's checkpoint is certain, where the branch with it is here", async () => {
  sessionWrites('src/prices.ts');
  const content = JSON.stringify({ checkpoint_id: 'abcdef012345', session_id: `2026-03-01-${ID}` });
  repository.git(['checkout', '-q', '--orphan', 'entire/checkpoints/v1']);
  repository.write('ab/cdef012345/0/metadata.json', content);
  repository.git(['add', 'ab']);
  repository.git(['commit', '-q', '-m', 'checkpoint']);
  repository.git(['checkout', '-q', '--orphan', 'main']);
  repository.git(['rm', '-rq', '--cached', '.']);
  repository.write('other.txt', 'a file that no log knows anything about\n');
  repository.git(['add', 'other.txt']);
  repository.git(['commit', '-q', '-m', 'feat: other\n\nEntire-Checkpoint: abcdef012345']);
  expect((await get('commit_sessions', { of: 'HEAD' })).commits).toMatchObject([
    {
      session_id: '5e55a001',
      certainty: 'certain',
      reasons: expect.arrayContaining(['Entire made checkpoint abcdef012345 with this session']),
    },
  ]);
  const [line] = (await get('blame', { path: 'other.txt:1' })).lines;
  expect(line.reasons.filter((reason: string) => reason.includes('abcdef012345'))).toEqual([
    'Entire made checkpoint abcdef012345 with this session',
  ]);
});

test("a person's commit to one of a session's files and another is not the session's without its lines", async () => {
  sessionWrites('src/prices.ts');
  repository.commit('feat: prices', tick(60));
  repository.write('src/prices.ts', 'export const nothingOfThisIsLeft = true;\n');
  repository.write('src/unknown.ts', 'export const noSessionWroteThis = true;\n');
  repository.commit('refactor: prices', tick(60));
  const { commits } = await get('commit_sessions', {});
  expect(commits.map((row: Record<string, unknown>) => [row.subject, row.certainty])).toEqual([
    ['refactor: prices', 'uncertain'],
    ['feat: prices', 'likely'],
  ]);
});
