import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import type { FileHits, LineStyle } from './hits.ts';
import { RipgrepFiles } from './ripgrep-files.ts';
import { patternArguments, ripgrepOutput } from './ripgrep-process.ts';
import { HeadingTally } from './ripgrep-tally.ts';

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

/** Longer lines are not written by ripgrep; files with such a line are looked into again. */
const LONG_LINE = 4096;

const PATHS_AT_ONCE = 2_048;

/** For numbers only. */
export const NOTHING_SHOWN: LineStyle = { before: 0, after: 0, length: 20, trim: false };

/**
 * The number of matching lines of each file below a folder, from one run over all of it, in no order. Its own walk
 * sees what ours sees. Files with a secret in a matching line are doubtful: that line may not count.
 */
export async function countByRipgrep(
  run: RipgrepRun,
  folder: {
    readonly below: string;
    readonly hidden: boolean;
    readonly knows: (path: string) => boolean;
    /** Files that the answer is about; the others are not looked into again. */
    readonly counts: (path: string) => boolean;
  },
): Promise<{ readonly counts: Map<string, number>; readonly doubtful: readonly string[] }> {
  const args = [
    ...patternArguments(run.pattern, run.everything),
    '--heading',
    '--with-filename',
    '--null',
    '-N',
    `--max-columns=${LONG_LINE}`,
  ];
  if (folder.hidden) args.push('--hidden');
  const tally = new HeadingTally(folder);
  for await (const piece of ripgrepOutput([...args, '--', `./${folder.below}`], run.root, run.signal))
    tally.add(piece);
  return tally.end();
}

/** The same for files that have to be looked into line by line. */
export async function* recountByRipgrep(
  run: RipgrepRun,
  paths: readonly string[],
): AsyncGenerator<readonly [path: string, count: number]> {
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
    const some = paths.slice(from, from + PATHS_AT_ONCE);
    for await (const file of searchByRipgrep(run, some, NOTHING_SHOWN))
      if (!file.binary && file.hits.length > 0) yield [file.path, file.hits.length];
  }
}
