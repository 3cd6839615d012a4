import type { SourceFile } from '../files/source-tree.ts';
import { languageOf } from '../languages.ts';
import { ROLE, rolesOf } from '../rank/roles.ts';
import { termsOf } from '../words/terms.ts';

/** Files of the first batches; each pair of later ones is twice as large, so that few segments come of many files. */
const FIRST = 400;
const LARGEST = 8000;

/** Cuts a list of files into batches, what the question is about first: it may be answered before all are read. */
export function batches(files: readonly SourceFile[], words: ReadonlySet<string>): SourceFile[][] {
  const sorted = files
    .map((file) => ({ file, rank: urgency(file.path, words) }))
    .sort((a, b) => b.rank - a.rank)
    .map(({ file }) => file);
  const cut: SourceFile[][] = [];
  let at = 0;
  while (at < sorted.length) {
    const size = Math.min(LARGEST, FIRST * 2 ** Math.floor(cut.length / 2));
    cut.push(sorted.slice(at, at + size));
    at += size;
  }
  return evened(cut);
}

/** A name that has words of the question comes first, then code, then tests and prose. */
function urgency(path: string, words: ReadonlySet<string>): number {
  const hits = termsOf(path.replaceAll('-', '_')).filter((term) => words.has(term)).length;
  const roles = rolesOf(path, languageOf(path), '');
  const aside = (roles & (ROLE.test | ROLE.aside | ROLE.generated | ROLE.prose | ROLE.config)) !== 0;
  return 2 * Math.min(hits, 4) + (aside ? 0 : 1);
}

/** The last two share what is left, so that two threads end together. */
function evened(cut: SourceFile[][]): SourceFile[][] {
  const last = cut.at(-1);
  const before = cut.at(-2);
  if (last === undefined || before === undefined || last.length >= before.length) return cut;
  const both = [...before, ...last];
  const half = Math.ceil(both.length / 2);
  return [...cut.slice(0, -2), both.slice(0, half), both.slice(half)];
}
