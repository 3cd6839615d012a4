import { isMinifiedFile, MAX_FILE_BYTES } from '../files/file-content.ts';
import { comparePaths } from '../files/path-order.ts';
import type { SkipReason, SourceFile } from '../files/source-tree.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import type { FileHits, LineStyle } from './hits.ts';
import { matchingPaths, type RipgrepRun, searchByRipgrep } from './ripgrep.ts';
import type { SearchTarget } from './search-target.ts';

/** Paths per run of ripgrep: few at first, for an early page; the longest list is well below the system's limit. */
const FIRST_PATHS = 128;
const FEW_PATHS = 8;
const MAX_PATHS = 8_192;

/** Files in growing lists, in order; a file that is too large for a buffer gets its own list. */
export function* listsOf(candidates: Iterator<Candidate>): Generator<readonly Candidate[]> {
  let list: Candidate[] = [];
  for (let size = FIRST_PATHS, step = candidates.next(); !step.done; step = candidates.next()) {
    const alone = isVeryLarge(step.value);
    if (list.length > 0 && (alone || list.length >= size)) {
      yield list;
      list = [];
      size = Math.min(size * 4, MAX_PATHS);
    }
    list.push(step.value);
    if (!alone) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}

export function isVeryLarge({ file }: Candidate): boolean {
  return file.size > MAX_FILE_BYTES;
}

/** The files in which ripgrep finds a match; a short list is returned as it is, because searching it is faster. */
export async function withMatches(
  run: RipgrepRun,
  list: readonly Candidate[],
  onSearched: (files: number) => void,
): Promise<readonly Candidate[]> {
  if (list.length <= FEW_PATHS) return list;
  const paths = await matchingPaths(
    run,
    list.map(({ file }) => file.path),
  );
  const found = list.filter(({ file }) => paths.has(file.path));
  onSearched(list.length - found.length);
  return found;
}

/** ripgrep's hits in order; those of a single file as they come. */
export async function* byRipgrep(
  run: RipgrepRun,
  target: SearchTarget,
  list: readonly Candidate[],
  lines: LineStyle,
  skip: (path: string, reason: SkipReason) => void,
): AsyncGenerator<FileHits> {
  const files = new Map(list.map(({ file }) => [file.path, file]));
  const reasons = new Map<string, SkipReason | undefined>();
  const reasonFor = async (path: string) => {
    const file = files.get(path);
    if (file !== undefined && !run.everything && !reasons.has(path))
      reasons.set(path, await skipOf(target, file));
    return reasons.get(path);
  };
  const found: FileHits[] = [];
  for await (const file of searchByRipgrep(run, [...files.keys()], lines)) {
    if (file.binary && !run.everything) reasons.set(file.path, 'binary');
    else if (file.moved) reasons.set(file.path, 'unreadable');
    if (list.length > 1) found.push(file);
    else if (file.hits.length > 0 && (await reasonFor(file.path)) === undefined) yield file;
  }
  found.sort((a, b) => comparePaths(a.path, b.path));
  for (const file of found)
    if (file.hits.length > 0 && (await reasonFor(file.path)) === undefined) yield file;
  for (const [path, reason] of reasons) if (reason !== undefined) skip(path, reason);
}

/**
 * Why the rules of the index exclude a file in which ripgrep found something; they apply even before the index is
 * built.
 */
export async function skipOf(
  { tree, index }: SearchTarget,
  file: SourceFile,
): Promise<SkipReason | undefined> {
  if (!index.isPending(file.path)) return index.skipOf(file.path);
  if (file.size > MAX_FILE_BYTES) return 'too_large';
  return (await isMinifiedFile(`${tree.root}/${file.path}`, file.size)) ? 'minified' : undefined;
}
