import type { SourceFile } from '../files.ts';
import { comparePaths } from '../paths.ts';
import type { Span } from './segment.ts';

/** A file that may match; without spans all of it has to be looked at. */
export interface Candidate {
  readonly file: SourceFile;
  readonly spans: readonly Span[] | undefined;
}

/** A list in path order that is not computed before its turn; `from` is a path that none of its files precedes. */
export interface Source {
  readonly from: string;
  readonly candidates: Generator<Candidate>;
}

/** Merges lists that are each in path order. */
export function* mergeByPath(sources: readonly Source[]): Generator<Candidate> {
  const heads: { at: string; next?: Candidate; readonly rest: Generator<Candidate> }[] = sources.map(
    (source) => ({
      at: source.from,
      rest: source.candidates,
    }),
  );
  while (heads.length > 0) {
    let best = 0;
    for (let index = 1; index < heads.length; index++) {
      if (comparePaths(heads[index]?.at ?? '', heads[best]?.at ?? '') < 0) best = index;
    }
    const head = heads[best];
    if (head === undefined) return;
    if (head.next !== undefined) yield head.next;
    const { value, done } = head.rest.next();
    if (done) heads.splice(best, 1);
    else Object.assign(head, { at: value.file.path, next: value });
  }
}
