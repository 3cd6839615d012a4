import { realpathSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenApp } from '../src/app/open-app.ts';
import { PinholeError } from '../src/contract/errors.ts';
import { createRoots } from '../src/contract/roots.ts';
import { writeFiles } from './fixtures/code/made-tree.ts';
import { ask, temporaryApp, temporaryFolder } from './support.ts';

/** Patterns that hang backtracking engines, or ask for huge machines. */
const BOMBS = [
  '(a+)+$',
  '(a+)+b',
  '(a*)*b',
  '(a|a)*b',
  '(a|aa)+$',
  '(.*)*b',
  '(.+)+b',
  '(\\w+)*!b',
  '(\\w*)*$x',
  '([a-z]+)+\\d',
  '(a?){40}a{40}',
  'a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaaaaaa',
  '(x+x+)+y',
  '(([a-z])+.)+[A-Z]([a-z])+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(.*a){20}',
  '(.*a){50}b',
  '.*.*.*.*.*.*=.*',
  '(?:.*,){30}x',
  '^(a+)+$',
  '(ab|a|b|ba)*c',
  '(a{0,100}){0,100}b',
  'a{1000}b',
  'a{0,1000}b',
  '(a{100}){100}',
  '((a{10}){10}){10}b',
  '(\\w{1,50}){1,50}!',
  '[a-z]{1,999}\\d',
  '(é|ee|e)+$x',
  '(\\p{L}+)*\\d',
  '(\\p{L}*)*\\p{N}é',
  '\\w{100,200}é',
  '(a|b|ab)*(a|b|ab)*(a|b|ab)*c',
  '(?i)(k+)+s$x',
  '(?i)(ſ|s|S)*K!',
  '(\\s*\\w+\\s*)+=x',
  '^(\\s|\\w)*$x',
  '(\\d+)*[a-f]+x',
  '(a+){10}(a+){10}(a+){10}b',
  '((((((a+)+)+)+)+)+)+b',
  '(a|b)*a(a|b){15}c',
  '(a|b)*a(a|b){30}c',
  '.*a.{20}b',
  '.*(a.{40}|b.{41})c',
  '(?:a?b?c?d?e?f?){60}z',
  '([^"]*"[^"]*")*x',
  '(<[^>]*>)*y',
  '(.|\\s)*z{3}q',
  '(\\b\\w+\\b\\s*)*!z',
  '(?:(?:a*)*)*b',
];

/** Patterns that are large themselves. */
const GIANTS: readonly (readonly [name: string, pattern: string])[] = [
  ['nested counts', '(a{1000}){1000}'],
  ['counts of counts', '((a{100}){100}){100}x'],
  ['a count of a Unicode class', '\\p{L}{2000}'],
  ['10,000 words', Array.from({ length: 10_000 }, (_none, index) => `word${index}x`).join('|')],
  ['100 kB of text', 'needle'.repeat(17_000)],
  ['100 kB of classes', '[a-z]?'.repeat(17_000)],
  ['groups 5,000 deep', `${'('.repeat(5000)}a${')'.repeat(5000)}`],
  ['choices 2,000 deep', `${'(a|'.repeat(2000)}b${')'.repeat(2000)}`],
  ['repeats of repeats', `${'('.repeat(50)}a${'+)*'.repeat(50)}`],
];

describe('patterns made to hang', () => {
  let house: OpenApp;
  let root = '';
  beforeAll(async () => {
    house = await temporaryApp();
    root = realpathSync(temporaryFolder());
    writeFiles(root, {
      'ascii.txt':
        `${'a'.repeat(5000)}!\n${'ab'.repeat(2000)}\n${'x'.repeat(3000)}\n${'aaa bbb '.repeat(2000)}\n`.repeat(
          3,
        ),
      'other.txt': `${'é'.repeat(3000)}!\n${'aé'.repeat(2000)}\n${'ſK'.repeat(1000)}\n`.repeat(3),
      'needle.txt': 'a needle\n',
    });
  });

  it('end in time, all fifty, while other calls are answered', async () => {
    expect(BOMBS).toHaveLength(50);
    let calls = 0;
    const call = async (pattern: string) => {
      const { answer } = await ask(
        house,
        'regex_search',
        { pattern, output: 'count' },
        { roots: [root], cwd: root, id: `caller ${calls++}` },
      );
      return {
        pattern,
        ok: answer.ok || answer.error.code === 'invalid_parameter',
      };
    };
    await call('warm');
    // Other calls are answered in between: their answers and the ends of the bombs are put down in one list.
    const events: string[] = [];
    let done = false;
    const others = (async () => {
      while (!done) {
        const { body } = await ask(house, 'health', {}, { id: `caller ${calls++}` });
        expect(body.error).toBeUndefined();
        events.push('health');
        expect((await call('needle')).ok).toBe(true);
        events.push('search');
      }
    })();
    // Three at a time: more bombs than threads.
    const results: Awaited<ReturnType<typeof call>>[] = [];
    // With a text in front they run in this process, without one in ripgrep.
    const queue = BOMBS.flatMap((bomb) => [bomb, `aaa(?:${bomb})`]);
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        results.push(await call(next));
        events.push('bomb');
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    done = true;
    await others;
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(results).toHaveLength(100);
    // At no time did a long run of bombs end before another call got its answer.
    expect(longestRun(events, 'bomb')).toBeLessThan(40);
    expect(events.filter((event) => event === 'search').length).toBeGreaterThan(5);
  });

  it.each(GIANTS)('%s: answered or refused in words, in every form', async (_name, pattern) => {
    const signal = AbortSignal.timeout(25_000);
    const request = { pattern, paths: [{ folder: root, lead: '' }], form: 'counts' };
    const outcome = await drain(house.services.code.exact.grep(request, await createRoots([root]), signal));
    expect(outcome).toMatch(/^(done|invalid_parameter|search_timeout)$/);
    const { answer } = await ask(
      house,
      'regex_search',
      { pattern, output: 'count' },
      { roots: [root], cwd: root, id: 'giant' },
    );
    expect(['ok', 'invalid_parameter', 'search_timeout']).toContain(answer.ok ? 'ok' : answer.error.code);
    const { body } = await ask(house, 'health', {}, { id: 'giant' });
    expect(body.error).toBeUndefined();
  });
});

async function drain(pieces: AsyncGenerator<Uint8Array>): Promise<string> {
  try {
    for await (const piece of pieces) void piece;
    return 'done';
  } catch (error) {
    return error instanceof PinholeError ? error.code : String(error);
  }
}

function longestRun(events: readonly string[], of: string): number {
  let longest = 0;
  let run = 0;
  for (const event of events) {
    run = event === of ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
