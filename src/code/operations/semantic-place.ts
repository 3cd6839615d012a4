import type { LineSpan } from '../symbols/file-symbols.ts';
import { wholeName } from '../words/terms.ts';
import { termsInLine } from '../words/terms-in-line.ts';
import { bestRun, SNIPPET_LINES } from './best-run.ts';
import { type FileSyntax, isFunction, type NamedDefinition } from './file-syntax.ts';

const SHOWN = { lines: SNIPPET_LINES, characters: Number.POSITIVE_INFINITY };

/** The question, as the ranking understood it. */
export interface AskedFor {
  readonly terms: ReadonlySet<string>;
  /** Names without case and separators. */
  readonly identifiers: ReadonlySet<string>;
}

/** The place that is shown for a hit. */
export interface Place {
  readonly symbol?: string | undefined;
  readonly range: LineSpan;
  /** The line with the most terms of the question; the first line if none has any. */
  readonly best: number;
}

/**
 * The definition behind a hit. A chunk may contain several definitions or a part of one: the line with the most terms
 * of the question decides, or a definition with exactly the name in the question.
 */
export function placeOf(
  chunk: LineSpan,
  lineAt: (line: number) => string,
  syntax: FileSyntax | undefined,
  asked: AskedFor,
): Place {
  const named = syntax?.named(chunk, (name) => asked.identifiers.has(wholeName(name)));
  const best = named?.definition.line ?? bestLine(chunk, lineAt, asked.terms);
  const owner = named ?? (best === undefined ? syntax?.main(chunk) : syntax?.owner(best));
  const range = owner === undefined ? chunk : rangeOf(owner, chunk);
  return { symbol: owner?.name, range, best: best ?? Math.max(range.from, chunk.from) };
}

/** The place of a definition that was chosen before; `whole` has its comment, too. */
export function placeInDefinition(
  symbol: string,
  range: LineSpan,
  whole: LineSpan,
  lineAt: (line: number) => string,
  { terms }: AskedFor,
): Place {
  return { symbol, range, best: bestLine(whole, lineAt, terms) ?? range.from };
}

/** The function of a stack trace, around the line of the trace if that line is still in it. */
export function placeOfCall(
  { name, definition }: NamedDefinition,
  range: LineSpan,
  line: number | undefined,
): Place {
  const isInside = line !== undefined && range.from <= line && line <= range.to;
  return { symbol: name, range, best: isInside ? line : definition.line };
}

/** A function, or anything that fits into the chunk, is shown whole; anything larger only where it was found. */
function rangeOf({ definition }: NamedDefinition, chunk: LineSpan): LineSpan {
  const { from, to } = definition;
  if (isFunction(definition) || to - from <= chunk.to - chunk.from) return { from, to };
  const clipped = { from: Math.max(from, chunk.from), to: Math.min(to, chunk.to) };
  return clipped.from <= clipped.to ? clipped : { from, to };
}

/** The line with the most terms in the best run of lines. */
function bestLine(
  { from, to }: LineSpan,
  lineAt: (line: number) => string,
  asked: ReadonlySet<string>,
): number | undefined {
  const texts = Array.from({ length: Math.max(0, to - from + 1) }, (_none, at) => lineAt(from + at));
  const { first, count } = bestRun(texts, SHOWN, asked);
  let best: number | undefined;
  let most = 0;
  for (const [at, text] of texts.slice(first, first + count).entries()) {
    const { size } = termsInLine(text, asked);
    if (size > most) {
      best = from + first + at;
      most = size;
    }
  }
  return best;
}
