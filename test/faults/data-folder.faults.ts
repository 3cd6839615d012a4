import { readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { openDesk } from '../fixtures/sessions/harness.ts';
import { claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { processHome } from '../processes.ts';
import { counted, countOne, tries } from '../reliability/counted.ts';
import { ask, temporaryApp, temporaryFolder } from '../support.ts';
import { createVictim } from './victim.ts';

/* Damage to what can be built again, logs that change while they are read, and clocks that jump. */

const DAMAGE: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'a flipped bit': (bytes) => {
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return bytes;
  },
  'cut in half': (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)),
  empty: () => Buffer.alloc(0),
  'other bytes': (bytes) => Buffer.alloc(bytes.length, 'nonsense'),
};

const place = processHome();
const root = realpathSync(temporaryFolder());
const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const victim = createVictim(place, root);
afterAll(() => victim.kill());

/** The files of the data folder but those of pinhole.db, which have tests of their own, and what a client left there. */
function files(): string[] {
  return readdirSync(place.home, { recursive: true })
    .map(String)
    .filter((name) => !/^pinhole\.db|^\.claude|\.(?:sock|lock)$|-shm$/.test(name))
    .filter((name) => statSync(join(place.home, name)).isFile());
}

async function answers(): Promise<void> {
  const code = await victim.run('regex_search', { pattern: 'needle', path: root, output: 'count' });
  expect(code?.envelope?.data.count.hits).toBe(60);
  await expect
    .poll(
      async () =>
        (await victim.run('search_event_previews', { query: 'needle' }))?.envelope?.data.matches.length,
      {
        timeout: 20_000,
      },
    )
    .toBe(1);
  expect((await victim.run('cd', { path: root }))?.ok).toBe(true);
  expect((await victim.run('disk_largest', { under: root }))?.error?.code).not.toBe('internal_error');
  const found = await victim.run('hybrid_search', { query: 'needle', path: root });
  expect(found?.ok).toBe(true);
}

test('a damaged file of an index costs no answer', { timeout: 600_000 }, async ({ task }) => {
  for (let n = 0; n < 60; n++) writeFileSync(join(root, `f${n}.ts`), `export const needle${n} = ${n};\n`);
  const log = claude({ id: ID, cwd: root });
  writeLog(
    join(place.home, '.claude/projects/p', `${ID}.jsonl`),
    lines([log.prompt('the needle'), log.answer('m1', text('yes'))]),
  );
  await victim.start();
  await victim.run('sessions_archive', { keep: 'on' });
  for (const what of ['code', 'disk', 'sessions'])
    await victim.run('index', { root, what, wait_seconds: 25 });
  await answers();
  await victim.stop();
  const names = files();
  expect(names.length).toBeGreaterThan(6);
  for (const name of names)
    for (const [kind, damage] of Object.entries(DAMAGE)) {
      const path = join(place.home, name);
      let bytes: Buffer;
      try {
        bytes = readFileSync(path);
      } catch {
        // Created under another name, because the earlier one was damaged.
        continue;
      }
      writeFileSync(path, damage(bytes));
      await victim.start();
      await answers();
      await victim.stop();
      countOne(task, kind, true);
    }
});

test('logs that are cut, rewritten and deleted while they are read', { timeout: 120_000 }, async ({
  task,
}) => {
  const desk = await openDesk();
  const rounds = tries('PINHOLE_FUZZ', 150) * 4;
  const log = claude({ id: ID, cwd: '/srv/app' });
  const whole = lines([
    log.prompt('the needle'),
    ...Array.from({ length: 20 }, (_, n) => log.answer(`m${n}`, text(`record ${n}`))),
  ]);
  const path = join(desk.folders.claude, 'p', `${ID}.jsonl`);
  try {
    for (let n = 0; n < rounds; n++) {
      writeLog(path, n % 7 === 6 ? '' : whole.slice(0, (n * 7919) % whole.length));
      const reading = desk.sessions.reading.refresh();
      const answer = await desk.ask('search_event_previews', { query: 'record' });
      expect(answer.error?.code).not.toBe('internal_error');
      await reading;
    }
    writeLog(path, whole);
    await desk.sessions.reading.refresh();
    const { data } = await desk.ask('search_event_previews', { query: 'record', limit: 50 });
    expect(data.matches).toHaveLength(20);
  } finally {
    await desk.close();
  }
  counted(task, rounds, rounds);
});

test('a clock that jumps by an hour, days and years', { timeout: 120_000 }, async ({ task }) => {
  const app = await temporaryApp();
  const folder = realpathSync(temporaryFolder());
  writeFileSync(join(folder, 'a.ts'), 'export const needle = 1;\n');
  const who = { roots: [folder], cwd: folder, id: 'one agent', door: 'cli' } as const;
  const hour = 3_600_000;
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const jumps = [0, -1, 1, -240, 240, -87_600, 87_600, 0].map((hours) => hours * hour);
    for (const jump of jumps) {
      vi.setSystemTime(start + jump);
      for (const [operation, input] of [
        ['regex_search', { pattern: 'needle' }],
        ['cd', { path: folder }],
        ['index', { root: folder, wait_seconds: 5 }],
        ['disk_growth', { under: folder }],
        ['list_sessions', {}],
        ['hybrid_search', { query: 'needle' }],
        ['sql', { query: 'select count(*) from sessions' }],
      ] as const) {
        const { answer } = await ask(app, operation, input, who);
        expect(
          answer.ok || answer.error.code === 'index_not_found',
          `${operation} ${jump} ${answer.rendered.text}`,
        ).toBe(true);
      }
    }
    counted(task, jumps.length * 7, jumps.length * 7);
  } finally {
    vi.useRealTimers();
  }
});
