import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  call,
  claude,
  lines,
  resetClock,
  text,
  thinking,
  tick,
  writeLog,
} from '../../test/fixtures/sessions/logs.ts';
import { temporaryRepository } from '../../test/git.ts';
import { ask, temporaryApp, temporaryFolder } from '../../test/support.ts';
import type { OpenApp } from '../app/open-app.ts';

const RETRY = '5e55a001-0000-4000-8000-000000000001';
const POOL = '5e55a002-0000-4000-8000-000000000002';

const RETRY_CODE = `export async function retry<T>(work: () => Promise<T>, attempts: number): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}
`;
const POOL_CODE = `export class ConnectionPool {
  readonly idleConnections: string[] = [];
  acquireConnection(): string | undefined {
    return this.idleConnections.pop();
  }
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

/** A session that writes one file, and then does more. */
function writes(
  id: string,
  path: string,
  content: string,
  more: (main: ReturnType<typeof claude>) => unknown[] = () => [],
) {
  const main = claude({ id, cwd: repository.root });
  writeLog(
    join(logs, `${id}.jsonl`),
    lines([
      main.prompt(`please write ${path}`),
      main.answer(`msg_${id}_1`, thinking(`A small file is enough for ${path}.`), {}, { stop_reason: null }),
      main.answer(
        `msg_${id}_1`,
        call(`w${id}`, 'Write', { file_path: join(repository.root, path), content }),
      ),
      main.result(`w${id}`, 'created'),
      ...more(main),
      main.answer(`msg_${id}_2`, text('Done.')),
    ]),
  );
}

const get = async (operation: string, input: Record<string, unknown>) => {
  await app.services.sessions.reading.refresh();
  const who = { roots: [repository.root], cwd: repository.root, budget: 100_000 };
  const { body, answer } = await ask(app, operation, input, who);
  return answer.ok ? body.data : body.error;
};

describe('commits', () => {
  test('come from the session whose lines they have; others have no session', async () => {
    writes(RETRY, 'src/retry.ts', RETRY_CODE);
    repository.write('src/retry.ts', RETRY_CODE);
    const first = repository.commit('feat: retry', tick(60));
    writes(POOL, 'src/pool.ts', POOL_CODE);
    repository.write('src/pool.ts', POOL_CODE);
    repository.write('README.md', 'A file that a person wrote by hand.\n');
    const second = repository.commit('feat: pool', tick(60));
    repository.write('LICENSE', 'Permission is hereby granted to everybody.\n');
    const third = repository.commit('docs: licence', tick(5 * 3600));
    const { commits } = await get('commit_sessions', {});
    expect(
      commits.map((row: Record<string, unknown>) => [row.commit, row.session_id, row.certainty]),
    ).toEqual([
      [third.slice(0, 10), undefined, undefined],
      [second.slice(0, 10), '5e55a002', 'likely'],
      [first.slice(0, 10), '5e55a001', 'likely'],
    ]);
    expect(commits[2].reasons[0]).toMatch(/^5 of 5 changed lines are in its edits, the nearest \d+ min/);
    const ofSession = await get('commit_sessions', { of: '5e55a001' });
    expect(ofSession.commits.map((row: Record<string, unknown>) => row.subject)).toEqual(['feat: retry']);
    const range = await get('commit_sessions', { of: `${first}..${second}` });
    expect(range.commits.map((row: Record<string, unknown>) => row.subject)).toEqual(['feat: pool']);
  });

  test('a commit that the session itself made is certain, also after a rebase gave it another hash', async () => {
    repository.write('src/retry.ts', RETRY_CODE);
    const made = repository.commit('feat: retry', tick(60));
    const commit = (main: ReturnType<typeof claude>, said: string) => [
      main.answer('msg_commit', call('c1', 'Bash', { command: 'git commit -am "feat: retry"' })),
      main.result('c1', `[main ${said}] feat: retry\n 1 file changed, 9 insertions(+)`),
    ];
    writes(RETRY, 'notes.txt', 'nothing of this is in the commit', (main) => commit(main, made.slice(0, 7)));
    expect((await get('commit_sessions', { of: made })).commits[0]).toMatchObject({
      session_id: '5e55a001',
      certainty: 'certain',
      reasons: ['it ran the git commit that printed this hash'],
    });
    const again = await get('commit_sessions', { of: 'HEAD' });
    expect(again.commits[0].session_id).toBe('5e55a001');
  });

  test('of a bot have no session, even with the same lines', async () => {
    writes(RETRY, 'src/retry.ts', RETRY_CODE);
    repository.write('src/retry.ts', RETRY_CODE);
    repository.commit(
      'chore: update',
      tick(60),
      'renovate[bot] <29139614+renovate[bot]@users.noreply.github.com>',
    );
    expect((await get('commit_sessions', {})).commits[0]).toMatchObject({ author: 'renovate[bot]' });
    expect((await get('commit_sessions', {})).commits[0].session_id).toBeUndefined();
  });

  test('what a session spent is charged to its commits, and nothing is lost', async () => {
    writes(RETRY, 'src/retry.ts', RETRY_CODE, (main) => [
      main.prompt('and now explain it'),
      main.answer('msg_talk', text('It tries again.'), { input: 5_000, output: 700 }),
    ]);
    repository.write('src/retry.ts', RETRY_CODE);
    repository.commit('feat: retry', tick(60));
    const { commits, not_committed } = await get('commit_sessions', { of: RETRY });
    const { sessions } = app.services;
    const { total } = await sessions.usage.ofSession(await sessions.list.find(RETRY));
    expect(commits[0].tokens).toBeGreaterThan(0);
    expect(not_committed.tokens).toBeGreaterThan(5_000);
    expect(commits[0].tokens + not_committed.tokens).toBe(total);
  });

  test('what failed, was reverted or lost is wasted: of a session, a range and a file, and the sum is the whole', async () => {
    const edit = (main: ReturnType<typeof claude>, id: string, from: string, to: string) => [
      main.answer(
        `msg_${id}`,
        call(id, 'Edit', {
          ...{ file_path: join(repository.root, 'src/retry.ts'), old_string: from, new_string: to },
        }),
      ),
      main.result(id, 'edited'),
    ];
    const kept = 'for (let attempt = 1; ; attempt++) {';
    const tried = 'for (const attempt of endlessAttempts()) {';
    writes(RETRY, 'src/retry.ts', RETRY_CODE, (main) => [
      main.prompt('try something else'),
      ...edit(main, 'try', kept, tried),
      main.prompt('no, take it back'),
      main.answer('msg_fail', call('f1', 'Bash', { command: 'sed -i s/x/y/ nothing' })),
      main.result('f1', 'sed: no such file', { error: true }),
      ...edit(main, 'back', tried, kept),
      main.prompt('write a second file'),
      main.answer(
        'msg_lost',
        call('l1', 'Write', { file_path: join(repository.root, 'notes.md'), content: 'never committed\n' }),
      ),
      main.result('l1', 'created'),
      main.answer('msg_more', text('written')),
    ]);
    repository.write('src/retry.ts', RETRY_CODE);
    repository.write('notes.md', 'something else was committed\n');
    const made = repository.commit('feat: retry', tick(60));
    const { sessions } = app.services;
    const { commits, not_committed, total } = await get('commit_sessions', { of: RETRY });
    const whole = (await sessions.usage.ofSession(await sessions.list.find(RETRY))).total;
    expect(total.tokens).toBe(whole);
    expect(commits[0].tokens + (not_committed?.tokens ?? 0)).toBe(whole);
    const { share, ...parts } = total.wasted;
    expect(Object.keys(parts)).toEqual(['failed', 'reverted', 'lost']);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    const { wasted } = commits[0];
    expect(wasted).toMatchObject({ failed: parts.failed, reverted: parts.reverted });
    expect(not_committed.wasted.lost).toBe(parts.lost);

    repository.write('other.txt', 'somebody else was here\n');
    const after = repository.commit('docs: other', tick(60));
    const range = await get('commit_sessions', { of: `${made}~0..${after}` });
    expect(range.total).toEqual({ tokens: 0, cost: 0 });
    const file = await get('commit_sessions', { of: 'src/retry.ts' });
    expect(file.commits).toHaveLength(1);
    expect(file.total.tokens).toBe(commits[0].tokens);
    const notes = await get('commit_sessions', { of: 'notes.md' });
    expect(notes.total).toMatchObject({ tokens: parts.lost, wasted: { share: 1, lost: parts.lost } });
  });

  test('found later: an edit that is read after the commit was looked at', async () => {
    repository.write('src/retry.ts', RETRY_CODE);
    const made = repository.commit('feat: retry', new Date(Date.parse(tick(60))).toISOString());
    expect((await get('commit_sessions', { of: made })).commits).toEqual([]);
    resetClock();
    writes(RETRY, 'src/retry.ts', RETRY_CODE);
    expect((await get('commit_sessions', { of: made })).commits[0]).toMatchObject({ session_id: '5e55a001' });
  });

  test('what other tools noted is a reason: a session that git-ai names is certain', async () => {
    writes(RETRY, 'notes.txt', 'nothing of this is in the commit');
    repository.write('src/pool.ts', POOL_CODE);
    const made = repository.commit('feat: pool\n\nEntire-Checkpoint: 00c9e2351016', tick(60));
    const note = {
      schema_version: 'authorship/3.0.0',
      prompts: { d4a7828bfdafe456: { agent_id: { tool: 'claude', id: RETRY, model: 'opus' } } },
    };
    repository.git([
      'notes',
      '--ref=ai',
      'add',
      '-m',
      `src/pool.ts\n  d4a7828bfdafe456 1-6\n---\n${JSON.stringify(note)}`,
      made,
    ]);
    expect((await get('commit_sessions', { of: made })).commits[0]).toMatchObject({
      session_id: '5e55a001',
      certainty: 'certain',
      reasons: [
        'git-ai noted claude opus with this session',
        'git-ai noted claude opus',
        'Entire made checkpoint 00c9e2351016',
      ],
    });
  });

  test('have the session that wrote their lines with a shell command', async () => {
    writes(RETRY, 'notes.txt', 'nothing of this is in the commit', (main) => [
      main.answer('msg_cat', call('cat1', 'Bash', { command: `cat > src/pool.ts <<'EOF'\n${POOL_CODE}EOF` })),
      main.result('cat1', ''),
    ]);
    repository.write('src/pool.ts', POOL_CODE);
    const made = repository.commit('feat: pool', tick(60));
    expect((await get('commit_sessions', { of: made })).commits[0]).toMatchObject({
      session_id: '5e55a001',
      certainty: 'likely',
    });
  });

  test('are tables of sql, with the session where the caller may see it', async () => {
    writes(RETRY, 'src/retry.ts', RETRY_CODE);
    repository.write('src/retry.ts', RETRY_CODE);
    const made = repository.commit('feat: retry', tick(60));
    const query = `SELECT c.hash, c.subject, c.session, c.certainty, f.path, f.added, e.turn
      FROM commits c JOIN commit_files f USING (hash) LEFT JOIN edits e ON e.session = c.session AND e.path LIKE '%/' || f.path`;
    const row = [made, 'feat: retry', '5e55a001', 'likely', 'src/retry.ts', 9, 0];
    expect((await get('sql', { query })).rows).toEqual([row]);
    const elsewhere = temporaryFolder();
    const { body } = await ask(app, 'sql', { query }, { roots: [elsewhere], cwd: elsewhere });
    expect(body.data.rows).toEqual([]);
    const limited = { roots: [join(repository.root, 'src')], cwd: repository.root, sessions: 'project' };
    expect((await ask(app, 'sql', { query }, limited as never)).body.data.rows).toEqual([]);
  });

  test('have no session any more once it is forgotten', async () => {
    writes(RETRY, 'src/retry.ts', RETRY_CODE);
    repository.write('src/retry.ts', RETRY_CODE);
    repository.commit('feat: retry', tick(60));
    expect((await get('commit_sessions', {})).commits[0].session_id).toBe('5e55a001');
    const { body } = await ask(app, 'session_forget', { session_id: RETRY }, { door: 'cli' });
    expect(body.data).toMatchObject({ forgotten: [RETRY], logs: [join(logs, `${RETRY}.jsonl`)] });
    expect((await get('commit_sessions', {})).commits[0].session_id).toBeUndefined();
    const [line] = (await get('blame', { path: 'src/retry.ts:4' })).lines;
    expect([line.session_id, line.prompt]).toEqual([undefined, undefined]);
    expect(await get('list_sessions', {})).toMatchObject({ sessions: [] });
    expect((await ask(app, 'session_forget', { session_id: RETRY }, { door: 'mcp' })).body.error.code).toBe(
      'forbidden',
    );
  });

  test('what is neither a session nor a commit is refused', async () => {
    repository.commit('empty', tick());
    expect(await get('commit_sessions', { of: 'no-such-branch' })).toMatchObject({ code: 'not_found' });
    expect(await get('commit_sessions', { of: '--all' })).toMatchObject({ code: 'invalid_parameter' });
    expect(await get('commit_sessions', { path: '/' })).toMatchObject({ code: 'path_not_allowed' });
  });
});

describe('blame', () => {
  test('leads from a line to its commit, prompt, reasoning and diff', async () => {
    writes(RETRY, 'src/retry.ts', RETRY_CODE);
    repository.write('src/retry.ts', RETRY_CODE);
    const made = repository.commit('feat: retry', tick(60));
    const { path, lines: found } = await get('blame', { path: 'src/retry.ts:4' });
    expect(path).toBe('src/retry.ts');
    expect(found).toEqual([
      expect.objectContaining({
        lines: '4',
        text: '      return await work();',
        commit: made.slice(0, 10),
        author: 'Mia',
        subject: 'feat: retry',
        session_id: '5e55a001',
        certainty: 'likely',
        turn_index: 0,
        prompt: 'please write src/retry.ts',
        reasoning: 'A small file is enough for src/retry.ts.',
        diff: expect.stringContaining('+      return await work();'),
      }),
    ]);
  });

  test('Agent Trace is written for commits, and read back for lines', async () => {
    writes(RETRY, 'src/retry.ts', RETRY_CODE);
    repository.write('src/retry.ts', RETRY_CODE);
    const made = repository.commit('feat: retry', tick(60));
    const { records } = await get('commit_trace', { of: made });
    expect(records).toEqual([
      {
        version: expect.stringMatching(/^[0-9]+\.[0-9]+$/),
        id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        vcs: { type: 'git', revision: made },
        tool: { name: 'pinhole', version: expect.any(String) },
        files: [
          {
            path: 'src/retry.ts',
            conversations: [
              {
                url: `pinhole:session:${RETRY}`,
                contributor: { type: 'ai', model_id: expect.stringMatching(/^anthropic\/claude-/) },
                // Lines that anybody might write are nobody's.
                ranges: [
                  { start_line: 1, end_line: 2 },
                  { start_line: 4, end_line: 6 },
                ],
              },
            ],
          },
        ],
        metadata: { session_id: RETRY, certainty: 'likely' },
      },
    ]);
    const [record] = records;
    const other = {
      ...record,
      tool: { name: 'cursor', version: '2.4.0' },
      metadata: { conversation_id: 'c-1' },
    };
    repository.write('.agent-trace/traces.jsonl', `not a record\n${JSON.stringify(other)}\n`);
    const reasons = async (line: number) =>
      (await get('blame', { path: `src/retry.ts:${line}` })).lines[0].reasons;
    const traced = /^Agent Trace has this line as ai anthropic\/claude-\S+ by cursor, session c-1$/;
    expect((await reasons(4)).at(-1)).toMatch(traced);
    expect((await reasons(9)).at(-1)).not.toMatch(traced);
  });

  test('knows lines that are not committed yet, and groups the lines of a file', async () => {
    repository.write('src/retry.ts', RETRY_CODE);
    const made = repository.commit('feat: retry by hand', tick(60));
    tick(30 * 24 * 3600);
    const added = `${RETRY_CODE}export const DEFAULT_ATTEMPTS = 5;\n`;
    writes(POOL, 'src/retry.ts', added);
    repository.write('src/retry.ts', added);
    const { lines: found } = await get('blame', { path: 'src/retry.ts' });
    expect(found).toEqual([
      expect.objectContaining({ lines: '1-9', commit: made.slice(0, 10) }),
      expect.objectContaining({ lines: '10', session_id: '5e55a002', certainty: 'uncertain' }),
    ]);
    expect(found[1].commit).toBeUndefined();
    expect(await get('blame', { path: 'src/retry.ts:99' })).toMatchObject({ code: 'not_found' });
    expect(await get('blame', { path: 'missing.ts' })).toMatchObject({ code: 'not_found' });
  });
});

test('sql has commits that git printed in a session and that no repository here has', async () => {
  repository.write('src/retry.ts', RETRY_CODE);
  const made = repository.commit('feat: retry', tick(60));
  writes(POOL, 'src/pool.ts', POOL_CODE, (main) => [
    main.answer('msg_c1', call('c1', 'Bash', { command: 'git commit -m "feat: retry"' })),
    main.result('c1', `[main ${made.slice(0, 7)}] feat: retry\n 1 file changed`),
    main.answer('msg_c2', call('c2', 'Bash', { command: 'cd ../gone && git rebase --continue' })),
    main.result('c2', '[detached HEAD e1a0f76] Add stanzas\nSuccessfully rebased and updated refs/heads/x.'),
    main.answer('msg_c3', call('c3', 'Bash', { command: 'cat notes' })),
    main.result('c3', '[main 0123456] no commit'),
  ]);
  const query = 'SELECT hash, subject, session, certainty, author FROM commits ORDER BY at';
  const { rows } = await get('sql', { query });
  expect(rows).toEqual([
    [made, 'feat: retry', '5e55a002', 'certain', expect.any(String)],
    ['e1a0f76', 'Add stanzas', '5e55a002', 'certain', null],
  ]);
});
