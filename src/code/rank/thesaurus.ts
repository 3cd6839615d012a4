import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { weightsFolder } from '../embed/static-embedder.ts';
import type { WeightedTerm } from '../words/score-words.ts';
import { splitWords } from '../words/split-words.ts';
import { stem } from '../words/stem.ts';
import { identifierTerms } from '../words/terms.ts';
import { STOP_WORDS } from './query-terms.ts';

/** What code calls the things a question mentions. */
export interface AlikeWords {
  /** For the word index, each once and none of the question's own. */
  readonly terms: readonly WeightedTerm[];
  /** The same words as one text, to make a vector of; empty if there are none. */
  readonly text: string;
}

/** Words of one entry that count; each counts a tenth less than the one before it. */
const MAX_WORDS = 10;
const LATER_WORD = 0.1;
const MAX_PHRASE = 3;

/** Entries by the stems of what people say: the words of code, best first. */
type Entries = ReadonlyMap<string, string>;
let shipped: Entries | undefined;

/** Reads `thesaurus.tsv` of a model folder; a line has what people say, a tab, and words of code. */
export function readThesaurus(text: string): Entries {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [said, words] = line.split('\t');
    if (said !== undefined && words !== undefined) found.set(stems(said).join(' '), words);
  }
  return found;
}

/** Looks up each word and phrase of a question; of a phrase that has an entry, the single words are not looked up. */
export function alikeWords(question: string, thesaurus: Entries = shippedEntries()): AlikeWords {
  const asked = stems(question);
  const own = new Set(asked);
  const terms = new Map<string, number>();
  const words: string[] = [];
  for (let from = 0; from < asked.length; ) {
    const [length, entry] = longestEntry(asked, from, thesaurus);
    for (const [place, word] of entry.entries()) {
      words.push(word);
      const weight = 1 / (1 + LATER_WORD * place);
      for (const term of identifierTerms(word))
        if (!own.has(term)) terms.set(term, Math.max(terms.get(term) ?? 0, weight));
    }
    from += length;
  }
  return { terms: [...terms].map(([term, weight]) => ({ term, weight })), text: words.join(' ') };
}

function shippedEntries(): Entries {
  shipped ??= readThesaurus(readFileSync(join(weightsFolder(), 'thesaurus.tsv'), 'utf8'));
  return shipped;
}

function longestEntry(
  asked: readonly string[],
  from: number,
  thesaurus: Entries,
): readonly [length: number, words: readonly string[]] {
  for (let length = Math.min(MAX_PHRASE, asked.length - from); length > 0; length--) {
    const said = asked.slice(from, from + length).join(' ');
    const words = length === 1 && STOP_WORDS.has(said) ? undefined : thesaurus.get(said);
    if (words !== undefined) return [length, words.split(' ').slice(0, MAX_WORDS)];
  }
  return [1, []];
}

function stems(text: string): string[] {
  return splitWords(text).map((word) => stem(word.toLowerCase()));
}
