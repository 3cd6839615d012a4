import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { pick, seeded } from './random.ts';

/** Agents at work: `EDITOR` and `RIVAL` change the same file, `LOOPER` repeats itself, `WAITING` runs a long command. */
export const EDITOR = 'c0c00001-0000-4000-8000-000000000001';
export const RIVAL = 'c0c00002-0000-4000-8000-000000000002';
export const LOOPER = 'c0c00003-0000-4000-8000-000000000003';
export const WAITING = 'c0c00004-0000-4000-8000-000000000004';

type Record_ = Readonly<Record<string, unknown>>;

const FILES = ['src/tile.ts', 'src/cache.ts', 'src/cursor.ts', 'src/legend.ts', 'src/retry.ts', 'README.md'];

export interface RunningAgents {
  /** The editor changes a file now. */
  edit(file: string): void;
  /** The rival changes a file now. */
  rivalEdits(file: string): void;
  /** The looper runs its test once more. */
  loop(): void;
}

/** Sessions that were written to in the last minutes, and ways to let them continue. */
export function makeRunningAgents(home: string, project: string, minutes = 13): RunningAgents {
  const random = seeded(5);
  const now = Date.now();
  let count = 0;
  const begin = (id: string, prompt: string, context: number) => {
    const log = claude({ id, cwd: project });
    const path = join(home, 'claude', 'projects', project.replaceAll('/', '-'), `${id}.jsonl`);
    let full = context;
    const made = (name: string, input: unknown, output: string | undefined, failed = false): Record_[] => {
      const key = `run_${++count}`;
      full += Math.floor(random() * 1_800);
      const usage = { input: 5, output: 150 + Math.floor(random() * 700), cacheRead: full, cacheWrite: 900 };
      return [
        log.answer(`msg_${key}`, call(key, name, input), usage, { stop_reason: 'tool_use' }),
        ...(output === undefined ? [] : [log.result(key, output, failed ? { error: true } : {})]),
      ];
    };
    const edited = (file: string) => {
      const file_path = join(project, file);
      return made(
        'Edit',
        {
          file_path,
          old_string: '  return store.get(id);',
          new_string: `  // ${count}\n  return store.get(id);`,
        },
        `The file ${file_path} has been updated.`,
      );
    };
    const write = (records: readonly Record_[], from: number, to: number) =>
      writeLog(
        path,
        lines(
          [log.prompt(prompt), ...records].map((record, i, all) => ({
            ...record,
            timestamp: new Date(from + ((to - from) * i) / Math.max(1, all.length - 1)).toISOString(),
          })),
        ),
      );
    const add = (records: readonly Record_[]) =>
      appendFileSync(
        path,
        lines(records.map((record) => ({ ...record, timestamp: new Date().toISOString() }))),
      );
    return { made, edited, write, add, said: (words: string) => log.answer(`msg_${++count}`, text(words)) };
  };
  const start = now - minutes * 60_000;

  const editor = begin(EDITOR, 'load each tile once, also when the map is panned quickly', 61_000);
  const work = Array.from({ length: 34 }, () =>
    random() < 0.45
      ? editor.edited(pick(random, FILES))
      : random() < 0.6
        ? editor.made('Read', { file_path: join(project, pick(random, FILES)) }, 'text')
        : editor.made('Bash', { command: 'npm run check' }, 'ok'),
  );
  editor.write(work.flat(), start, now - 4_000);

  const rival = begin(RIVAL, 'add a legend for station types', 118_000);
  const legend = [
    rival.made('Grep', { pattern: 'legend', path: 'src' }, 'src/legend.ts:1'),
    ...Array.from({ length: 14 }, () =>
      rival.made('Read', { file_path: join(project, pick(random, FILES)) }, 'text'),
    ),
    rival.edited('src/legend.ts'),
    rival.edited('src/tile.ts'),
    rival.edited('src/legend.ts'),
  ];
  rival.write(legend.flat(), now - 8 * 60_000, now - 9_000);

  const looper = begin(LOOPER, 'make the nightly export pass again', 171_000);
  const failing = () =>
    looper.made(
      'Bash',
      { command: 'npm test -- export' },
      'FAIL src/export.test.ts: expected 24 rows, got 23',
      true,
    );
  looper.write(
    [looper.edited('src/retry.ts'), ...Array.from({ length: 7 }, failing)].flat(),
    now - 6 * 60_000,
    now - 15_000,
  );

  const waiting = begin(WAITING, 'upgrade the tile server and check that old clients still work', 23_000);
  waiting.write(
    [
      waiting.made('Bash', { command: 'git log -5' }, 'ok'),
      waiting.made('Read', { file_path: join(project, 'package.json') }, '{}'),
      waiting.made('Bash', { command: 'npm run build' }, undefined),
    ].flat(),
    now - 4 * 60_000,
    now - 95_000,
  );

  return {
    edit: (file) => editor.add(editor.edited(file)),
    rivalEdits: (file) => rival.add(rival.edited(file)),
    loop: () => looper.add(failing()),
  };
}
