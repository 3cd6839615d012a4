import { ask } from '../contract/ask.ts';
import type { Engine } from '../contract/engine.ts';
import type { RawInput } from '../contract/input.ts';
import { indexFolder } from '../jobs/operations/index-folder.ts';
import { cliCaller } from './cli-engine.ts';
import { followJob } from './follow-job.ts';

/** Scans the folder that a command needs an index of, with progress; says whether it has one now. */
export async function indexFirst(engine: Engine, input: RawInput): Promise<boolean> {
  const root = typeof input.under === 'string' ? input.under : '.';
  const { job_id } = await ask(engine, indexFolder, { root }, cliCaller('json'));
  const stopListening = sayOnInterrupt(job_id, () => process.kill(process.pid, 'SIGINT'));
  const card = await followJob(engine, job_id, 'scanning').finally(stopListening);
  return card.status === 'done';
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
