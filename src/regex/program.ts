import type { CharSet } from './charset.ts';
import { type Look, type Syntax, UnsupportedPattern } from './syntax.ts';

/** One step of a compiled pattern; numbers are indexes into the program. */
export type Step =
  | { readonly op: 'set'; readonly set: CharSet; next: number }
  /** `first` is preferred. */
  | { readonly op: 'split'; first: number; second: number }
  | { readonly op: 'look'; readonly look: Look; readonly unicode: boolean; next: number }
  | { readonly op: 'match' };

/** A pattern as a machine without captures. */
export interface Program {
  readonly steps: readonly Step[];
  readonly start: number;
}

/** Larger programs are left to ripgrep, which has its own limits on size and time. */
const MAX_STEPS = 20_000;

/** Compiles a parsed pattern. */
export function compile(syntax: Syntax): Program {
  const compiler = new Compiler();
  const end = compiler.add({ op: 'match' });
  const start = compiler.emit(syntax, end);
  return { steps: compiler.steps, start };
}

/** Compiles from the end to the start, so that every step knows its successor. */
class Compiler {
  readonly steps: Step[] = [];

  add(step: Step): number {
    if (this.steps.length >= MAX_STEPS) throw new UnsupportedPattern('a very large pattern');
    return this.steps.push(step) - 1;
  }

  emit(syntax: Syntax, next: number): number {
    switch (syntax.kind) {
      case 'empty':
        return next;
      case 'set':
        return this.add({ op: 'set', set: syntax.set, next });
      case 'look':
        return this.add({ op: 'look', look: syntax.look, unicode: syntax.unicode, next });
      case 'concat':
        return syntax.parts.reduceRight((after, part) => this.emit(part, after), next);
      case 'choice':
        return syntax.parts
          .map((part) => this.emit(part, next))
          .reduceRight((second, first) => this.add({ op: 'split', first, second }));
      case 'repeat':
        return this.#repeat(syntax, next);
    }
  }

  #repeat(syntax: Extract<Syntax, { kind: 'repeat' }>, next: number): number {
    const { part, min, max, greedy } = syntax;
    let after = next;
    if (max === Number.POSITIVE_INFINITY) after = this.#loop(part, next, greedy);
    else {
      for (let copy = min; copy < max; copy++) {
        const body = this.emit(part, after);
        after = this.#fork(body, next, greedy);
      }
    }
    for (let copy = 0; copy < min; copy++) after = this.emit(part, after);
    return after;
  }

  #loop(part: Syntax, next: number, greedy: boolean): number {
    const fork = this.add({ op: 'split', first: next, second: next });
    const body = this.emit(part, fork);
    const step = this.steps[fork];
    if (step?.op === 'split') Object.assign(step, greedy ? { first: body } : { second: body });
    return fork;
  }

  #fork(body: number, next: number, greedy: boolean): number {
    return this.add({ op: 'split', first: greedy ? body : next, second: greedy ? next : body });
  }
}

/** What is on either side of a position in a line. */
export interface Surroundings {
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly wordBefore: boolean;
  readonly wordAfter: boolean;
  /** The neighbour is not UTF-8: looks for the absence of a word do not hold there. */
  readonly brokenBefore: boolean;
  readonly brokenAfter: boolean;
}

/** Whether a position in a line satisfies a look. */
export function holds(look: Look, around: Surroundings): boolean {
  const { wordBefore, wordAfter, brokenBefore, brokenAfter } = around;
  switch (look) {
    case 'line-start':
      return around.atStart;
    case 'line-end':
      return around.atEnd;
    case 'word':
      return wordBefore !== wordAfter;
    case 'not-word':
      return wordBefore === wordAfter && !brokenBefore && !brokenAfter;
    case 'word-start':
      return !wordBefore && wordAfter;
    case 'word-end':
      return wordBefore && !wordAfter;
    case 'word-start-half':
      return !wordBefore && !brokenBefore;
    case 'word-end-half':
      return !wordAfter && !brokenAfter;
  }
}
