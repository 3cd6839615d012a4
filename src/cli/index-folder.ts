import { realpath } from 'node:fs/promises';
import { ask } from '../contract/ask.ts';
import type { Engine } from '../contract/engine.ts';
import { countOf } from '../contract/format.ts';
import type { Owner } from '../daemon/owner.ts';
import { indexFolder as startIndex } from '../jobs/operations/index-folder.ts';
import { cliCaller } from './engine.ts';
import { followJob } from './progress.ts';

/** Makes the folder readable for callers and builds its indexes, with progress. */
export async function indexFolder({ house }: Owner, folder: string): Promise<void> {
  const root = await realpath(folder);
  await house.services.allowed.add(root);
  for (const what of ['disk', 'code'] as const) await buildIndex(house.engine, root, what);
}

async function buildIndex(engine: Engine, root: string, what: 'disk' | 'code'): Promise<void> {
  const { job_id } = await ask(engine, startIndex, { root, what }, cliCaller('json'));
  const started = Date.now();
  const card = await followJob(engine, job_id, `indexing ${what}`);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const files = typeof card.report?.files === 'number' ? `, ${countOf(card.report.files, 'file')}` : '';
  process.stdout.write(`${what} index of ${root}: ${card.error ?? card.status}${files} (${seconds} s)\n`);
}
