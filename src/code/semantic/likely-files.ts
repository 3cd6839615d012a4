import { setTimeout as delay } from 'node:timers/promises';

/** The paths of files whose text contains a word, in any case. */
export type FilesWith = (word: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Looking for more words than this takes longer than reading in a worse order. */
const MAX_WORDS = 8;
const MIN_LETTERS = 3;
/** A search has a few seconds, and most of them are for reading. */
const MAX_SEARCH_MS = 1_000;

/**
 * How much of a question the files contain, by path, from 0 to 1; rare words count more. Words that take too long to
 * find are left out.
 */
export async function likelyFiles(
  words: Iterable<string>,
  filesWith: FilesWith,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const wanted = [...new Set([...words].map(searchedWord))].filter(({ length }) => length >= MIN_LETTERS);
  wanted.sort((a, b) => b.length - a.length);
  const late = new AbortController();
  const timeUp = delay(MAX_SEARCH_MS, undefined, { signal: late.signal, ref: false }).then(
    () => late.abort(),
    () => {},
  );
  const stop = AbortSignal.any([signal, late.signal]);
  const found: (readonly string[])[] = [];
  const looking = wanted.slice(0, MAX_WORDS).map(async (word) => {
    const paths = await filesWith(word, stop);
    if (paths.length > 0) found.push(paths);
  });
  // A word that fails only makes the order less exact.
  await Promise.race([Promise.allSettled(looking), timeUp]);
  late.abort();
  return shares(found);
}

/** Stems end in `i` where the word may end in `y`: `retri` is part of `retries` but not of `retry`. */
function searchedWord(stem: string): string {
  return stem.replace(/i$/, '');
}

function shares(found: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const most = Math.max(1, ...found.map(({ length }) => length));
  let all = 0;
  for (const paths of found) {
    const weight = Math.log2(1 + most / paths.length);
    all += weight;
    for (const path of paths) sums.set(path, (sums.get(path) ?? 0) + weight);
  }
  return new Map([...sums].map(([path, sum]) => [path, sum / all]));
}
