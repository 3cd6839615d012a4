import { hasAscii, hasCodePoint, jsClass } from './charset.ts';
import { PERL_CLASSES } from './parse-class.ts';
import type { Program } from './program.ts';

const unicodeWord = jsClass(PERL_CLASSES.w.unicode);
const asciiWord = jsClass(PERL_CLASSES.w.ascii);

/** What looks can ask about the neighbour of a position; one bit each. */
export const SEEN = { start: 1, unicodeWord: 2, asciiWord: 4, broken: 8 } as const;

/** Not a character: a byte that is not UTF-8. */
export const BROKEN = -1;

/** What looks see of a character, as bits of {@link SEEN}. */
export function seenOf(codePoint: number): number {
  if (codePoint === BROKEN) return SEEN.broken;
  if (codePoint < 128) return hasAscii(asciiWord, codePoint) ? SEEN.unicodeWord | SEEN.asciiWord : 0;
  return hasCodePoint(unicodeWord, codePoint) ? SEEN.unicodeWord : 0;
}

/** Which bits of {@link SEEN} a program asks for. */
export function seenBy(program: Program): number {
  let bits = 0;
  for (const step of program.steps) {
    if (step.op !== 'look' || step.look === 'line-end') continue;
    if (step.look === 'line-start') bits |= SEEN.start;
    else bits |= SEEN.broken | (step.unicode ? SEEN.unicodeWord : SEEN.asciiWord);
  }
  return bits;
}

/** For each ASCII code, those that the program cannot distinguish from it, including itself. */
export function alikeCodes(program: Program): readonly (readonly number[])[] {
  const sets = [...new Set(program.steps.flatMap((step) => (step.op === 'set' ? [step.set] : [])))];
  const seen = seenBy(program);
  const groups = new Map<string, number[]>();
  return Array.from({ length: 128 }, (_, code) => {
    let key = String.fromCharCode(48 + (seenOf(code) & seen));
    for (const set of sets) key += hasAscii(set, code) ? '1' : '0';
    const group = groups.get(key) ?? [];
    group.push(code);
    groups.set(key, group);
    return group;
  });
}
