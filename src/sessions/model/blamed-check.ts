import type { CheckFailure } from './check-errors.ts';
import { type Check, checkOf } from './checks.ts';

/** The kind of check that each runner does. */
const RUNNER_CHECKS: Readonly<Record<string, Check>> = { tsc: 'typecheck', mypy: 'typecheck', lint: 'lint' };

/** What npm and other runners print above each task: its name, or its command. */
const HEADER = /^(?:> \S+@\S+ (?<task>[\w:.-]+)(?: .*)?|(?:\[[\w:.-]+\] )?[$>] (?<command>\S.*))$/gm;

/**
 * The check of a chain such as `test && lint` that failed: the one that the output names, else the last one that began,
 * else the one after those that passed; undefined if nothing tells.
 */
export function blamedCheck(
  chain: readonly Check[],
  output: string,
  failures: readonly Pick<CheckFailure, 'runner' | 'kind'>[],
): Check | undefined {
  if (chain.length < 2) return chain[0];
  const named = failures
    .map(({ runner = '', kind }) => (kind === 'test' || kind === 'package' ? 'test' : RUNNER_CHECKS[runner]))
    .find((check) => check !== undefined && chain.includes(check));
  if (named !== undefined) return named;
  const begun = [...output.matchAll(HEADER)]
    .map(
      ({ groups }) =>
        checkOf(groups?.task === undefined ? (groups?.command ?? '') : `npm run ${groups.task}`)?.check,
    )
    .findLast((check) => check !== undefined && chain.includes(check));
  if (begun !== undefined) return begun;
  const tests = chain.indexOf('test');
  return tests >= 0 && TESTS_PASSED.test(output) && !TESTS_FAILED.test(output) ? chain[tests + 1] : undefined;
}

const TESTS_PASSED = /\b[1-9]\d* (?:tests? )?(?:passed|passing)\b|^ok\s+\S+\s+[\d.(]|\btest result: ok\b/im;
const TESTS_FAILED =
  /\b[1-9]\d* (?:tests? )?(?:failed|failing)\b|^(?:\s*--- )?FAIL\b|\btest result: FAILED\b/im;
