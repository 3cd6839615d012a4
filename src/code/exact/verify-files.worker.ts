import { createMatcher, type Matcher } from '../../regex/matcher.ts';
import { serve } from '../../threads/serve.ts';
import { type PrintReply, type PrintTask, printFiles } from '../grep-output/print-files.ts';
import { type VerifyReply, type VerifyTask, verify } from './verify-files.ts';

/** Recently compiled patterns; a search sends many tasks with the same one. */
const matchers = new Map<string, Matcher>();

function look(task: VerifyTask | PrintTask): VerifyReply | PrintReply {
  const matcher = matcherFor(task.pattern);
  return 'style' in task ? printFiles(matcher, task) : verify(matcher, task);
}

const methods = { look };
export type VerifyMethods = typeof methods;

serve(methods);

function matcherFor(pattern: VerifyTask['pattern']): Matcher {
  const key = JSON.stringify(pattern);
  const known = matchers.get(key);
  if (known !== undefined) return known;
  if (matchers.size >= 8) matchers.clear();
  const matcher = createMatcher(pattern);
  matchers.set(key, matcher);
  return matcher;
}
