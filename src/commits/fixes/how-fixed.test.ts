import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call, claude, lines, resetClock, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { temporaryRepository } from '../../../test/git.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

const ID = '5e55a001-0000-4000-8000-000000000001';
const OUTPUT = '# shop\n./cart.go:12:4: undefined: parseCartFlags\nFAIL\tshop [build failed]';
const FIX = 'func parseCartFlags(args []string) Flags { return Flags{args} }\n';

let app: OpenApp;
let repository: Awaited<ReturnType<typeof temporaryRepository>>;

beforeEach(async () => {
  resetClock();
  repository = await temporaryRepository();
  const home = temporaryFolder();
  const main = claude({ id: ID, cwd: repository.root });
  const run = (name: string, command: string, output: string, failed: boolean) => [
    main.answer(`msg_${name}`, call(name, 'Bash', { command })),
    main.result(name, output, failed ? { error: true } : {}),
  ];
  writeLog(
    join(home, '.claude/projects/p', `${ID}.jsonl`),
    lines([
      main.prompt('add flags'),
      ...run('b1', 'go test ./...', OUTPUT, true),
      main.answer(
        'msg_w',
        call('w1', 'Write', { file_path: join(repository.root, 'flags.go'), content: FIX }),
      ),
      main.result('w1', 'created'),
      ...run('b2', 'go test ./...', 'ok  shop 0.1s', false),
      ...run('b3', 'terraform apply', 'Error: state lock held by build-7', true),
    ]),
  );
  app = await temporaryApp({ env: { HOME: home } });
  await app.services.sessions.reading.refresh();
});
afterEach(() => app.close());

const asked = async (error: string, format: 'json' | 'text' = 'json') => {
  const who = { roots: [repository.root], cwd: repository.root, budget: 8_000, format };
  const { body, answer } = await ask(app, 'how_fixed', { error }, who);
  return format === 'json' ? body.data : answer.rendered.text;
};

test('the edits until the command passed, and whether they are still in the tree', async () => {
  repository.write('flags.go', `package shop\n\n${FIX}`);
  const { fixes } = await asked('./other.go:99:1: undefined: parseCartFlags');
  expect(fixes).toEqual([
    expect.objectContaining({
      session_id: '5e55a001',
      likeness: 'same',
      command: 'go test ./...',
      edits: [
        {
          path: 'flags.go',
          event_index: expect.any(Number),
          diff: expect.stringContaining('+func parseCartFlags'),
          still_there: 'yes',
        },
      ],
    }),
  ]);
  expect(fixes[0].passed_event).toBeGreaterThan(fixes[0].edits[0].event_index);
  repository.write('flags.go', 'package shop\n');
  expect((await asked(OUTPUT)).fixes[0].edits[0].still_there).toBe('no');
});

test('what was never seen, or never fixed, has no answer', async () => {
  expect((await asked('ImportError: cannot import name widget')).fixes).toEqual([]);
  expect(await asked('ImportError: cannot import name widget', 'text')).toMatch(/^Never seen: ImportError/);
  const text = await asked('Error: state lock held by build-9', 'text');
  expect(text).toMatch(/^Seen 1 time .*but the command never passed/);
});
