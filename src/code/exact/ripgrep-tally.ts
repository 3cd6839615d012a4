import { mayHoldSecret } from '../../contract/redact.ts';
import { countLines } from '../trigram/count-lines.ts';
import { holdsSecret } from './secret-line.ts';

const NEWLINE = 10;
/** ripgrep writes this instead of a line that is too long. */
const OMITTED = '[Omitted long';
/**
 * ripgrep writes this about a file with a NUL byte: after its lines, or without a heading after those of another file.
 */
const BINARY = ': binary file matches (found ';

/**
 * Counts lines below headings: `./path NUL`, its lines, and an empty line before the next heading. Works one file at a
 * time, since there may be tens of millions of lines.
 */
export class HeadingTally {
  readonly #paths: ReadonlySet<string>;
  readonly #counts = new Map<string, number>();
  readonly #doubtful = new Set<string>();
  #path: string | undefined;
  #count = 0;
  /** The lines that came last. */
  #last: Buffer = Buffer.alloc(0);

  constructor(paths: ReadonlySet<string>) {
    this.#paths = paths;
  }

  /** Takes whole lines of output. */
  add(piece: Buffer): void {
    let from = 0;
    for (let nul = piece.indexOf(0); nul !== -1; nul = piece.indexOf(0, nul + 1)) {
      const start = piece.lastIndexOf(NEWLINE, nul) + 1;
      // Elsewhere it is a byte of a line, in a file that is searched as text.
      if (start < from || !this.#isHeading(piece, start, nul)) continue;
      this.#take(piece.subarray(from, start));
      this.#close(1);
      this.#path = piece.toString('utf8', start + 2, nul);
      from = nul + 1;
    }
    this.#take(piece.subarray(from));
  }

  /** The number of lines per file, without the doubtful files. */
  end(): { readonly counts: Map<string, number>; readonly doubtful: readonly string[] } {
    this.#close(0);
    for (const path of this.#doubtful) this.#counts.delete(path);
    return { counts: this.#counts, doubtful: [...this.#doubtful] };
  }

  #isHeading(piece: Buffer, start: number, nul: number): boolean {
    if (piece.toString('latin1', start, start + 2) !== './') return false;
    const before = start > 1 ? piece[start - 2] : (this.#last.at(-2 + start) ?? NEWLINE);
    return before === NEWLINE && this.#paths.has(piece.toString('utf8', start + 2, nul));
  }

  #take(lines: Buffer): void {
    if (lines.length === 0) return;
    this.#count += countLines(lines, 0, lines.length);
    this.#last = lines;
    if (this.#path !== undefined && !this.#doubtful.has(this.#path) && this.#isDoubtful(lines))
      this.#doubtful.add(this.#path);
  }

  #isDoubtful(lines: Buffer): boolean {
    if (lines.includes(OMITTED) || lines.includes(BINARY)) return true;
    if (!mayHoldSecret(lines, 0, lines.length)) return false;
    const text = lines.toString('utf8');
    return holdsSecret(text) && text.split('\n').some(holdsSecret);
  }

  /** Ends a file; the empty line before the next heading does not belong to it. */
  #close(separators: number): void {
    const path = this.#path;
    const count = this.#count - separators;
    if (path !== undefined && count > 0) this.#counts.set(path, count);
    this.#path = undefined;
    this.#count = 0;
  }
}
