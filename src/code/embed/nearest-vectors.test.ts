import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearest } from './nearest-vectors.ts';
import { toUnit } from './static-model.ts';
import { VectorWriter } from './vector-writer.ts';
import { meanSimilarity, similarity, type Vectors, vectorAt } from './vectors.ts';

const DIMENSIONS = 128;

/** Normal-like values from a fixed seed. */
function noise(seed: number): () => number {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return () => next() + next() + next() - 1.5;
}

/** Vectors around a few centres, as the chunks of a repository are. */
function clustered(count: number, seed: number): { vectors: Vectors; raw: Float32Array[] } {
  const value = noise(seed);
  const centres = Array.from({ length: 40 }, () => Float32Array.from({ length: DIMENSIONS }, value));
  const writer = new VectorWriter(DIMENSIONS);
  const raw = Array.from({ length: count }, (_, at) => {
    const centre = centres[at % centres.length] ?? new Float32Array(DIMENSIONS);
    return toUnit(Float32Array.from(centre, (one) => one + 0.8 * value()));
  });
  for (const vector of raw) writer.add(vector);
  return { vectors: writer.finish(), raw };
}

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, one, at) => sum + one * (b[at] ?? 0), 0);

describe('nearest', () => {
  it('finds nearly all true neighbours through sign bits', () => {
    const { vectors, raw } = clustered(6000, 7);
    const value = noise(99);
    let found = 0;
    for (let round = 0; round < 20; round++) {
      const asked = toUnit(Float32Array.from(raw[round * 37] ?? [], (one) => one + 0.05 * value()));
      const exact = raw
        .map((vector, at) => [dot(vector, asked), at] as const)
        .sort((a, b) => b[0] - a[0])
        .slice(0, 10)
        .map(([, at]) => at);
      const near = new Set(
        nearest([vectors], asked, 200)
          .slice(0, 10)
          .map(({ at }) => at),
      );
      found += exact.filter((at) => near.has(at)).length;
    }
    expect(found / 200).toBeGreaterThanOrEqual(0.97);
  });

  it('numbers sets apart and obeys the filter', () => {
    const first = clustered(10, 1);
    const second = clustered(10, 2);
    const asked = second.raw[3] ?? new Float32Array(DIMENSIONS);
    const [best] = nearest([first.vectors, second.vectors], asked, 5);
    expect(best).toMatchObject({ set: 1, at: 3 });
    expect(best?.score).toBeCloseTo(1, 2);
    const others = nearest([first.vectors, second.vectors], asked, 20, (set, at) => !(set === 1 && at === 3));
    expect(others.length).toBe(19);
    expect(others.some(({ set, at }) => set === 1 && at === 3)).toBe(false);
  });

  it('stores vectors within a hundredth', () => {
    fc.assert(
      fc.property(
        fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 32, maxLength: 32 }),
        (values) => {
          const vector = toUnit(Float32Array.from(values));
          const writer = new VectorWriter(32);
          writer.add(vector);
          const stored = writer.finish();
          const back = vectorAt(stored, 0);
          for (let at = 0; at < 32; at++)
            expect(Math.abs((back[at] ?? 0) - (vector[at] ?? 0))).toBeLessThan(0.01);
          expect(Math.abs(similarity(stored, 0, vector) - dot(vector, vector))).toBeLessThan(0.02);
          expect(Math.abs(meanSimilarity([stored], vector) - dot(vector, vector))).toBeLessThan(1e-5);
        },
      ),
    );
  });
});
