import { eachIdentifier, identifierTerms, WHOLE_MARK } from '../words/terms.ts';
import type { DefinitionUnit } from './definition-units.ts';

/**
 * Which definitions of a file have a word, and how often: an inverted index of its definitions, made once, so that a
 * question reads only what its own words found. Words are kept as hashes.
 */
export interface DefinitionWords {
  /** Hashes of all words, ascending. */
  readonly hashes: Uint32Array;
  /** Where the entries of each word begin in the three lists below; one more than there are words. */
  readonly starts: Uint32Array;
  readonly units: Uint16Array;
  /** The lines of the definition that have the word, with extra counts for its signature and name. */
  readonly counts: Uint16Array;
  /** 1 where the word is part of the definition's name. */
  readonly named: Uint8Array;
  /** How many words the name of each definition has. */
  readonly nameLengths: Uint8Array;
}

/** How often the words of the name and of the signature count; those of the other lines count once. */
const [NAME_COUNT, SIGNATURE_COUNT] = [3, 1];
const NAMED_BIT = 1 << 15;

/** The words of definitions. */
export function definitionWords(units: readonly DefinitionUnit[], lines: readonly string[]): DefinitionWords {
  const byLine = new Map<number, ReadonlySet<string>>();
  const found = new Map<string, number[]>();
  const nameLengths = new Uint8Array(units.length);
  for (const [at, { ownName, signature, lead, end }] of units.entries()) {
    const own = new Map<string, number>();
    const add = (word: string, times: number): void => {
      own.set(word, (own.get(word) ?? 0) + times);
    };
    for (let line = lead; line <= end; line++) {
      const known = byLine.get(line) ?? wordsOf(lines[line - 1] ?? '');
      byLine.set(line, known);
      for (const word of known) add(word, 1);
    }
    for (const word of wordsOf(signature)) add(word, SIGNATURE_COUNT);
    const name = new Set(identifierTerms(ownName).filter((term) => !term.startsWith(WHOLE_MARK)));
    nameLengths[at] = name.size;
    for (const word of name) add(word, NAME_COUNT);
    for (const [word, count] of own) {
      const entry = [at, Math.min(count, NAMED_BIT - 1) | (name.has(word) ? NAMED_BIT : 0)] as const;
      const entries = found.get(word);
      if (entries === undefined) found.set(word, [...entry]);
      else entries.push(...entry);
    }
  }
  return { ...packed(found), nameLengths };
}

function packed(found: ReadonlyMap<string, readonly number[]>): Omit<DefinitionWords, 'nameLengths'> {
  const sorted = [...found].map(([word, entries]) => ({ hash: hashOf(word), entries }));
  sorted.sort((a, b) => a.hash - b.hash);
  const size = sorted.reduce((sum, { entries }) => sum + entries.length / 2, 0);
  const hashes = Uint32Array.from(sorted, ({ hash }) => hash);
  const starts = new Uint32Array(sorted.length + 1);
  const [units, counts, named] = [new Uint16Array(size), new Uint16Array(size), new Uint8Array(size)];
  let next = 0;
  for (const [word, { entries }] of sorted.entries()) {
    for (let at = 0; at < entries.length; at += 2) {
      const count = entries[at + 1] ?? 0;
      units[next] = entries[at] ?? 0;
      counts[next] = count & (NAMED_BIT - 1);
      named[next++] = count >> 15;
    }
    starts[word + 1] = next;
  }
  return { hashes, starts, units, counts, named };
}

/** Where the entries of a word begin and end. */
export function entriesOf({ hashes, starts }: DefinitionWords, word: string): [from: number, to: number] {
  const hash = hashOf(word);
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? [starts[low] ?? 0, starts[low + 1] ?? 0] : [0, 0];
}

export function wordBytes({ hashes, starts, units, counts, named, nameLengths }: DefinitionWords): number {
  return [hashes, starts, units, counts, named, nameLengths].reduce((sum, list) => sum + list.byteLength, 0);
}

function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  eachIdentifier(text, (from, to) => {
    for (const term of identifierTerms(text.slice(from, to))) {
      if (!term.startsWith(WHOLE_MARK)) words.add(term);
    }
  });
  return words;
}

/** FNV-1a of 32 bits. Two words of one file share a hash once in millions of words; then they count as one. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
