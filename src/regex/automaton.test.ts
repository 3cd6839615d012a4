import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Automaton } from './automaton.ts';
import { createMatcher } from './matcher.ts';
import { parsePattern } from './parse-pattern.ts';
import { compile } from './program.ts';
import { Simulator } from './simulate.ts';
import { DEAD, MATCHED, Stepper } from './stepper.ts';

const programOf = (pattern: string) => compile(parsePattern(pattern, false));
const plain = (pattern: string) => ({ pattern, insensitive: false, word: false, fixed: false });

/** All texts in one piece, with the place where each begins. */
function packed(texts: readonly Buffer[]): { bytes: Uint8Array; starts: Uint32Array } {
  const starts = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries()) starts[i + 1] = (starts[i] ?? 0) + text.length;
  return { bytes: new Uint8Array(Buffer.concat(texts)), starts };
}

const pieces = fc.constantFrom(
  'a',
  'b',
  'é',
  '漢',
  '.',
  '\\d',
  '\\w',
  '\\W',
  '\\b',
  '\\B',
  '(?-u:\\b)',
  '^',
  '$',
  '[a-c]',
  '[^a]',
  '(?i:É)',
  'a*',
  '(ab|é)+',
  '.{2}',
  '|',
);
const patterns = fc.array(pieces, { minLength: 1, maxLength: 7 }).map((list) => list.join(''));
const texts = fc.array(
  fc
    .array(
      fc.constantFrom<readonly number[]>([97], [98], [49], [46], [195, 169], [230, 188, 162], [255], [195]),
      {
        maxLength: 9,
      },
    )
    .map((list) => Buffer.from(list.flat())),
  { minLength: 1, maxLength: 12 },
);

describe('the automaton', () => {
  it('agrees with the simulator on any bytes, one by one, all at once, and cut in two', () => {
    fc.assert(
      fc.property(patterns, texts, fc.nat(9), (pattern, list, cut) => {
        const program = programOf(pattern);
        const automaton = new Automaton(program);
        const simulator = new Simulator(program);
        const expected = list.map((text) =>
          simulator.firstMatch(text, 0, text.length) === undefined ? 0 : 1,
        );
        expect(list.map((text) => Number(automaton.test(text, 0, text.length)))).toEqual(expected);
        const { bytes, starts } = packed(list);
        const marks = new Uint8Array(list.length);
        automaton.testEach(bytes, starts, 0, list.length, marks);
        expect([...marks]).toEqual(expected);
        const [text = Buffer.alloc(0)] = list;
        const at = Math.min(cut, Math.max(0, text.length - 1));
        const start = automaton.after(text, 0, at);
        expect(Number(automaton.test(text, at, text.length, start))).toBe(expected[0]);
        const rest = new Uint8Array(2);
        const behind = { of: Uint32Array.of(0, 1), places: [automaton.start, start] };
        automaton.testEach(text, Uint32Array.of(0, at, text.length), 1, 2, rest, behind);
        expect(rest[1]).toBe(expected[0]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('knows early when nothing can match any more, or nothing can stop it', () => {
    const at = (pattern: string, text: string) => {
      const stepper = new Stepper(programOf(pattern), false);
      let here = stepper.start;
      for (const byte of Buffer.from(text)) here = stepper.next(here, byte);
      return here;
    };
    expect(at('^[a-f]+_', 'x')).toBe(DEAD);
    expect(at('^src/', 'src/a')).toBe(MATCHED);
    expect(at('[a-f]_', 'x')).not.toBe(DEAD);
    expect(at('^a|b', 'xxxx')).not.toBe(DEAD);
  });

  it('forgets and goes on when a pattern has too many states', () => {
    const pattern = 'a[ab]{13}c';
    const automaton = new Automaton(programOf(pattern));
    const native = new RegExp(pattern);
    let seed = 7;
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed >>> 16;
    };
    const list = Array.from({ length: 4_000 }, (_, i) =>
      Buffer.from(
        Array.from({ length: 40 }, () => 'ab'[next() & 1]).join('') + (i % 3 === 0 ? 'c' : 'a'.repeat(15)),
      ),
    );
    const { bytes, starts } = packed(list);
    const marks = new Uint8Array(list.length);
    automaton.testEach(bytes, starts, 0, list.length, marks);
    expect([...marks]).toEqual(list.map((text) => Number(native.test(text.toString()))));
    expect(marks.reduce((sum, mark) => sum + mark, 0)).toBeGreaterThan(100);
  });

  it('goes on from beginnings whose states were forgotten', () => {
    const pattern = 'a[ab]{13}c';
    const automaton = new Automaton(programOf(pattern));
    const word = (number: number) =>
      Array.from({ length: 16 }, (_, bit) => 'ab'[(number >> bit) & 1]).join('');
    // Text i is a beginning, text i + half follows it.
    const half = 12_000;
    const list = Array.from({ length: 2 * half }, (_, i) =>
      Buffer.from(i < half ? word(i * 5 + 1) : i % 2 === 0 ? 'c' : 'bbc'),
    );
    const { bytes, starts } = packed(list);
    const of = Uint32Array.from(list, (_, i) => (i < half ? 0 : i - half + 1));
    const b = Buffer.from('b');
    const places = [automaton.start];
    for (let i = 0; i < half; i++)
      places.push(automaton.after(b, 0, 1, automaton.after(bytes, starts[i] ?? 0, starts[i + 1] ?? 0)));
    const marks = new Uint8Array(list.length);
    automaton.testEach(bytes, starts, half, list.length, marks, { of, places });
    const native = new RegExp(pattern);
    const whole = list.slice(half).map((text, i) => Number(native.test(`${list[i]}b${text}`)));
    expect([...marks.subarray(half)]).toEqual(whole);
    expect(new Set(whole).size).toBe(2);
  });

  it('reads broken bytes as the replacement character on request', () => {
    const text = Buffer.from([0x61, 0xff, 0x62]);
    expect(createMatcher(plain('a.b')).test(text, 0, 3)).toBe(false);
    expect(createMatcher({ ...plain('a.b'), lossy: true }).test(text, 0, 3)).toBe(true);
  });
});
