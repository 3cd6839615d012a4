import { at } from '../../contract/at.ts';
import { ownText } from '../words/own-text.ts';
import { foldDiacritics, scanWords } from '../words/split-words.ts';
import { SpanTable } from './span-table.ts';

/** Words that the model never saw, because they mean nothing in code or prose. */
export const SKIPPED: ReadonlySet<string> = new Set(
  'the an of to is in and or for this that it as be on with by if else return self let const var end then are was we you'.split(
    ' ',
  ),
);

/** Ids 0 and 1 are padding and separator; hash buckets follow the words. */
const FIRST_WORD = 2;
const HASH_BUCKETS = 512;
const MAX_PIECE_LENGTH = 18;
const MIN_PIECE_LENGTH = 3;
const SKIP_COST = 1.2;
const MAX_CACHED_WORDS = 20_000;

/** Turns text into token ids of the embedding model. */
export interface Vocabulary {
  /** Number of rows the model's table must have. */
  readonly size: number;
  /** The ids of a text, in a buffer that the next call overwrites. */
  encode(text: string): Int32Array;
}

/**
 * A vocabulary over a list of words (`words[id]`). A word outside the list is cut into the cheapest sequence of known
 * pieces, or falls into a hash bucket if more than a third of its letters would be lost.
 */
export function createVocabulary(words: readonly string[]): Vocabulary {
  const table = new SpanTable([...words.slice(FIRST_WORD), ...SKIPPED]);
  const firstSkipped = words.length;
  const known = (piece: string): number | undefined => {
    const place = table.find(piece, 0, piece.length);
    return place === -1 || place + FIRST_WORD >= firstSkipped ? undefined : place + FIRST_WORD;
  };
  let cuts = new Map<string, readonly number[]>();
  let buffer = new Int32Array(4096);

  const bucket = (word: string): number => {
    let hash = 0x811c9dc5;
    for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
    return words.length + ((hash >>> 0) % HASH_BUCKETS);
  };

  const pieces = (word: string): readonly number[] => {
    const cached = cuts.get(word);
    if (cached !== undefined) return cached;
    const found = cheapestCut(word, known) ?? [bucket(word)];
    if (cuts.size >= MAX_CACHED_WORDS) cuts = new Map();
    cuts.set(ownText(word), found);
    return found;
  };

  return {
    size: words.length + HASH_BUCKETS,
    encode(text) {
      const plain = foldDiacritics(text);
      // Every token comes from at least two letters, so this many fit.
      if (buffer.length < plain.length) buffer = new Int32Array(2 * plain.length);
      let length = 0;
      scanWords(plain, (start, end) => {
        const place = table.find(plain, start, end);
        if (place === -1) {
          for (const id of pieces(plain.slice(start, end).toLowerCase())) buffer[length++] = id;
        } else if (place + FIRST_WORD < firstSkipped) buffer[length++] = place + FIRST_WORD;
      });
      return buffer.subarray(0, length);
    },
  };
}

/** One step of the best cut that ends at a position. */
interface Step {
  readonly cost: number;
  readonly from: number;
  /** The piece's id, or 0 for a skipped letter. */
  readonly id: number;
}

/** Known pieces of at least three letters cost 1 each, skipped letters 1.2; undefined if too much is lost. */
function cheapestCut(
  word: string,
  known: (piece: string) => number | undefined,
): readonly number[] | undefined {
  const best: Step[] = [{ cost: 0, from: 0, id: 0 }];
  const offer = (end: number, step: Step): void => {
    const old = best[end];
    if (old === undefined || step.cost < old.cost) best[end] = step;
  };
  for (let from = 0; from < word.length; from++) {
    const cost = at(best, from).cost;
    offer(from + 1, { cost: cost + SKIP_COST, from, id: 0 });
    for (let to = from + MIN_PIECE_LENGTH; to <= word.length && to - from <= MAX_PIECE_LENGTH; to++) {
      const id = known(word.slice(from, to));
      if (id !== undefined) offer(to, { cost: cost + 1, from, id });
    }
  }
  const cut: number[] = [];
  let lost = 0;
  for (let end = word.length; end > 0; ) {
    const step = at(best, end);
    if (step.id === 0) lost++;
    else cut.push(step.id);
    end = step.from;
  }
  return cut.length === 0 || lost * 3 > word.length ? undefined : cut.reverse();
}
