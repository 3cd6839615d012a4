// Memory over rounds of edits and calls: a short soak. Fails if memory grows after the first third.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edit, freePort, makeTree, memory, record, routesOf, start } from './soak-process.mjs';

const CALLS = 12;
const SAMPLE = 50;
const SHOW = 500;
/** How much the medians of two thirds may differ by chance. */
const MAX_GROWTH = 0.08;

export async function run({ rounds = Number(process.env.PINHOLE_ROUNDS ?? 3000) } = {}) {
  const base = mkdtempSync(join(tmpdir(), 'pinhole-growth-'));
  const place = { tree: makeTree(join(base, 'tree')), home: join(base, 'home'), port: await freePort() };
  const env = { ...process.env, HOME: base, PINHOLE_HOME: place.home, PINHOLE_PORT: String(place.port) };
  const { child, pid } = await start({ ...place, env });
  const samples = [];
  for (let n = 1; n <= rounds; n++) {
    edit(place.tree, n);
    if (n % 40 === 0) await index(place, n % 80 === 0 ? 'disk' : 'code');
    await Promise.all(
      Array.from({ length: CALLS }, (_, i) => ask(place, routesOf(place.tree, n * CALLS + i)[i % 6][1])),
    );
    if (n % SAMPLE === 0) samples.push(memory(pid));
    if (n % SHOW === 0) console.log(`${n} rounds, ${n * CALLS} calls: ${mb(memory(pid))}`);
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
  rmSync(base, { recursive: true, force: true });
  const third = Math.floor(samples.length / 3);
  const [before, after] = [median(samples.slice(third, 2 * third)), median(samples.slice(2 * third))];
  const grew = after / before - 1;
  console.log(`Median of the second and the last third: ${mb(before)} and ${mb(after)}.`);
  if (grew > MAX_GROWTH) throw new Error(`Memory grew by ${(grew * 100).toFixed(1)} %.`);
}

async function ask({ home, port }, path, init = {}) {
  const headers = { authorization: `Bearer ${record(home)?.token}`, 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
}

const index = (place, what) =>
  ask(place, '/api/indexes', { method: 'POST', body: JSON.stringify({ root: place.tree, what }) });
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const mb = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
