import type { Wire } from './tap.ts';

/** What a run of a client showed. */
export interface Observed {
  readonly version: string;
  readonly wire: Wire;
  /** Tool results as the model, or the program that uses the library, gets them. */
  readonly shown: readonly string[];
  /** Tools whose names reached the model. */
  readonly visible: readonly string[];
  /** What the client printed, for a failing test. */
  readonly output: string;
}

/** Whether the whole answer is in what was shown, as it is or as a string inside JSON. */
export function holdsWhole(shown: string, answer: string): boolean {
  return shown.includes(answer) || shown.includes(JSON.stringify(answer).slice(1, -1));
}
