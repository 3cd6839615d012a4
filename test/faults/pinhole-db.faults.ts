import { readdirSync, readFileSync, realpathSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { logFile } from '../../src/connect/background-log.ts';
import { claude, lines, writeLog } from '../fixtures/sessions/logs.ts';
import { type ProcessHome, processHome } from '../processes.ts';
import { counted } from '../reliability/counted.ts';
import { temporaryFolder } from '../support.ts';
import { createVictim } from './victim.ts';

/* pinhole.db is damaged while Pinhole does not run: it says so, and everything else continues. */

const victims: ReturnType<typeof createVictim>[] = [];
afterEach(() => Promise.all(victims.splice(0).map((victim) => victim.kill())));

const DAMAGE: Readonly<Record<string, (file: string) => void>> = {
  'cut in half': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'cut to 100 bytes': (file) => truncateSync(file, 100),
  empty: (file) => truncateSync(file, 0),
  'another file': (file) => writeFileSync(file, 'this is not a database\n'.repeat(500)),
  'a damaged head': (file) => overwrite(file, 0, 100),
  'a damaged page': (file) => overwrite(file, 4096, 4096),
  'random bytes all over': (file) => {
    for (let at = 0; at < statSync(file).size; at += 1024) overwrite(file, at, 64);
  },
};

function overwrite(file: string, at: number, length: number): void {
  const bytes = readFileSync(file);
  for (let n = at; n < Math.min(bytes.length, at + length); n++) bytes[n] = (n * 131 + 7) % 256;
  writeFileSync(file, bytes);
}

async function seeded(place: ProcessHome) {
  const root = realpathSync(temporaryFolder());
  writeFileSync(join(root, 'a.ts'), 'export const needle = 1;\n');
  const id = 'aaaaaaaa-1111-4111-8111-111111111111';
  writeLog(
    join(place.home, '.claude/projects/p', `${id}.jsonl`),
    lines([claude({ id, cwd: root }).prompt('the needle in a session')]),
  );
  const victim = createVictim(place, root);
  victims.push(victim);
  await victim.start();
  expect((await victim.run('allow', { path: root }))?.ok).toBe(true);
  return { root, victim };
}

const names = (place: ProcessHome) => readdirSync(place.home).filter((name) => name.startsWith('pinhole.db'));

test('a damaged database is set aside, a copy takes its place, and searches go on', async ({ task }) => {
  let held = 0;
  for (const [name, damage] of Object.entries(DAMAGE)) {
    const place = processHome();
    const { root, victim } = await seeded(place);
    // A good end makes a copy.
    await victim.stop();
    expect(names(place), name).toContain('pinhole.db.backup-1');
    damage(join(place.home, 'pinhole.db'));
    await victim.start();
    const code = await victim.run('regex_search', { pattern: 'needle', path: root, output: 'count' });
    expect(code?.ok, name).toBe(true);
    const sessions = await victim.run('search_event_previews', { query: 'needle' });
    expect(sessions?.envelope?.data.matches, name).toHaveLength(1);
    const allowed = await victim.run('allow', {});
    expect(JSON.stringify(allowed?.envelope), name).toContain(root);
    const log = readFileSync(logFile(place.home), 'utf8');
    expect(log, name).toMatch(/pinhole\.db was damaged and is now .*pinhole\.db\.damaged-.* took its place/);
    await victim.kill();
    held++;
    counted(task, Object.keys(DAMAGE).length, held);
  }
});

test('without a good copy Pinhole starts empty, keeps the damaged file and says so', async () => {
  const place = processHome();
  const { root, victim } = await seeded(place);
  await victim.stop();
  for (const name of names(place)) overwrite(join(place.home, name), 0, 5000);
  await victim.start();
  expect((await victim.run('regex_search', { pattern: 'needle', path: root }))?.ok).toBe(true);
  expect(names(place).some((name) => name.includes('.damaged-'))).toBe(true);
  expect(readFileSync(logFile(place.home), 'utf8')).toContain(
    'There was no good copy, so allowed folders, selections and queries are gone.',
  );
});

test('a damaged write-ahead log after a kill loses at most the last writes', async ({ task }) => {
  let held = 0;
  const rounds = 5;
  for (let round = 0; round < rounds; round++) {
    const place = processHome();
    const { root, victim } = await seeded(place);
    for (let n = 0; n < 30; n++)
      await victim.run('query_run', { filter: { ext: 'ts' }, root, save_as: `query ${n}` });
    await victim.kill();
    const wal = join(place.home, 'pinhole.db-wal');
    const size = statSync(wal, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0) overwrite(wal, Math.floor((size * (round + 1)) / (rounds + 1)), 1);
    await victim.start();
    expect(JSON.stringify((await victim.run('allow', {}))?.envelope)).toContain(root);
    const list = await victim.run('query_list', { limit: 50 });
    expect(JSON.stringify(list?.envelope).match(/"query \d+"/g)?.length).toBeGreaterThanOrEqual(20);
    held++;
    counted(task, rounds, held);
  }
});
