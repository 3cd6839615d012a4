import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const house = await temporaryApp();
const root = realpathSync(temporaryFolder());
const KB = 1024;
const put = (path: string, bytes: number) => writeFileSync(join(root, path), Buffer.alloc(bytes, 97));
mkdirSync(join(root, 'films/old'), { recursive: true });
mkdirSync(join(root, 'many'));
put('films/a.mp4', 400 * KB);
put('films/old/b.mp4', 800 * KB);
put('films/notes.txt', 40 * KB);
for (let i = 0; i < 10_000; i++) put(`many/part-${i}.bin`, 1);
const { job_id } = (await ask(house, 'index', { root }, { roots: [root] })).body.data;
const index_id = await new Promise<string>((resolve) => {
  const look = (
    job: { status: string; report: Readonly<Record<string, unknown>> | undefined } | undefined,
  ) => {
    if (job?.status === 'done') resolve(String(job.report?.index_id));
  };
  house.services.jobs.watch(job_id, look);
  void house.services.jobs.get(job_id).then(look);
});

interface Cut {
  readonly ids: string[];
  readonly names: string[];
  readonly parents: number[];
  readonly sizes: number[];
  readonly kinds: number[];
  readonly times: number[];
  readonly extensions: string[];
}
const cut = async (input: Readonly<Record<string, unknown>>): Promise<Cut> =>
  (await ask(house, 'disk_treemap', { index_id, ...input }, { roots: [root], budget: 1_000_000 })).body.data;

/** Each folder is as large as what lies in it, the rest included; unfiltered, it also takes some room itself. */
function addsUp({ sizes, parents, kinds }: Cut, ownRoom: number): void {
  const sums = sizes.map(() => 0);
  for (const [at, parent] of parents.entries())
    if (at > 0) sums[parent] = (sums[parent] ?? 0) + (sizes[at] ?? 0);
  for (const [at, kind] of kinds.entries()) {
    const own = (sizes[at] ?? 0) - (sums[at] ?? 0);
    if (kind === -1 && sums[at] !== 0) expect(own >= 0 && own <= ownRoom).toBe(true);
  }
}

test('the largest come first, children lie together, and what is too small is one rest', async () => {
  const shown = await cut({});
  addsUp(shown, 1024 * KB);
  expect(shown.ids.length).toBeLessThanOrEqual(9_000);
  const at = (name: string) => shown.names.indexOf(name);
  expect(shown.parents[at('films')]).toBe(0);
  expect(shown.parents[at('b.mp4')]).toBe(at('old'));
  expect(shown.sizes[at('b.mp4')]).toBe(800 * KB);
  expect(shown.kinds[at('films')]).toBe(-1);
  expect(shown.extensions[shown.kinds[at('b.mp4')] ?? -1]).toBe('mp4');
  const rest = shown.kinds.findIndex((kind, i) => kind <= -2 && shown.parents[i] === at('many'));
  expect(shown.ids[rest]).toBe('');
  expect(shown.extensions[-3 - (shown.kinds[rest] ?? 0)]).toBe('bin');
  const named = shown.parents.filter(
    (parent, i) => parent === at('many') && (shown.kinds[i] ?? 0) > -2,
  ).length;
  expect(named + (shown.times[rest] ?? 0)).toBe(10_000);
});

test('a filter reshapes all sizes; below a folder only that is cut', async () => {
  const films = await cut({ filter: { ext: 'mp4' } });
  addsUp(films, 0);
  expect(films.sizes[0]).toBe(1_200 * KB);
  expect(films.names.slice(1).sort()).toEqual(['a.mp4', 'b.mp4', 'films', 'old']);
  const old = await cut({ under: join(root, 'films/old') });
  expect(old.names).toEqual(['old', 'b.mp4']);
  const nothing = await cut({ filter: { ext: 'nope' } });
  expect(nothing.sizes).toEqual([0]);
});
