import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../contract/ask.ts';
import { gauge } from '../contract/bar.ts';
import type { Engine } from '../contract/engine.ts';
import { countText, durationText } from '../contract/format.ts';
import { type JobCard, jobProgress } from '../jobs/operations/job-progress.ts';
import { doneText } from '../jobs/progress.ts';
import { cliCaller } from './cli-engine.ts';
import { showsUnicode } from './terminal.ts';

const BAR_WIDTH = 24;
const POLL_MS = 150;

/** Waits for a job to end, or for the signal; on a terminal, draws its progress. Returns undefined in that case. */
export async function followJob(engine: Engine, jobId: string, label: string): Promise<JobCard>;
export async function followJob(
  engine: Engine,
  jobId: string,
  label: string,
  signal: AbortSignal,
): Promise<JobCard | undefined>;
export async function followJob(
  engine: Engine,
  jobId: string,
  label: string,
  signal?: AbortSignal,
): Promise<JobCard | undefined> {
  const terminal = process.stderr.isTTY === true;
  while (signal?.aborted !== true) {
    const card = await ask(engine, jobProgress, { job_id: jobId }, cliCaller('json'));
    const ended = card.status !== 'queued' && card.status !== 'running';
    if (terminal) process.stderr.write(`\r\u001b[K${ended ? '' : progressLine(card, label, Date.now())}`);
    if (ended) return card;
    // Rejected by the signal, which the loop looks at.
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** One line of progress; while the total is unknown, the rate shows that work continues. */
export function progressLine(card: JobCard, label: string, now: number): string {
  const share = card.progress_pct;
  const bar =
    share === undefined ? '' : ` ${gauge(share / 100, BAR_WIDTH, { unicode: showsUnicode() })} ${share} %`;
  const done = card.done === undefined ? '' : `  ${doneText(card.done, card.unit)}`;
  const left = card.eta_seconds === undefined ? '' : `  ${durationText(card.eta_seconds)} left`;
  const seconds = card.started_at === undefined ? 0 : (now - Date.parse(card.started_at)) / 1000;
  const rate =
    share === undefined && card.done !== undefined && seconds >= 1
      ? `  ${countText(Math.round(card.done / seconds))}/s`
      : '';
  return `${label}${bar}${done}${rate}${left}`;
}
