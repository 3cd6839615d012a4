import { float64At } from '../../contract/at.ts';

/** Definitions that the network reads, and how many of them are the first ones of the search. */
export const READ_DEFINITIONS = 32;
const SEARCHED = 16;

/**
 * Numbers of definitions in the order in which they are worth reading: the first ones of the search, then the others as
 * their facts and nearest words choose them.
 */
export function readingOrder(choice: Float64Array): number[] {
  const numbers = [...choice.keys()];
  const others = numbers.slice(SEARCHED).sort((a, b) => float64At(choice, b) - float64At(choice, a));
  return [...numbers.slice(0, SEARCHED), ...others];
}
