import { at } from '../../contract/at.ts';
import { markersIn, mayHoldSecret, REACH, reachesOver, redact, redactLines } from '../../contract/redact.ts';
import type { Matcher } from '../../regex/matcher.ts';
import { type Span, TooExpensive } from '../../regex/simulate.ts';

/* A query for a secret finds nothing, not even its position: whether a line matches is decided without its secrets. */

/** A line without its secrets, and where they were. */
export interface CleanLine {
  readonly bytes: Buffer;
  readonly gaps: readonly Span[];
}

/** A text that can be read in parts. */
export interface TextParts {
  /** The offset of its first byte: a byte order mark may come before it. */
  readonly first: number;
  /** Reads some bytes, fewer at the end of the text; valid until the next call. */
  read(from: number, to: number): Buffer;
}

/** Text whose secrets are found together: small enough for an early hit, large compared to what is read around it. */
const BLOCK_BYTES = 64 * 1024;
/** A longer line is checked on its own. */
const LONG_LINE_BYTES = REACH;
const NEWLINE = 10;

/** The lines of a block with and without their secrets; undefined if each line can be checked on its own. */
interface Block {
  readonly starts: readonly number[];
  readonly raw: readonly string[];
  readonly clean: readonly string[];
}

/** Finds the secrets in the lines of one text, including those that only other lines reveal, such as private keys. */
export class TextSecrets {
  readonly #text: TextParts;
  readonly #blocks = new Map<number, Block | undefined>();

  constructor(text: TextParts) {
    this.#text = text;
  }

  /** The line that begins at byte `at` of the text, without its secrets; undefined when it has none. */
  clean(line: Buffer, at: number): CleanLine | undefined {
    const block = line.length > LONG_LINE_BYTES ? undefined : this.#blockAt(at);
    const index = block === undefined ? -1 : indexOf(block.starts, at);
    const left = block?.clean[index];
    if (left === undefined || left === block?.raw[index]) return cleanLine(line);
    // Redacted once more on its own, because a quote that another line closes may be open here.
    return cleaned(redact(left));
  }

  #blockAt(at: number): Block | undefined {
    const number = Math.floor(at / BLOCK_BYTES);
    if (!this.#blocks.has(number)) {
      // Lines come in order; those around a match may be in the block before.
      if (this.#blocks.size > 2) this.#blocks.clear();
      this.#blocks.set(number, this.#readBlock(number * BLOCK_BYTES));
    }
    return this.#blocks.get(number);
  }

  #readBlock(from: number): Block | undefined {
    const begin = Math.max(this.#text.first, from - REACH);
    const bytes = this.#text.read(begin, from + BLOCK_BYTES + 2 * REACH);
    if (!reachesOver(bytes, 0, bytes.length)) return undefined;
    const starts = [begin];
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, end + 1))
      starts.push(begin + end + 1);
    const text = bytes.toString('utf8');
    return { starts, raw: text.split('\n'), clean: redactLines(text).split('\n') };
  }
}

/** A line without the secrets that it reveals by itself; undefined if it has none. */
function cleanLine(line: Buffer): CleanLine | undefined {
  if (!mayHoldSecret(line, 0, line.length)) return undefined;
  const text = line.toString('utf8');
  const clean = redact(text);
  return clean === text ? undefined : cleaned(clean);
}

function cleaned(text: string): CleanLine {
  const bytes = Buffer.from(text);
  const gaps = markersIn(bytes.toString('latin1'));
  return { bytes, gaps };
}

/**
 * Whether a line without its secrets matches, whatever they are: an answer that depended on them would reveal, guess by
 * guess, what they are. Without a matcher the answer is no.
 */
export function matchesClean(matcher: Matcher | undefined, { bytes, gaps }: CleanLine): boolean {
  return matcher?.testAround(bytes, gaps) ?? false;
}

/** The same for lines that no other engine can judge: one that takes too many steps does not match. */
export function matchesCleanInTime(matcher: Matcher | undefined, line: CleanLine): boolean {
  try {
    return matchesClean(matcher, line);
  } catch (error) {
    if (error instanceof TooExpensive) return false;
    throw error;
  }
}

/** Whether there is a secret in the text. */
export function holdsSecret(text: string): boolean {
  return redact(text) !== text;
}

/** The index of a number in a sorted list; -1 if it is not there. */
function indexOf(numbers: readonly number[], wanted: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = at(numbers, middle);
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
