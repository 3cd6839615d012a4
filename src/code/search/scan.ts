import type { Literal } from '../../regex/literals.ts';
import type { Matcher } from '../../regex/matcher.ts';
import { hasFoldedStrangers } from '../trigram/segment-writer.ts';

const NEWLINE = 10;

/** Called with each matching line; returning false stops the scan. */
export type OnLine = (from: number, to: number) => boolean;

/**
 * Finds the matching lines in `bytes[from, to)`, which begins at a line. Where the pattern names a text, that
 * text is looked for with the fastest search there is, and only lines that contain it are tested.
 */
export function scanLines(matcher: Matcher, all: Buffer, from: number, to: number, onLine: OnLine): void {
  const { texts } = matcher;
  // A view that ends with the part, so that no search runs past it.
  const bytes = all.subarray(0, to);
  if (texts === undefined) scanAll(matcher, bytes, from, to, onLine);
  else if (texts.some((literal) => literal.folded)) scanFolded(matcher, texts, bytes, from, to, onLine);
  else {
    const finders = needlesOf(texts).map((needle) => (at: number) => bytes.indexOf(needle, at));
    scanFor(matcher, bytes, from, to, onLine, finders);
  }
}

const known = new WeakMap<readonly Literal[], readonly Buffer[]>();

function needlesOf(texts: readonly Literal[]): readonly Buffer[] {
  let needles = known.get(texts);
  if (needles === undefined) {
    needles = texts.map((literal) => Buffer.from(literal.text));
    known.set(texts, needles);
  }
  return needles;
}

/** Without regard to case: looks in a lower case copy whose places are the same. */
function scanFolded(
  matcher: Matcher,
  texts: readonly Literal[],
  bytes: Buffer,
  from: number,
  to: number,
  onLine: OnLine,
): void {
  const part = bytes.subarray(from, to);
  // A k or s outside ASCII would not be found in the copy.
  if (hasFoldedStrangers(part)) {
    scanAll(matcher, bytes, from, to, onLine);
    return;
  }
  const lower = part.toString('latin1').toLowerCase();
  const finders = texts.map((literal) => {
    const needle = Buffer.from(literal.text).toString('latin1').toLowerCase();
    return (at: number) => {
      const found = lower.indexOf(needle, at - from);
      return found === -1 ? -1 : found + from;
    };
  });
  scanFor(matcher, bytes, from, to, onLine, finders);
}

function scanFor(
  matcher: Matcher,
  bytes: Buffer,
  from: number,
  to: number,
  onLine: OnLine,
  finders: readonly ((at: number) => number)[],
): void {
  const next = finders.map((find) => find(from));
  for (;;) {
    let place = to;
    for (const found of next) if (found !== -1 && found < place) place = found;
    if (place >= to) return;
    const start = bytes.lastIndexOf(NEWLINE, place) + 1;
    const newline = bytes.indexOf(NEWLINE, place);
    const end = newline === -1 ? to : newline;
    if ((matcher.textsSuffice || matcher.test(bytes, start, end)) && !onLine(start, end)) return;
    for (const [index, find] of finders.entries()) {
      const found = next[index] ?? -1;
      if (found !== -1 && found <= end) next[index] = find(end);
    }
  }
}

function scanAll(matcher: Matcher, bytes: Buffer, from: number, to: number, onLine: OnLine): void {
  for (let start = from; start < to; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? to : newline;
    if (matcher.test(bytes, start, end) && !onLine(start, end)) return;
    start = end + 1;
  }
}
