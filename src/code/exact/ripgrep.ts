import { closeSync } from 'node:fs';
import { REACHING } from '../../contract/redact.ts';
import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import type { FileHits, LineStyle } from './hits.ts';
import { parseMessage, RipgrepFiles, type RipgrepMessage } from './ripgrep-files.ts';
import { openRoot, patternArguments, ripgrepOutput, ripgrepOutputIn } from './ripgrep-process.ts';
import { HeadingTally } from './ripgrep-tally.ts';
import { SameText } from './same-text.ts';
import { unmovedSince } from './unmoved-paths.ts';
import { byName, messagesAbout } from './unnameable-files.ts';

/** What ripgrep searches for, and how. */
export interface RipgrepRun {
  readonly root: string;
  readonly pattern: PatternOptions;
  /** The pattern for lines without their secrets; undefined if only ripgrep can run it. */
  readonly matcher: Matcher | undefined;
  /** Search binary files as text. */
  readonly everything: boolean;
  readonly signal: AbortSignal;
}

/** What ripgrep found in one file. */
export interface RipgrepFile extends FileHits {
  /** The file has a NUL byte. */
  readonly binary: boolean;
  /** The path led elsewhere, or the file changed, while it was read: nothing from it may be shown. */
  readonly moved: boolean;
}

/** Runs ripgrep over paths (relative to the root) and yields files as they are finished, large ones in pieces. */
export async function* searchByRipgrep(
  run: RipgrepRun,
  paths: readonly string[],
  lines: LineStyle,
): AsyncGenerator<RipgrepFile> {
  const same = new SameText(run.root);
  const files = new RipgrepFiles(same, lines, run.matcher);
  try {
    for await (const message of ripgrepMessages(run, paths, [`-B${lines.before}`, `-A${lines.after}`])) {
      same.take(message);
      const file = files.take(message);
      if (file !== undefined)
        yield same.holds ? { ...file, moved: false } : { ...file, hits: [], moved: true };
    }
  } finally {
    same.close();
  }
}

/** ripgrep's messages about files (paths relative to the root), in the order in which it searches them. */
export async function* ripgrepMessages(
  run: Omit<RipgrepRun, 'matcher'>,
  paths: readonly string[],
  flags: readonly string[],
): AsyncGenerator<RipgrepMessage> {
  const args = [...patternArguments(run.pattern, run.everything), ...ONLY_THESE, ...flags];
  const { nameable, unnameable } = byName(run.root, paths);
  // Without a path ripgrep would search the whole folder.
  if (nameable.length > 0) {
    const places = nameable.map((path) => `./${path}`);
    for await (const piece of ripgrepOutput([...args, '--json', '--', ...places], run.root, run.signal)) {
      for (let from = 0, end = piece.indexOf(10); end !== -1; from = end + 1, end = piece.indexOf(10, from))
        yield parseMessage(piece.toString('utf8', from, end));
    }
  }
  for (const path of unnameable) yield* messagesAbout(run, path, args);
}

/** The paths (relative to the root) in which ripgrep finds a match, in no particular order. */
export async function matchingPaths(run: RipgrepRun, paths: Iterable<string>): Promise<Set<string>> {
  const { nameable, unnameable } = byName(run.root, paths);
  const found =
    nameable.length === 0
      ? new Set<string>()
      : await listedPaths(ripgrepOutput(listArguments(run, nameable), run.root, run.signal));
  const args = [...patternArguments(run.pattern, run.everything), '--max-count=1'];
  for (const path of unnameable)
    for await (const { type } of messagesAbout(run, path, args)) if (type === 'match') found.add(path);
  return found;
}

function listArguments(
  { pattern, everything }: Pick<RipgrepRun, 'pattern' | 'everything'>,
  paths: Iterable<string>,
): string[] {
  const flags = [...ONLY_THESE, '--count', '--max-count=1', '--with-filename', '--null', '--'];
  return [...patternArguments(pattern, everything), ...flags, ...[...paths].map((path) => `./${path}`)];
}

/** The paths in ripgrep's output for {@link listArguments}. */
async function listedPaths(output: AsyncIterable<Buffer>): Promise<Set<string>> {
  const found = new Set<string>();
  let open = '';
  for await (const piece of output) {
    // `./path NUL number`; the path may have a line break.
    open = (open + piece.toString('utf8')).replace(/\.\/([^\0]+)\0\d+\n/g, (_line, path: string) => {
      found.add(path);
      return '';
    });
  }
  return found;
}

