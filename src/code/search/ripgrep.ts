import { REACHING } from '../../contract/redact.ts';
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

/** Runs ripgrep over paths (relative to the root) and gives back its files as they are finished, large ones in parts. */
export async function* searchByRipgrep(
  run: RipgrepRun,
  paths: readonly string[],
  lines: LineStyle,
): AsyncGenerator<RipgrepFile> {
  const output = ['--json', ...EVERY_PATH, `-B${lines.before}`, `-A${lines.after}`];
  const args = [
    ...patternArguments(run.pattern, run.everything),
    ...output,
    '--',
    ...paths.map((path) => `./${path}`),
  ];
  const files = new RipgrepFiles(run.root, lines, run.matcher);
  try {
    for await (const piece of ripgrepOutput(args, run.root, run.signal)) {
      for (let from = 0, end = piece.indexOf(10); end !== -1; from = end + 1, end = piece.indexOf(10, from)) {
        const file = files.take(piece.toString('utf8', from, end));
        if (file !== undefined) yield file;
      }
    }
  } finally {
    files.close();
  }
}

/** Which of some paths (relative to the root) have a match; in no order. */
export async function matchingPaths(
  run: Pick<RipgrepRun, 'root' | 'pattern' | 'everything' | 'signal'>,
  paths: readonly string[],
  ...walk: readonly string[]
): Promise<Set<string>> {
  const flags = ['--count', '--max-count=1', '--with-filename', '--null', ...walk, '--'];
  const args = [
    ...patternArguments(run.pattern, run.everything),
    ...flags,
    ...paths.map((path) => `./${path}`),
  ];
  const found = new Set<string>();
  let open = '';
  for await (const piece of ripgrepOutput(args, run.root, run.signal)) {
    // `./path NUL number`; the path may have a line break.
    open = (open + piece.toString('utf8')).replace(/\.\/([^\0]+)\0\d+\n/g, (_line, path: string) => {
      found.add(path);
      return '';
    });
  }
  return found;
}

/** Flags for paths that are searched whatever the rules say. */
export const EVERY_PATH = ['--no-ignore', '--hidden'] as const;

/** Longer lines are not written by ripgrep; files with such a line are looked into again. */
const LONG_LINE = 4096;

const PATHS_AT_ONCE = 2_048;

/** For numbers only. */
export const NOTHING_SHOWN: LineStyle = { before: 0, after: 0, length: 20, trim: false };

const REACH: PatternOptions = { pattern: REACHING, insensitive: false, word: false, fixed: false };

/**
 * The number of matching lines of each file below a folder, from one run over all of it, in no order. Its own walk
 * sees what ours sees. Files with a secret in a matching line are doubtful, since that line may not count, and so are
 * those in which a line may be a secret that only other lines give away.
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
  const reaching = matchingPaths(
    { ...run, pattern: REACH },
    [folder.below],
    ...(folder.hidden ? ['--hidden'] : []),
  );
  // Looked at below; until then a failure is not unhandled.
  reaching.catch(() => {});
  for await (const piece of ripgrepOutput([...args, '--', `./${folder.below}`], run.root, run.signal))
    tally.add(piece);
  return tally.end(await reaching);
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
