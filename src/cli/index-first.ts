import type { Answer, Engine } from '../contract/engine.ts';
import type { RawInput } from '../contract/input.ts';
import { cliCaller } from './engine.ts';
import { followJob } from './progress.ts';

/** Scans the folder a person means, with progress, where a command asks for an index that is not there yet. */
export async function indexFirst(
  engine: Engine,
  input: RawInput,
  again: () => Promise<Answer>,
): Promise<Answer> {
  const first = await again();
  if (first.code !== 'index_not_found' || input.index_id !== undefined) return first;
  const root = typeof input.under === 'string' ? input.under : '.';
  const started = await engine.run('index', { root }, { caller: cliCaller('json') });
  if (!started.ok) return started;
  // Our own answer, just rendered.
  const { data } = JSON.parse(started.text) as { data: { job_id: string } };
  const card = await followJob(engine, data.job_id, 'scanning');
  return card.status === 'done' ? again() : first;
}
