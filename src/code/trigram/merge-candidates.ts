import { at } from '../../contract/at.ts';
import { comparePaths } from '../files/path-order.ts';
import type { SourceFile } from '../files/source-tree.ts';
import type { Span } from './trigram-segment.ts';

/** A file that may match; without spans all of it has to be searched. */
export interface Candidate {
  readonly file: SourceFile;
  readonly spans: readonly Span[] | undefined;
}

/** A list in path order, computed when its turn comes; all of its files come at or after `from`. */
export interface Source {
  readonly from: string;
  readonly candidates: Generator<Candidate>;
}

/** Merges lists that are each in path order. */
export function* mergeByPath(sources: readonly Source[]): Generator<Candidate> {
  // Next one last. Segments are in path order except for late changes, so a head seldom moves far.
  const heads: Head[] = sources
    .map(({ from, candidates }) => ({ from, next: undefined, rest: candidates }))
    .sort((a, b) => comparePaths(b.from, a.from));
  for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
    if (head.next !== undefined) yield head.next;
    const { value, done } = head.rest.next();
    if (done) continue;
    const moved = { from: value.file.path, next: value, rest: head.rest };
    let place = heads.length;
    while (place > 0 && comparePaths(at(heads, place - 1).from, moved.from) < 0) place--;
    heads.splice(place, 0, moved);
  }
}

interface Head {
  readonly from: string;
  readonly next: Candidate | undefined;
  readonly rest: Generator<Candidate>;
}
