import { dayWords, passageWords } from './passage-words.ts';

/** A piece of what was said in a session. */
export interface Passage {
  readonly session: string;
  readonly event: number;
  readonly turn: number;
  readonly ms: number;
  readonly words: Uint32Array;
  readonly vector: Int8Array;
  /** The vector is its integers times this factor. */
  readonly factor: number;
}

export interface FoundSession {
  readonly session: string;
  readonly score: number;
  /** Its passages, nearest first. */
  readonly passages: readonly Passage[];
}

/** The words of a question, and its vector. */
export interface Question {
  readonly text: string;
  readonly vector: Float32Array;
}

const K = 1.2;
const B = 0.75;
/**
 * Words of a session and of its best passage count fully, meaning counts half as much, as the benchmark showed best.
 */
const MEANING = 0.5;
const MAX_PASSAGES = 3;

/** Ranks sessions by how well their text answers a question, the best first. */
export function rankSessions(
  { text, vector }: Question,
  passages: readonly Passage[],
): readonly FoundSession[] {
  const asked = [...new Set(passageWords(text))];
  const counted = passages.map(({ words }) => countOf(words, asked));
  const sessions = new Map<string, { counts: Float64Array; length: number; of: number[]; startMs: number }>();
  for (const [at, { session, words, ms }] of passages.entries()) {
    const known = sessions.get(session) ?? {
      counts: new Float64Array(asked.length),
      length: 0,
      of: [],
      startMs: ms,
    };
    for (const [term, times] of (counted[at] ?? []).entries())
      known.counts[term] = (known.counts[term] ?? 0) + times;
    known.length += words.length;
    known.startMs = Math.min(known.startMs, ms);
    known.of.push(at);
    sessions.set(session, known);
  }
  for (const known of sessions.values())
    for (const [term, times] of countOf(dayWords(known.startMs), asked).entries())
      known.counts[term] = (known.counts[term] ?? 0) + times;
  const inPassages = wordScores(
    passages.map(({ words }, at) => ({ counts: counted[at] ?? [], length: words.length })),
  );
  const near = passages.map((passage) => similarity(passage, vector));
  const listed = [...sessions];
  const inSessions = wordScores(listed.map(([, { counts, length }]) => ({ counts: [...counts], length })));
  const best = (scores: readonly number[]) =>
    spread(
      listed.map(([, { of }]) =>
        of.reduce((top, at) => Math.max(top, scores[at] ?? 0), Number.NEGATIVE_INFINITY),
      ),
    );
  const parts = [spread(inSessions), best(inPassages), best(near)] as const;
  const ofPassage = (at: number) => (inPassages[at] ?? 0) + MEANING * (near[at] ?? 0);
  return listed
    .map(([session, { of }], at) => ({
      session,
      score: (parts[0][at] ?? 0) + (parts[1][at] ?? 0) + MEANING * (parts[2][at] ?? 0),
      passages: of
        .toSorted((a, b) => ofPassage(b) - ofPassage(a))
        .slice(0, MAX_PASSAGES)
        .flatMap((one) => passages[one] ?? []),
    }))
    .sort((a, b) => b.score - a.score);
}

/** How often each asked word occurs. */
function countOf(words: Uint32Array, asked: readonly number[]): number[] {
  const counts = asked.map(() => 0);
  for (const word of words) {
    const term = asked.indexOf(word);
    if (term >= 0) counts[term] = (counts[term] ?? 0) + 1;
  }
  return counts;
}

/** BM25 over texts, given only the counts of the asked words. */
function wordScores(
  texts: readonly { readonly counts: readonly number[]; readonly length: number }[],
): number[] {
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const terms = texts[0]?.counts.length ?? 0;
  const rarity = Array.from({ length: terms }, (_, term) => {
    const having = texts.filter(({ counts }) => (counts[term] ?? 0) > 0).length;
    return Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
  });
  return texts.map(({ counts, length }) =>
    counts.reduce((sum, times, term) => {
      if (times === 0) return sum;
      return (
        sum +
        ((rarity[term] ?? 0) * times * (K + 1)) / (times + K * (1 - B + (B * length) / Math.max(1, average)))
      );
    }, 0),
  );
}

/** How similar a passage is to a question: 1 if they mean the same. */
export function similarity(
  { vector, factor }: Pick<Passage, 'vector' | 'factor'>,
  asked: Float32Array,
): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (asked[at] ?? 0);
  return sum * factor;
}

/** Scales scores to the range from 0 to 1. */
function spread(scores: readonly number[]): number[] {
  const highest = scores.reduce((top, score) => Math.max(top, score), Number.NEGATIVE_INFINITY);
  const lowest = scores.reduce((low, score) => Math.min(low, score), Number.POSITIVE_INFINITY);
  return scores.map((score) => (highest === lowest ? 0 : (score - lowest) / (highest - lowest)));
}
