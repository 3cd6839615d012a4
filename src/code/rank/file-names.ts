import { at } from '../../contract/at.ts';
import type { SearchIndex } from '../semantic/search-index.ts';
import { stem } from '../words/stem.ts';
import { termsOf, WHOLE_MARK, wholeName } from '../words/terms.ts';

const PATH_FOLDERS = 3;

/** The words in the path of a file. */
export interface FileNames {
  readonly whole: string;
  readonly stem: readonly string[];
  readonly folder: readonly string[];
  /** In how many chunks the file's name occurs: a sign of how much depends on it. */
  readonly mentions: number;
}

/** Computed once per file, because it does not depend on the question. */
const known = new WeakMap<SearchIndex, Map<number, FileNames>>();

/** The words in the path of a file, and how often its name occurs. */
export function fileNames(index: SearchIndex, file: number): FileNames {
  const ofIndex = known.get(index) ?? new Map<number, FileNames>();
  known.set(index, ofIndex);
  const found = ofIndex.get(file);
  if (found !== undefined) return found;
  const parts = at(index.files, file).path.split('/');
  const name = (parts.pop() ?? '').replace(/(?<=.)\.\w+$/, '').replaceAll('-', '_');
  const plain = (text: string): string[] => termsOf(text).filter((term) => !term.startsWith(WHOLE_MARK));
  const whole = wholeName(name);
  const names = {
    whole,
    stem: plain(name),
    folder: plain(parts.slice(-PATH_FOLDERS).join(' ').replaceAll('-', '_')),
    mentions: mentions(index, whole),
  };
  ofIndex.set(file, names);
  return names;
}

/** Half for how much of the question is in the file name, half for how much of the file name is in the question. */
export function nameMatch(
  terms: readonly string[],
  asked: ReadonlySet<string>,
  share: (terms: Iterable<string>) => number,
): number {
  const distinct = new Set(terms);
  const covered = share(distinct);
  if (covered === 0) return 0;
  const used = [...distinct].filter((term) => asked.has(term)).length / distinct.size;
  return 0.5 * covered + 0.5 * used * Math.min(1, 0.4 + covered);
}

function mentions({ parts }: SearchIndex, name: string): number {
  let count = 0;
  for (const { reader } of parts) {
    const id = reader.id(WHOLE_MARK + name) ?? reader.id(stem(name));
    if (id !== undefined) count += reader.frequency(id);
  }
  return count;
}
