import { parentPort } from 'node:worker_threads';
import { createMatcher, type Matcher } from '../../regex/matcher.ts';
import { TooExpensive } from '../../regex/simulate.ts';
import { printFiles } from '../print/print-files.ts';
import type { PoolReply, PoolTask } from './pool.ts';
import { verify } from './verify.ts';

/** Compiled patterns of late; a search sends many tasks with the same one. */
const matchers = new Map<string, Matcher>();

parentPort?.on('message', ({ id, task }: PoolTask) => {
  let reply: PoolReply;
  try {
    const matcher = matcherFor(task.pattern);
    reply = { id, reply: 'style' in task ? printFiles(matcher, task) : verify(matcher, task) };
  } catch (error) {
    reply = { id, error: error instanceof TooExpensive ? 'too-expensive' : String(error) };
  }
  parentPort?.postMessage(reply);
});

function matcherFor(pattern: PoolTask['task']['pattern']): Matcher {
  const key = JSON.stringify(pattern);
  const known = matchers.get(key);
  if (known !== undefined) return known;
  if (matchers.size >= 8) matchers.clear();
  const matcher = createMatcher(pattern);
  matchers.set(key, matcher);
  return matcher;
}
