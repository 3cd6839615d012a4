import { realpath } from 'node:fs/promises';
import { ask } from '../contract/ask.ts';
import type { Engine } from '../contract/engine.ts';
import { countOf } from '../contract/format.ts';
import type { Background } from '../daemon/background.ts';
import { indexFolder } from '../jobs/operations/index-folder.ts';
import { cliCaller } from './cli-engine.ts';
import { followJob } from './follow-job.ts';

/** Builds the indexes of a folder, with progress. */
export async function indexWithProgress({ app, during }: Background, folder: string): Promise<void> {
  const root = await realpath(folder);
  await during(async (stopping) => {
    for (const what of ['disk', 'code'] as const)
      if (!stopping.aborted) await buildIndex(app.engine, root, what, stopping);
  });
}

async function buildIndex(
  engine: Engine,
  root: string,
  what: 'disk' | 'code',
  stopping: AbortSignal,
): Promise<void> {
  const { job_id } = await ask(engine, indexFolder, { root, what }, cliCaller('json'));
  const started = Date.now();
  const card = await followJob(engine, job_id, `indexing ${what}`, stopping);
  if (card === undefined) {
    process.stdout.write(`${what} index of ${root}: stopped; it goes on when Pinhole next runs\n`);
    return;
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  const files = typeof card.report?.files === 'number' ? `, ${countOf(card.report.files, 'file')}` : '';
  process.stdout.write(`${what} index of ${root}: ${card.error ?? card.status}${files} (${seconds} s)\n`);
}
