import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import type { FileHits, LineStyle } from './hits.ts';
import { RipgrepFiles } from './ripgrep-files.ts';
import { patternArguments, ripgrepOutput } from './ripgrep-process.ts';
import { holdsSecret } from './secret-line.ts';

/** What to ask ripgrep. */
export interface RipgrepRun {
  readonly root: string;
  readonly pattern: PatternOptions;
  /** The pattern for lines without their secrets; undefined where only ripgrep can run it. */
  readonly matcher: Matcher | undefined;
  /** Search binary files as text. */
  readonly everything: boolean;
  readonly signal: AbortSignal;
}

/** What it found in one file. */
export interface RipgrepFile extends FileHits {
  /** A NUL byte was met. */
  readonly binary: boolean;
}

/** Runs ripgrep over paths (relative to the root) and gives back its files as they are finished. */
export async function* searchByRipgrep(
  run: RipgrepRun,
  paths: readonly string[],
  lines: LineStyle,
): AsyncGenerator<RipgrepFile> {
  const output = ['--json', '--no-ignore', '--hidden', `-B${lines.before}`, `-A${lines.after}`];
  const args = [
    ...patternArguments(run.pattern, run.everything),
    ...output,
    '--',
    ...paths.map((path) => `./${path}`),
  ];
  const files = new RipgrepFiles(lines, run.matcher);
  for await (const piece of ripgrepOutput(args, run.root, run.signal)) {
    for (let from = 0, end = piece.indexOf(10); end !== -1; from = end + 1, end = piece.indexOf(10, from)) {
      const file = files.take(piece.toString('utf8', from, end));
      if (file !== undefined) yield file;
    }
  }
}

/** For numbers only. */
export const NOTHING_SHOWN: LineStyle = { before: 0, after: 0, length: 20, trim: false };

/**
 * The number of matching lines of each file below a folder, from one run over all of it, in no order. Its own walk
 * sees what ours sees. Files with a secret in a matching line are looked into again, line by line.
 */
export async function countByRipgrep(
  run: RipgrepRun,
  folder: { readonly below: string; readonly hidden: boolean },
): Promise<Map<string, number>> {
  const args = [
    ...patternArguments(run.pattern, run.everything),
    '--no-heading',
    '--with-filename',
    '--null',
    '-N',
  ];
  if (folder.hidden) args.push('--hidden');
  const tally = new LineTally();
  for await (const piece of ripgrepOutput([...args, '--', `./${folder.below}`], run.root, run.signal))
    tally.add(piece);
  const { counts, withSecrets } = tally;
  for (const path of withSecrets) counts.delete(path);
  for await (const file of searchByRipgrep(run, [...withSecrets], NOTHING_SHOWN))
    if (!file.binary && file.hits.length > 0) counts.set(file.path, file.hits.length);
  return counts;
}

/** Counts lines of the form `./path NUL text`, file by file. */
class LineTally {
  readonly counts = new Map<string, number>();
  readonly withSecrets = new Set<string>();
  #path = '';
  #prefix = '\0';
  #count = 0;

  add(piece: Buffer): void {
    const text = piece.toString('utf8');
    const suspicious = holdsSecret(text);
    for (let from = 0, end = text.indexOf('\n'); end !== -1; from = end + 1, end = text.indexOf('\n', from)) {
      if (!text.startsWith(this.#prefix, from)) this.#begin(text, from, end);
      this.#count++;
      if (suspicious && holdsSecret(text.slice(from + this.#prefix.length, end)))
        this.withSecrets.add(this.#path);
    }
    if (this.#count > 0) this.counts.set(this.#path, this.#count);
  }

  #begin(text: string, from: number, end: number): void {
    if (this.#count > 0) this.counts.set(this.#path, this.#count);
    const cut = text.indexOf('\0', from);
    if (cut === -1 || cut > end) {
      // A word on a file that turned out binary after the lines that were written.
      this.counts.delete(/^\.\/(.*): WARNING: stopped/s.exec(text.slice(from, end))?.[1] ?? '');
      this.#prefix = '\0';
      this.#path = '';
      this.#count = -1;
      return;
    }
    this.#prefix = text.slice(from, cut + 1);
    this.#path = this.#prefix.slice(2, -1);
    this.#count = 0;
  }
}
