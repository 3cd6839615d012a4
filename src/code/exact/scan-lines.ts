import { at } from '../../contract/at.ts';
import type { Literal } from '../../regex/literals.ts';
import type { Matcher } from '../../regex/matcher.ts';
import { hasFoldedStrangers } from '../trigram/trigram-segment-writer.ts';
import { type Finder, foldedFinder } from './folded-finder.ts';

const NEWLINE = 10;

/** Called with each matching line; stops the scan by returning false. */
export type OnLine = (from: number, to: number) => boolean;

/** Bytes that begin at the start of a line. */
export interface Part {
  readonly from: number;
  readonly to: number;
  /** Bit n is set when the n-th text of the pattern may be here; all of them when absent. */
  readonly texts?: number | undefined;
}

/**
 * Finds the matching lines in a part of the bytes. If the pattern contains texts, those are found with the
 * fastest search there is, and only lines that contain one are tested.
 */
export function scanLines(matcher: Matcher, all: Buffer, part: Part, onLine: OnLine): void {
  const { texts } = matcher;
  // A view that ends with the part, so that no search goes past it.
  const bytes = all.subarray(0, part.to);
  // A search that folds ASCII letters does not find the Kelvin sign or the long s.
  const strangers = texts?.some((literal) => literal.folded) && hasFoldedStrangers(bytes.subarray(part.from));
  if (texts === undefined || strangers) scanAll(matcher, bytes, part.from, part.to, onLine);
  else {
    const mask = part.texts;
    const finders = findersOf(texts).filter((_one, index) => mask === undefined || (mask >> index) & 1);
    scanFor(matcher, bytes, part.from, part.to, onLine, finders);
  }
}

const known = new WeakMap<readonly Literal[], readonly Finder[]>();

function findersOf(texts: readonly Literal[]): readonly Finder[] {
  let finders = known.get(texts);
  if (finders === undefined) {
    finders = texts.map(({ text, folded }) => {
      const needle = Buffer.from(text);
      return folded ? foldedFinder(needle) : exactFinder(needle);
    });
    known.set(texts, finders);
  }
  return finders;
}

/** The bytes end where the part ends, so that the system's own search stops there. */
function exactFinder(needle: Buffer): Finder {
  return (bytes, from) => bytes.indexOf(needle, from);
}

function scanFor(
  matcher: Matcher,
  bytes: Buffer,
  from: number,
  to: number,
  onLine: OnLine,
  finders: readonly Finder[],
): void {
  const next = finders.map((find) => find(bytes, from, to));
  for (;;) {
    let place = to;
    for (const found of next) if (found !== -1 && found < place) place = found;
    if (place >= to) return;
    const start = bytes.lastIndexOf(NEWLINE, place) + 1;
    const newline = bytes.indexOf(NEWLINE, place);
    const end = newline === -1 ? to : newline;
    if ((matcher.textsSuffice || matcher.test(bytes, start, end)) && !onLine(start, end)) return;
    for (const [index, find] of finders.entries()) {
      const found = at(next, index);
      if (found !== -1 && found <= end) next[index] = find(bytes, end, to);
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
