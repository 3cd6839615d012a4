import { alternatives, type Token } from '../../glob/parse-glob.ts';
import type { Span } from '../tree/selection.ts';
import type { Tree } from '../tree/tree.ts';
import type { TextTest } from './schema.ts';

/** How the names end that a glob lets pass, such as with `.log`: most globs are of this kind. */
export interface Endings {
  readonly texts: readonly string[];
  /** True: every name with such an ending passes. */
  readonly enough: boolean;
}

/** What names must end with, if the glob says so. */
export function endingsOf(
  field: 'name' | 'path',
  { type, pattern, ignoreCase }: TextTest,
): Endings | undefined {
  if (type !== 'glob' || ignoreCase) return undefined;
  const parts = alternatives(pattern).map((tokens) => endingOf(field, tokens));
  const texts = parts.map(({ text }) => text);
  // A replacement character may stand for any bytes that are no text.
  if (texts.some((text) => text === '' || text.includes('\ufffd'))) return undefined;
  return { texts, enough: parts.every(({ enough }) => enough) };
}

function endingOf(field: 'name' | 'path', list: readonly Token[]): { text: string; enough: boolean } {
  let text = '';
  let at = list.length - 1;
  for (let token = list[at]; token?.type === 'char' && token.char !== '/'; token = list[--at])
    text = token.char + text;
  // Left is a star for the rest of the name, and perhaps one for all folders before it.
  const [first, second] = list;
  const anyName = field === 'name' && at === 0 && first?.type === 'star' && first.reach !== 'folders';
  const anywhere = at === 1 && first?.type === 'star' && first.reach === 'folders' && second?.type === 'star';
  return { text, enough: anyName || anywhere };
}

/** Tells of rows whether their names have one of the endings. */
export function endsWith(bytes: Uint8Array, { nameAt }: Tree, { texts }: Endings): (row: number) => boolean {
  const endings = texts.map((text) => Uint8Array.from(Buffer.from(text)));
  // Most names are done with after a look at their last byte.
  const lasts = new Uint8Array(256);
  for (const ending of endings) lasts[ending.at(-1) ?? 0] = 1;
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

const SAMPLED = 61;
const FEW = 20_000;

/** Whether so few rows of a span pass, by a look at some of them, that each can be looked at by itself. */
export function isRare(passes: (row: number) => boolean, { from, to }: Span): boolean {
  let passed = 0;
  for (let row = from; row <= to; row += SAMPLED) if (passes(row)) passed++;
  return passed * SAMPLED <= FEW;
}
