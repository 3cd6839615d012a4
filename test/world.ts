import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawInput } from '../src/contract/input.ts';
import { call, claude, codex, lines, text, thinking, writeLog } from './fixtures/sessions/logs.ts';
import { temporaryRepository } from './git.ts';
import { ask, temporaryApp, temporaryFolder } from './support.ts';

/** Made up, but shaped like a real one; planted everywhere in the world, and must not be in any answer. */
export const SECRET = `ghp_${'A1b2C3d4E5f6'.repeat(3)}`;

const SESSION = 'aaaaaaaa-1111-4111-8111-111111111111';
const SUBAGENT = 'bbbbbbbb-2222-4222-8222-222222222222';
const CODEX = '01a1dcbe-3333-7333-8333-333333333333';

/** A folder of a few hundred source files: long and odd names, duplicates, old files, a secret. */
async function sources(): Promise<string> {
  const root = await realpath(temporaryFolder());
  const write = (path: string, content: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (let i = 0; i < 120; i++) {
    write(`folder ${i % 7}/file "${'n'.repeat(i % 60)}" ${i}.txt`, 'x'.repeat(i * 10));
    write(`${'ü'.repeat(i % 90)}${i}`, `line ${i}\n`.repeat(i));
    write(`src/module-${i}.ts`, `/** Retries request ${i}. */\nexport function retryRequest${i}() {}\n`);
  }
  for (let i = 0; i < 6; i++) write(`copies/${i}/same.bin`, 'the same content\n'.repeat(500));
  write(`names/${SECRET}.txt`, 'named after a secret\n');
  write('src/config.ts', `export const token = '${SECRET}';\n`);
  return root;
}

/** Logs of two agents in a home folder: an edit, failures, reasoning, a subagent, long outputs, a secret. */
function logs(home: string, root: string): void {
  const edited = join(root, 'src/module-1.ts');
  const main = claude({ id: SESSION, cwd: root });
  const helper = claude({ id: SUBAGENT, cwd: root, extra: { isSidechain: true } });
  const failing = [0, 1, 2, 3].flatMap((n) => [
    main.answer(`msg_loop_00000000000${n}`, call(`l${n}`, 'Bash', { command: `npm test # ${SECRET}` })),
    main.result(`l${n}`, `Exit code 1\nError: no access with ${SECRET}`, { error: true }),
  ]);
  writeLog(
    join(home, '.claude/projects/p', `${SESSION}.jsonl`),
    lines([
      main.prompt(`please retry the request, the token is ${SECRET}`),
      main.answer('msg_0000000000000001', thinking('I look at the module first.')),
      main.answer('msg_0000000000000001', call('t1', 'Read', { file_path: edited })),
      main.result('t1', `${'line of code 文\n'.repeat(3000)}the last line`),
      main.answer(
        'msg_0000000000000002',
        call('t2', 'Edit', { file_path: edited, old_string: 'old', new_string: 'new' }),
      ),
      main.result('t2', 'updated', {
        beside: {
          filePath: edited,
          structuredPatch: [{ oldStart: 3, oldLines: 1, newStart: 3, newLines: 1, lines: ['-old', '+new'] }],
        },
      }),
      main.answer('msg_0000000000000003', text('Done.')),
      main.prompt('now test it'),
      ...failing,
      main.answer('msg_0000000000000004', text('It still fails.')),
    ]),
  );
  writeLog(
    join(home, '.claude/projects/p', SESSION, 'subagents', `agent-${SUBAGENT}.jsonl`),
    lines([helper.prompt('look around'), helper.answer('msg_0000000000000009', text('Nothing here.'))]),
  );
  writeLog(
    join(home, `.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-${CODEX}.jsonl`),
    lines([codex.meta(CODEX), codex.user('patch it'), codex.said('Patched.')]),
  );
}

/** A repository whose commits have long subjects, one of them with a secret. */
async function history(): Promise<string> {
  const { root, write, commit } = await temporaryRepository();
  for (let i = 0; i < 60; i++) {
    write(`file-${i % 5}.txt`, `line ${i} of a file that changes often\n`.repeat(i + 1));
    commit(
      `change ${i}: ${'a long subject '.repeat(i % 9)}${i === 7 ? SECRET : ''}`,
      `2026-03-01T${10 + (i % 12)}:00:00Z`,
    );
  }
  return root;
}

/** A running Pinhole with data for every operation. */
export async function openWorld() {
  const home = temporaryFolder();
  const root = await sources();
  logs(home, root);
  const app = await temporaryApp({ env: { HOME: home } });
  const me = { roots: [root], cwd: root, budget: 100_000, door: 'cli' } as const;
  const get = async (operation: string, input: RawInput) => {
    const { answer, body } = await ask(app, operation, input, { ...me, id: operation });
    if (!answer.ok) throw new Error(`${operation}: ${answer.error.message}`);
    return body.data;
  };
  const index = async (what: string, more: RawInput = {}) => {
    const { job_id } = await get('index', { root, what, ...more });
    const ended = (status: string | undefined) => status !== 'queued' && status !== 'running';
    await new Promise<void>((resolve) => {
      const stop = app.services.jobs.watch(job_id, ({ status }) => {
        if (!ended(status)) return;
        stop();
        resolve();
      });
      void app.services.jobs.get(job_id).then((job) => ended(job?.status) && resolve());
    });
  };
  await index('disk');
  writeFileSync(join(root, 'grown.bin'), 'y'.repeat(300_000));
  await index('disk', { full: true });
  await index('code');
  await index('sessions');
  await app.services.allowed.add(root);
  const repository = await history();
  await app.services.allowed.add(repository);
  const [{ node_id }] = (await get('cd', { path: join(root, 'copies') })).entries;
  const { shell, index_id } = await get('cd', { path: root });
  const { query_id } = await get('query_run', { filter: { ext: 'txt' }, index_id, save_as: 'texts' });
  const { selection_id } = await get('resource_set_create', {
    name: 'copies',
    index_id,
    node_ids: [node_id],
  });
  const { plan_id } = await get('disk_plan_create', { selection_id });
  const file = join(root, 'elsewhere.json');
  const scan = [{ name: '/elsewhere' }, { name: 'big.iso', asize: 9_000, dsize: 12_288 }];
  writeFileSync(file, JSON.stringify([1, 2, { progname: 'ncdu', progver: '2.3', timestamp: 1 }, scan]));
  const imported = await get('disk_import', { file });
  return { app, root, node_id, shell, index_id, query_id, selection_id, plan_id, file, imported, repository };
}

export { CODEX, SESSION };
