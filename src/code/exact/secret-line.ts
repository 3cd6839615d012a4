import { at } from '../../contract/at.ts';
import { markersIn, mayHoldSecret, REACH, reachesOver, redact, redactLines } from '../../contract/redact.ts';
import type { Matcher } from '../../regex/matcher.ts';
import type { Span } from '../../regex/simulate.ts';

/* A query for a secret finds nothing, not even the place where it is: what matches is decided without the secrets. */

/** A line without its secrets, and where they were. */
export interface CleanLine {
  readonly bytes: Buffer;
  readonly gaps: readonly Span[];
}

/** A text of which any part can be read. */
export interface TextParts {
  /** The number of its first byte: a byte order mark may come before it. */
  readonly first: number;
  /** Gives some bytes, fewer where the text ends; good until the next call. */
  read(from: number, to: number): Buffer;
}

/** Text whose secrets are looked for together. Small enough for an early hit, and large against what is around it. */
const BLOCK_BYTES = 64 * 1024;
/** A longer line is looked at on its own. */
const LONG_LINE_BYTES = REACH;
const NEWLINE = 10;

/** The lines of a block and what is left of them; undefined when each line can be looked at on its own. */
interface Block {
  readonly starts: readonly number[];
  readonly raw: readonly string[];
  readonly clean: readonly string[];
}

/** Finds the secrets in the lines of one text, also those that only other lines give away, such as private keys. */
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
    // Once more alone: a quote that another line closes may be open here.
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

/** A line whose secrets it gives away itself, without them; undefined when it has none. */
export function cleanLine(line: Buffer): CleanLine | undefined {
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
 * Whether a line without its secrets matches, whatever they are: an answer that depended on them would tell, guess by
 * guess, what they are. Without a matcher nobody knows.
 */
export function matchesClean(matcher: Matcher | undefined, { bytes, gaps }: CleanLine): boolean {
  return matcher?.testAround(bytes, gaps) ?? false;
}

/** True when there is a secret in the text. */
export function holdsSecret(text: string): boolean {
  return redact(text) !== text;
}

/** The place of a number in a list in order; -1 when it is not there. */
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
