import { ask } from '../contract/ask.ts';
import type { Answer, Engine } from '../contract/engine.ts';
import type { RawInput } from '../contract/input.ts';
import { indexFolder } from '../jobs/operations/index-folder.ts';
import { cliCaller } from './engine.ts';
import { followJob } from './progress.ts';

/** Scans the folder a person means, with progress, where a command asks for an index that is not there yet. */
export async function indexFirst(
  engine: Engine,
  input: RawInput,
  again: () => Promise<Answer>,
): Promise<Answer> {
  const first = await again();
  if (first.ok || first.error.code !== 'index_not_found' || input.index_id !== undefined) return first;
  const root = typeof input.under === 'string' ? input.under : '.';
  const { job_id } = await ask(engine, indexFolder, { root }, cliCaller('json'));
  const stay = sayOnInterrupt(job_id, () => process.kill(process.pid, 'SIGINT'));
  const card = await followJob(engine, job_id, 'scanning').finally(stay);
  return card.status === 'done' ? again() : first;
}

/**
 * Whoever leaves with Ctrl-C while a scan runs is told that it goes on, and how to see or stop it; `end` then ends
 * this process as the signal would have. Returns what takes this back.
 */
export function sayOnInterrupt(jobId: string, end: () => void): () => void {
  const leave = () => {
    // The line of progress stays, ended.
    const lead = process.stderr.isTTY === true ? '\n' : '';
    process.stderr.write(
      `${lead}The scan goes on in the background. pinhole job ${jobId} shows how far it is, pinhole job ${jobId} --cancel stops it.\n`,
      end,
    );
  };
  process.once('SIGINT', leave);
  return () => process.off('SIGINT', leave);
}
