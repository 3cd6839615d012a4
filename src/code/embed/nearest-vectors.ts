import { at, float64At, uint16At, uint32At } from '../../contract/at.ts';
import { packSigns, similarity, type Vectors } from './vectors.ts';

/** A stored vector and its dot product with the query vector. */
export interface Near {
  readonly set: number;
  readonly at: number;
  readonly score: number;
}

/** How many of the nearest sketches are scored exactly per wanted result. */
const SKETCHES_PER_RESULT = 4;
/** Fewer vectors than this are all scored exactly, because sketches would save nothing. */
const EXACT_BELOW = 2000;
/** Sketches that are read from a file at once. */
const SKETCHES_AT_ONCE = 4096;

/**
 * The vectors with the largest dot products: a scan of sign bits picks candidates, which are then scored exactly.
 * With four candidates per result, at least 99 of 100 true neighbours are found; see the tests.
 */
export function nearest(
  sets: readonly Vectors[],
  vector: Float32Array,
  wanted: number,
  accept: (set: number, at: number) => boolean = () => true,
): Near[] {
  const count = sets.reduce((sum, set) => sum + set.count, 0);
  const found =
    count < EXACT_BELOW
      ? accepted(sets, accept)
      : nearestSketches(sets, vector, wanted * SKETCHES_PER_RESULT, accept);
  const scores = Float64Array.from(found, ([set, row]) => similarity(at(sets, set), row, vector));
  // Numbers are sorted much faster than objects, and most are not wanted.
  const least = scores.length <= wanted ? Number.NEGATIVE_INFINITY : nth(scores, scores.length - wanted);
  const best: Near[] = [];
  for (const [place, [set, row]] of found.entries()) {
    const score = float64At(scores, place);
    if (score >= least) best.push({ set, at: row, score });
  }
  return best.sort((a, b) => b.score - a.score).slice(0, wanted);
}

/** The number at a place in ascending order. */
function nth(numbers: Float64Array, place: number): number {
  return float64At(Float64Array.from(numbers).sort(), place);
}

function accepted(
  sets: readonly Vectors[],
  accept: (set: number, at: number) => boolean,
): [set: number, at: number][] {
  const found: [number, number][] = [];
  for (const [set, { count }] of sets.entries()) {
    for (let row = 0; row < count; row++) if (accept(set, row)) found.push([set, row]);
  }
  return found;
}

/** The vectors whose signs agree most with those of the given vector. */
function nearestSketches(
  sets: readonly Vectors[],
  vector: Float32Array,
  wanted: number,
  accept: (set: number, at: number) => boolean,
): [set: number, at: number][] {
  const words = Math.ceil(vector.length / 32);
  const asked = new Uint32Array(words);
  packSigns(vector, asked, 0);
  const histogram = new Uint32Array(vector.length + 1);
  const scratch = new ArrayBuffer(SKETCHES_AT_ONCE * words * Uint32Array.BYTES_PER_ELEMENT);
  const distances = sets.map(({ signs, count }, set) => {
    const own = new Uint16Array(count).fill(vector.length + 1);
    for (let from = 0; from < count; from += SKETCHES_AT_ONCE) {
      const to = Math.min(count, from + SKETCHES_AT_ONCE);
      const sketches = signs.read(from * words, to * words, scratch);
      for (let at = from; at < to; at++) {
        if (!accept(set, at)) continue;
        const start = (at - from) * words;
        let distance = 0;
        for (let word = 0; word < words; word++) {
          distance += bitCount((sketches[start + word] ?? 0) ^ (asked[word] ?? 0));
        }
        own[at] = distance;
        histogram[distance] = uint32At(histogram, distance) + 1;
      }
    }
    return own;
  });
  let limit = 0;
  for (let total = uint32At(histogram, 0); total < wanted && limit < vector.length; )
    total += uint32At(histogram, ++limit);
  const found: [number, number][] = [];
  for (const [set, own] of distances.entries()) {
    for (let at = 0; at < own.length; at++) if (uint16At(own, at) <= limit) found.push([set, at]);
  }
  return found;
}

function bitCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
