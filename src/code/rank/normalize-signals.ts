import { meanSimilarity } from '../embed/vectors.ts';
import type { Evidence, Measured } from './measure-signals.ts';
import type { Signal, SignalValues } from './signal-weights.ts';

/** A file that may be an answer, with all signals on one scale. */
export interface Candidate {
  readonly file: number;
  /** Its chunks, best first, each with its worth by its own text. */
  readonly chunks: readonly { readonly chunk: number; readonly worth: number }[];
  readonly signals: SignalValues;
}

const BY_TOP: readonly Signal[] = ['words', 'wordsTop3', 'wordsHead', 'alike', 'alikeTop3'];
const EPSILON = 1e-9;

/**
 * Scales measurements so that they can be added: similarities go from what an average vector scores (0)
 * to the best candidate (1), word scores from zero to the best.
 */
export function normalize(
  { index, vector, alikeVector, titleVector }: Evidence,
  measured: readonly Measured[],
): Candidate[] {
  const top = (signal: Signal): number =>
    measured.reduce((max, one) => Math.max(max, one.signals[signal]), EPSILON);
  const average = (kind: 'chunkVectors' | 'fileVectors' | 'pathVectors', asked = vector): number =>
    asked === undefined
      ? 0
      : meanSimilarity(
          index.parts.map(({ segment }) => segment[kind]),
          asked,
        );
  const chunkBase = average('chunkVectors');
  const bases: readonly (readonly [Signal, number])[] = [
    ['semantic', chunkBase],
    ['semanticTop3', chunkBase],
    ['semanticFile', average('fileVectors')],
    ['semanticPath', average('pathVectors')],
    ['titleSemantic', titleVector === undefined ? 0 : average('chunkVectors', titleVector)],
    ['semanticAlike', alikeVector === undefined ? 0 : average('chunkVectors', alikeVector)],
    ...BY_TOP.map((signal) => [signal, 0] as const),
  ];
  const scales = bases.map(([signal, base]) => ({
    signal,
    base,
    span: Math.max(EPSILON, top(signal) - base),
  }));
  const semanticSpan = Math.max(EPSILON, top('semantic') - chunkBase);
  const wordsTop = top('words');
  return measured.map(({ file, chunks, signals }) => ({
    file,
    chunks: chunks
      .map(({ chunk, semantic, words, defines }) => ({
        chunk,
        worth:
          (vector === undefined ? 0 : (semantic - chunkBase) / semanticSpan) +
          words / wordsTop +
          (defines ? 1 : 0),
      }))
      .sort((a, b) => b.worth - a.worth),
    signals: scaled(signals, scales),
  }));
}

interface Scale {
  readonly signal: Signal;
  readonly base: number;
  readonly span: number;
}

function scaled(signals: SignalValues, scales: readonly Scale[]): SignalValues {
  const copy: { -readonly [Name in Signal]: number } = { ...signals };
  for (const { signal, base, span } of scales) copy[signal] = Math.max(0, (signals[signal] - base) / span);
  return copy;
}
