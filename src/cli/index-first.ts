import { ask } from '../contract/ask.ts';
import type { Answer, Engine } from '../contract/engine.ts';
import type { RawInput } from '../contract/input.ts';
import { indexFolder } from '../jobs/operations/index-folder.ts';
import { cliCaller } from './cli-engine.ts';
import { followJob } from './follow-job.ts';

/** Runs a command; if it needs an index that does not exist yet, scans the folder first, with progress. */
export async function indexFirst(
  engine: Engine,
  input: RawInput,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const first = await run();
  if (first.ok || first.error.code !== 'index_not_found' || input.index_id !== undefined) return first;
  const root = typeof input.under === 'string' ? input.under : '.';
  const { job_id } = await ask(engine, indexFolder, { root }, cliCaller('json'));
  const stopListening = sayOnInterrupt(job_id, () => process.kill(process.pid, 'SIGINT'));
  const card = await followJob(engine, job_id, 'scanning').finally(stopListening);
  return card.status === 'done' ? run() : first;
}

/**
 * On Ctrl-C during a scan, says that the scan continues and how to see or stop it; `end` then ends this process as
 * the signal would have. Returns a function that stops listening.
 */
export function sayOnInterrupt(jobId: string, end: () => void): () => void {
  const leave = () => {
    // Ends the progress line, which stays.
    const lead = process.stderr.isTTY === true ? '\n' : '';
    process.stderr.write(
      `${lead}The scan continues in the background. Progress: pinhole job ${jobId}. Stop it: pinhole job ${jobId} --cancel\n`,
      end,
    );
  };
  process.once('SIGINT', leave);
  return () => process.off('SIGINT', leave);
}
