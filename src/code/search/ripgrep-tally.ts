import { mayHoldSecret } from '../../contract/redact.ts';
import { countLines } from '../trigram/count-lines.ts';
import { holdsSecret } from './secret-line.ts';

const NEWLINE = 10;
/** What ripgrep writes in place of a line that is too long. */
const OMITTED = '[Omitted long';
/** Longer than a word on a binary file without its path. */
const WARNING_BYTES = 256;

/** What is known of paths. */
export interface KnownPaths {
  readonly knows: (path: string) => boolean;
  /** Files that the answer is about: only those are looked into for secrets. */
  readonly counts: (path: string) => boolean;
}

/**
 * Counts lines below headings: `./path NUL`, its lines, and an empty line before the next heading. A file at a time,
 * since there may be tens of millions of lines.
 */
export class HeadingTally {
  readonly #paths: KnownPaths;
  readonly #counts = new Map<string, number>();
  readonly #doubtful = new Set<string>();
  #path: string | undefined;
  #count = 0;
  /** The lines that came last. */
  #last: Buffer = Buffer.alloc(0);

  constructor(paths: KnownPaths) {
    this.#paths = paths;
  }

  /** Takes whole lines of output. */
  add(piece: Buffer): void {
    let from = 0;
    for (let nul = piece.indexOf(0); nul !== -1; nul = piece.indexOf(0, nul + 1)) {
      const start = piece.lastIndexOf(NEWLINE, nul) + 1;
      // Elsewhere it is a byte of a line, which only files that are searched as text have.
      if (start < from || !this.#isHeading(piece, start, nul)) continue;
      this.#take(piece.subarray(from, start));
      this.#close(1);
      this.#path = piece.toString('utf8', start + 2, nul);
      from = nul + 1;
    }
    this.#take(piece.subarray(from));
  }

  /** The number of lines of each file; those of the doubtful ones are left out, which some are besides. */
  end(besides: Iterable<string>): {
    readonly counts: Map<string, number>;
    readonly doubtful: readonly string[];
  } {
    this.#close(0);
    for (const path of besides)
      if (this.#counts.has(path) && this.#paths.counts(path)) this.#doubtful.add(path);
    for (const path of this.#doubtful) this.#counts.delete(path);
    return { counts: this.#counts, doubtful: [...this.#doubtful] };
  }

  #isHeading(piece: Buffer, start: number, nul: number): boolean {
    if (piece.toString('latin1', start, start + 2) !== './') return false;
    const before = start > 1 ? piece[start - 2] : (this.#last.at(-2 + start) ?? NEWLINE);
    return before === NEWLINE && this.#paths.knows(piece.toString('utf8', start + 2, nul));
  }

  #take(lines: Buffer): void {
    if (lines.length === 0) return;
    this.#count += countLines(lines, 0, lines.length);
    this.#last = lines;
    if (this.#path !== undefined && !this.#doubtful.has(this.#path) && this.#isDoubtful(this.#path, lines))
      this.#doubtful.add(this.#path);
  }

  #isDoubtful(path: string, lines: Buffer): boolean {
    if (!this.#paths.counts(path)) return false;
    if (lines.includes(OMITTED)) return true;
    if (!mayHoldSecret(lines, 0, lines.length)) return false;
    const text = lines.toString('utf8');
    return holdsSecret(text) && text.split('\n').some(holdsSecret);
  }

  /** Ends a file; the empty line in front of the next heading is none of its own. */
  #close(separators: number): void {
    const path = this.#path;
    const count = this.#count - separators;
    if (path !== undefined && count > 0 && !this.#wasBinary(path)) this.#counts.set(path, count);
    this.#path = undefined;
    this.#count = 0;
  }

  /** A word on a file that turned out binary comes after the lines that were written. */
  #wasBinary(path: string): boolean {
    const word = Buffer.from(`./${path}: WARNING: stopped`);
    const tail = this.#last.subarray(-(word.length + WARNING_BYTES));
    const at = tail.lastIndexOf(word);
    return (
      at !== -1 && (at === 0 || tail[at - 1] === NEWLINE) && tail.indexOf(NEWLINE, at) >= tail.length - 2
    );
  }
}
