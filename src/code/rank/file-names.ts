import { at } from '../../contract/at.ts';
import type { IndexPart, SearchIndex } from '../semantic/search-index.ts';
import { stem } from '../words/stem.ts';
import { termsOf, WHOLE_MARK, wholeName } from '../words/terms.ts';

const PATH_FOLDERS = 3;

/** The words in the path of a file. */
export interface FileNames {
  readonly whole: string;
  /** Each word once, as in `folder`. */
  readonly stem: readonly string[];
  readonly folder: readonly string[];
  /** In how many chunks the file's name occurs: a sign of how much depends on it. */
  readonly mentions: number;
}

/** The names of a file, and how often its own name occurs in the first parts of the index. */
interface Known extends Omit<FileNames, 'mentions'> {
  mentions: number;
  parts: number;
}

/**
 * Computed once per file, because it does not depend on the question. An index that grows by a segment keeps its parts
 * and the numbers of its files, so mentions are counted only in the new parts.
 */
const known = new WeakMap<IndexPart, Map<number, Known>>();

/** The words in the path of a file, and how often its name occurs. */
export function fileNames(index: SearchIndex, file: number): FileNames {
  const first = at(index.parts, 0);
  const ofIndex = known.get(first) ?? new Map<number, Known>();
  known.set(first, ofIndex);
  const found = ofIndex.get(file) ?? namesOf(index.files.path(file));
  ofIndex.set(file, found);
  const { parts } = index;
  for (; found.parts < parts.length; found.parts++)
    found.mentions += mentions(at(parts, found.parts), found.whole);
  return found;
}

function namesOf(path: string): Known {
  const parts = path.split('/');
  const name = (parts.pop() ?? '').replace(/(?<=.)\.\w+$/, '').replaceAll('-', '_');
  const plain = (text: string): string[] => [
    ...new Set(termsOf(text).filter((term) => !term.startsWith(WHOLE_MARK))),
  ];
  return {
    whole: wholeName(name),
    stem: plain(name),
    folder: plain(parts.slice(-PATH_FOLDERS).join(' ').replaceAll('-', '_')),
    mentions: 0,
    parts: 0,
  };
}

/**
 * How well a file name matches, by its distinct terms: half for how much of the question is in the file name, half for
 * how much of the file name is in the question.
 */
export function nameMatch(
  terms: readonly string[],
  asked: ReadonlySet<string>,
  share: (terms: readonly string[]) => number,
): number {
  const covered = share(terms);
  if (covered === 0) return 0;
  const used = terms.filter((term) => asked.has(term)).length / terms.length;
  return 0.5 * covered + 0.5 * used * Math.min(1, 0.4 + covered);
}

function mentions({ reader }: IndexPart, name: string): number {
  return (reader.find(WHOLE_MARK + name) ?? reader.find(stem(name)))?.frequency ?? 0;
}