/** Searches the named files only: ignores ignore files, and does not enter a folder in the place of a file. */
export const ONLY_THESE = ['--no-ignore', '--hidden', '--max-depth=0'] as const;

/** ripgrep does not write longer lines; files with such a line are searched again. */
const MAX_LINE_BYTES = 4096;

const PATHS_AT_ONCE = 2_048;

/** For counts only. */
export const NOTHING_SHOWN: LineStyle = { before: 0, after: 0, length: 20, trim: false };

/** Bytes of paths per run: systems allow at least a megabyte of arguments and environment. */
const MAX_PATH_BYTES = 512 * 1024;

const REACH_PATTERN: PatternOptions = { pattern: REACHING, insensitive: false, word: false, fixed: false };

/**
 * The number of matching lines in each of the files (paths relative to the root), in no particular order. Doubtful are
 * files with a secret in a matching line, since that line may not count; files with a line that may be a secret only
 * other lines give away; and files that were moved or replaced during the search.
 */
export async function countByRipgrep(
  run: RipgrepRun,
  paths: Iterable<string>,
): Promise<{ readonly counts: Map<string, number>; readonly doubtful: readonly string[] }> {
  const counts = new Map<string, number>();
  const { nameable, unnameable } = byName(run.root, paths);
  const doubtful = [...unnameable];
  for (const list of pathLists(nameable)) {
    const found = await countList(run, list);
    for (const [path, count] of found.counts) counts.set(path, count);
    doubtful.push(...found.doubtful);
  }
  return { counts, doubtful };
}

async function countList(
  run: RipgrepRun,
  paths: ReadonlySet<string>,
): Promise<{ readonly counts: Map<string, number>; readonly doubtful: readonly string[] }> {
  const args = [
    ...patternArguments(run.pattern, run.everything),
    ...ONLY_THESE,
    '--heading',
    '--with-filename',
    '--null',
    '-N',
    `--max-columns=${MAX_LINE_BYTES}`,
    '--',
    ...[...paths].map((path) => `./${path}`),
  ];
  const tally = new HeadingTally(paths);
  const folder = openRoot(run.root);
  if (folder === undefined) return tally.end();
  try {
    const began = Date.now();
    for await (const piece of ripgrepOutputIn(folder, args, run.signal)) tally.add(piece);
    const { counts, doubtful } = tally.end();
    if (counts.size === 0) return { counts, doubtful };
    const reach = listArguments({ pattern: REACH_PATTERN, everything: run.everything }, counts.keys());
    const reaching = await listedPaths(ripgrepOutputIn(folder, reach, run.signal));
    const isUnmoved = unmovedSince(folder.path, began);
    const recounted = [...counts.keys()].filter((path) => reaching.has(path) || !isUnmoved(path));
    for (const path of recounted) counts.delete(path);
    return { counts, doubtful: [...doubtful, ...recounted] };
  } finally {
    closeSync(folder.fd);
  }
}

function* pathLists(paths: Iterable<string>): Generator<ReadonlySet<string>> {
  let list = new Set<string>();
  let bytes = 0;
  for (const path of paths) {
    if (bytes + path.length > MAX_PATH_BYTES) {
      yield list;
      list = new Set();
      bytes = 0;
    }
    list.add(path);
    // Most paths are ASCII; each also costs a pointer and two characters.
    bytes += Buffer.byteLength(path) + 12;
  }
  if (list.size > 0) yield list;
}

/** The same for files that have to be searched line by line. */
export async function* recountByRipgrep(
  run: RipgrepRun,
  paths: readonly string[],
): AsyncGenerator<readonly [path: string, count: number]> {
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
    const some = paths.slice(from, from + PATHS_AT_ONCE);
    const counts = new Map<string, number>();
    for await (const { path, hits, binary, moved } of searchByRipgrep(run, some, NOTHING_SHOWN))
      counts.set(path, binary || moved ? 0 : (counts.get(path) ?? 0) + hits.length);
    for (const entry of counts) if (entry[1] > 0) yield entry;
  }
}
