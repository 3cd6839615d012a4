import { realpathSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { House } from '../src/app/house.ts';
import { writeFiles } from './fixtures/code/made-tree.ts';
import { ask, temporaryFolder, temporaryHouse } from './support.ts';

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

describe('patterns made to hang', () => {
  let house: House;
  let root = '';
  beforeAll(async () => {
    house = await temporaryHouse();
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
      const started = performance.now();
      const { answer } = await ask(
        house,
        'regex_search',
        { pattern, output: 'count' },
        { roots: [root], cwd: root, id: `caller ${calls++}` },
      );
      return {
        pattern,
        ms: performance.now() - started,
        ok: answer.ok || answer.code === 'invalid_parameter',
      };
    };
    await call('warm');
    const waits: number[] = [];
    let done = false;
    const others = (async () => {
      while (!done) {
        const started = performance.now();
        const { body } = await ask(house, 'health', {}, { id: `caller ${calls++}` });
        expect(body.error).toBeUndefined();
        waits.push(performance.now() - started);
        const { ok, ms } = await call('needle');
        expect(ok).toBe(true);
        waits.push(ms);
      }
    })();
    // Three at a time: more bombs than threads.
    const results: Awaited<ReturnType<typeof call>>[] = [];
    // With a text in front they run in this process, without one in ripgrep.
    const queue = BOMBS.flatMap((bomb) => [bomb, `aaa(?:${bomb})`]);
    const worker = async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) results.push(await call(next));
    };
    await Promise.all([worker(), worker(), worker()]);
    done = true;
    await others;
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
    expect(results.filter(({ ms }) => ms > 10_000)).toEqual([]);
    expect(Math.max(...waits)).toBeLessThan(5_000);
  });
});
