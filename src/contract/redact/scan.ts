import type { Trigger } from './finding.ts';

// Three characters of five bits each: letters of either case fall together, which suits words in any case.
const GRAMS = 1 << 15;
const CHUNK_CHARACTERS = 1 << 16;
const scratch = Buffer.allocUnsafe(CHUNK_CHARACTERS);

/** Calls back for every place where a trigger word occurs, in order. */
export type Scanner = (text: string, onHit: (trigger: Trigger, at: number) => void) => void;

/** Says whether a trigger word occurs anywhere in a part of some UTF-8 text: without one there is nothing to find. */
export type ByteTest = (bytes: Uint8Array, from: number, to: number) => boolean;

interface Grams {
  /** For each gram the number of its bucket, or 0. */
  readonly slots: Uint8Array;
  readonly buckets: readonly (readonly Trigger[])[];
}

function gramsOf(triggers: readonly Trigger[]): Grams {
  const slots = new Uint8Array(GRAMS);
  const buckets: Trigger[][] = [[]];
  for (const trigger of triggers) {
    const gram = gramOf(trigger.word);
    if (slots[gram] === 0) slots[gram] = buckets.push([]) - 1;
    buckets[slots[gram] ?? 0]?.push(trigger);
  }
  if (buckets.length > 255) throw new RangeError('Too many different trigger words for one scanner.');
  return { slots, buckets };
}

/**
 * Makes one scan out of many trigger words: a table look-up per character says where one may start.
 * Text without triggers passes at the speed of that loop, however many words there are.
 */
export function createScanner(triggers: readonly Trigger[]): Scanner {
  const { slots, buckets } = gramsOf(triggers);
  return (text, onHit) => {
    let gram = 0;
    for (let from = 0; from < text.length; from += CHUNK_CHARACTERS) {
      // Latin-1 keeps one byte per UTF-16 unit, so offsets stay; what it garbles, the comparison below refuses.
      const length = scratch.write(
        text.length > CHUNK_CHARACTERS ? text.slice(from, from + CHUNK_CHARACTERS) : text,
        'latin1',
      );
      for (let i = 0; i < length; i++) {
        gram = ((gram << 5) | ((scratch[i] ?? 0) & 31)) & (GRAMS - 1);
        const slot = slots[gram] ?? 0;
        if (slot === 0) continue;
        const at = from + i - 2;
        if (at < 0) continue;
        for (const trigger of buckets[slot] ?? []) if (standsAt(text, at, trigger)) onHit(trigger, at);
      }
    }
  };
}

/** The same for bytes, where most have no trigger and need not become text: the words are ASCII. */
export function createByteTest(triggers: readonly Trigger[]): ByteTest {
  const { slots, buckets } = gramsOf(triggers);
  return (bytes, from, to) => {
    let gram = 0;
    for (let at = from; at < to; at++) {
      gram = ((gram << 5) | ((bytes[at] ?? 0) & 31)) & (GRAMS - 1);
      const slot = slots[gram] ?? 0;
      if (slot === 0 || at < from + 2) continue;
      for (const trigger of buckets[slot] ?? []) if (bytesStandAt(bytes, at - 2, to, trigger)) return true;
    }
    return false;
  };
}

function gramOf(word: string): number {
  return ((word.charCodeAt(0) & 31) << 10) | ((word.charCodeAt(1) & 31) << 5) | (word.charCodeAt(2) & 31);
}

function standsAt(text: string, at: number, { word, anyCase }: Trigger): boolean {
  if (!anyCase) return text.startsWith(word, at);
  for (let i = 0; i < word.length; i++) {
    const code = text.charCodeAt(at + i);
    const folded = code >= 65 && code <= 90 ? code + 32 : code;
    if (folded !== word.charCodeAt(i)) return false;
  }
  return true;
}

function bytesStandAt(bytes: Uint8Array, at: number, to: number, { word, anyCase }: Trigger): boolean {
  if (at + word.length > to) return false;
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[at + i] ?? 0;
    const folded = anyCase && byte >= 65 && byte <= 90 ? byte + 32 : byte;
    if (folded !== word.charCodeAt(i)) return false;
  }
  return true;
}
