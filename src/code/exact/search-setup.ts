import { type Requirement, requirementText } from '../../regex/literals.ts';
import type { Matcher } from '../../regex/matcher.ts';
import { comparePaths } from '../files/path-order.ts';
import type { SourceFile } from '../files/source-tree.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import { compilePattern, indexNeed, isSelective } from './compile-pattern.ts';
import type { ExactQuery, SearchPlan } from './exact-query.ts';
import { fileFilter } from './file-filter.ts';
import { type NamedFile, namedFile } from './named-file.ts';
import type { SearchTarget } from './search-target.ts';

/** With more unindexed text than this, ripgrep is faster than we are. */
export const MAX_PENDING_BYTES = 24 * 1024 * 1024;

const ANYTHING: Requirement = { kind: 'any' };

/** Everything that is decided about a search before anything is read. */
export interface SearchSetup {
  readonly matcher: Matcher | undefined;
  /** What every matching line must contain. */
  readonly need: Requirement;
  readonly admits: (file: SourceFile) => boolean;
  /** The one file to search, if the caller named a file that searches of folders leave out. */
  readonly named: NamedFile | undefined;
  /** Search files whatever they contain. */
  readonly everything: boolean;
  /** Whether the index knows nearly all files. */
  readonly indexed: boolean;
  /** Whether the index narrows the search down; if not, ripgrep looks for the files with matches. */
  readonly selective: boolean;
}

export function setUpSearch({ pattern, filter }: ExactQuery, target: SearchTarget): SearchSetup {
  const matcher = compilePattern(pattern);
  const need = indexNeed(pattern, matcher);
  const indexed = target.index.state.pendingBytes <= MAX_PENDING_BYTES;
  const named = namedFile(target, filter.below);
  const everything = (filter.everything ?? false) || (named !== undefined && named.nul === undefined);
  const selective = isSelective(need) && indexed && !everything;
  return { matcher, need, admits: fileFilter(filter), named, everything, indexed, selective };
}

/** Files that may match, in path order, from a path on. */
export function candidatesFrom(
  path: string,
  { named, need, admits, everything }: SearchSetup,
  { index }: Pick<SearchTarget, 'index'>,
): Iterator<Candidate> {
  if (named !== undefined) return [{ file: named.file, spans: undefined }].values();
  const all = index.candidates({ need, admits, everything });
  return path === '' ? all : startingAt(all, path);
}

/** How much is left to search: all admitted files, or those that the index does not rule out. */
function sizeOfSearch(
  { need, admits, everything }: SearchSetup,
  { index }: Pick<SearchTarget, 'index'>,
  narrowed: boolean,
): { readonly files: number; readonly bytes: number } {
  const size = { files: 0, bytes: 0 };
  for (const { file, spans } of index.candidates({ need: narrowed ? need : ANYTHING, admits, everything })) {
    size.files++;
    size.bytes += spans?.reduce((sum, span) => sum + span.to - span.from, 0) ?? file.size;
  }
  return size;
}

/** How a search is done, and how much it has to read. */
export function planOf(
  setup: SearchSetup,
  target: Pick<SearchTarget, 'index'>,
  via: SearchPlan['via'],
  { pattern: { insensitive } }: Pick<ExactQuery, 'pattern'>,
): SearchPlan {
  const { indexed: files, pending, segments, bytes } = target.index.state;
  return {
    via,
    requires: setup.need.kind === 'any' ? undefined : requirementText(setup.need),
    candidates: sizeOfSearch(setup, target, via === 'index'),
    index: { files, pending, segments, bytes },
    insensitive,
  };
}

/** The files that are searched: one if it was named, else all but the skipped ones. */
export function filesInScope(
  setup: SearchSetup,
  target: Pick<SearchTarget, 'index'>,
  skipped: number,
): number {
  return setup.named !== undefined ? 1 : sizeOfSearch(setup, target, false).files - skipped;
}

function* startingAt(candidates: Iterator<Candidate>, path: string): Generator<Candidate> {
  for (let step = candidates.next(); !step.done; step = candidates.next()) {
    if (comparePaths(step.value.file.path, path) >= 0) yield step.value;
  }
}
