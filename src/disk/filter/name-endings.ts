import { uint8At } from '../../contract/at.ts';
import { alternatives, type Token } from '../../glob/parse-glob.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import type { TextTest } from './filter-schema.ts';

/** The endings of the names that match a glob, such as `.log`: most globs have one. */
export interface Endings {
  readonly texts: readonly string[];
  /** True: every name with such an ending matches. */
  readonly sufficient: boolean;
}

/** What names must end with, if the glob requires an ending. */
export function endingsOf(
  field: 'name' | 'path',
  { type, pattern, ignoreCase }: TextTest,
): Endings | undefined {
  if (type !== 'glob' || ignoreCase) return undefined;
  const parts = alternatives(pattern).map((tokens) => endingOf(field, tokens));
  const texts = parts.map(({ text }) => text);
  // A replacement character matches any bytes that are not text.
  if (texts.some((text) => text === '' || text.includes('\ufffd'))) return undefined;
  return { texts, sufficient: parts.every(({ sufficient }) => sufficient) };
}

function endingOf(field: 'name' | 'path', list: readonly Token[]): { text: string; sufficient: boolean } {
  let text = '';
  let at = list.length - 1;
  for (let token = list[at]; token?.type === 'char' && token.char !== '/'; token = list[--at])
    text = token.char + text;
  // What remains may be a star for the rest of the name, perhaps with one for all folders before it.
  const [first, second] = list;
  const anyName = field === 'name' && at === 0 && first?.type === 'star' && first.reach !== 'folders';
  const anywhere = at === 1 && first?.type === 'star' && first.reach === 'folders' && second?.type === 'star';
  return { text, sufficient: anyName || anywhere };
}

/** A test of whether the name of a row has one of the endings; the caller has checked that the row is in the tree. */
export function endsWith(bytes: Uint8Array, { nameAt }: Tree, { texts }: Endings): (row: number) => boolean {
  const endings = texts.map((text) => Uint8Array.from(Buffer.from(text)));
  // For most names the last byte decides.
  const lasts = new Uint8Array(256);
  for (const ending of endings) lasts[uint8At(ending, ending.length - 1)] = 1;
  return (row) => {
    const end = nameAt[row + 1] ?? 0;
    if (lasts[bytes[end - 1] ?? 0] !== 1) return false;
    const size = end - (nameAt[row] ?? 0);
    for (const ending of endings) {
      const { length } = ending;
      let at = size < length ? length + 2 : 1;
      while (at <= length && bytes[end - at] === ending[length - at]) at++;
      if (at === length + 1) return true;
    }
    return false;
  };
}

const SAMPLE_STEP = 61;
const RARE_ROWS = 20_000;

/** Estimates from a sample whether few enough rows of a span pass to test each of them on its own. */
export function isRare(passes: (row: number) => boolean, { from, to }: Span): boolean {
  let passed = 0;
  for (let row = from; row <= to; row += SAMPLE_STEP) if (passes(row)) passed++;
  return passed * SAMPLE_STEP <= RARE_ROWS;
}
