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
      main.answer('msg_e', call('e1', 'Edit', { file_path: '/shop/a.go', old_string: 'a', new_string: 'b' })),
      main.result('e1', '<tool_use_error>File has not been read yet. Read it first.</tool_use_error>', {
        error: true,
      }),
      main.answer(
        'msg_e2',
        call('e2', 'Edit', { file_path: '/shop/a.go', old_string: 'a', new_string: 'b' }),
      ),
      main.result('e2', 'The file /shop/a.go has been updated.'),
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

test('a message without its place, or a part of it, is the error that it is printed with', async () => {
  const whole = await asked('./other.go:99:1: undefined: parseCartFlags');
  const bare = await asked('undefined: parseCartFlags');
  expect(bare).toMatchObject({ seen: 1, class: whole.class });
  expect(bare.fixes).toEqual(whole.fixes);
  const edit = await asked('file has not been read yet');
  expect(edit.seen).toBe(1);
  expect(edit.fixes).toEqual([expect.objectContaining({ likeness: 'same', edits: [] })]);
  // Not a part of a word, nor a word alone.
  expect(await asked('not been rea', 'text')).toMatch(/^Not matched as an error/);
  expect((await asked('undefined')).fixes).toEqual([]);
});

test('a text that is no error is not called never seen where sessions have it', async () => {
  const { seen, fixes, occurs } = await asked('add flags');
  expect({ seen, fixes, occurs }).toEqual({ seen: 0, fixes: [], occurs: 1 });
  const text = await asked('add flags', 'text');
  expect(text).toMatch(/^Not matched as an error; it occurs in 1 session\.\nnext: .*add flags/);
  expect(await asked('cannot open the moon', 'text')).toBe('Never seen: cannot open the moon');
  expect(await asked('  \n ', 'text')).toMatch(/^Never seen/);
});

test('an error that names no test, message or rule gets no answer but a request for more of it', async () => {
  const { seen, fixes, vague } = await asked('FAIL\tshop [build failed]');
  expect({ fixes, vague }).toEqual({ fixes: [], vague: seen > 0 ? true : undefined });
  expect((await asked('FAIL')).fixes).toEqual([]);
});
