import { byteLength } from './bytes.ts';
import { PinholeError } from './errors.ts';
import type { RawInput } from './input.ts';

/** The arguments of one call, as JSON. */
export const INPUT_BYTES = 1_000_000;
const INPUT_DEPTH = 100;

/** What is wrong with the size of a call's arguments. Asked before they are sent anywhere or looked at closely. */
export function inputTooLarge(raw: RawInput): PinholeError | undefined {
  if (isDeeper(raw, INPUT_DEPTH)) {
    return new PinholeError(
      'invalid_parameter',
      `The arguments of a call must be nested at most ${INPUT_DEPTH} levels deep.`,
    );
  }
  if (byteLength(JSON.stringify(raw)) > INPUT_BYTES) {
    return new PinholeError(
      'invalid_parameter',
      `The arguments of a call must be at most ${INPUT_BYTES.toLocaleString('en')} bytes of JSON in all. Send less.`,
    );
  }
  return undefined;
}

/** Level by level, because a recursive walk would overflow on what it is meant to find. */
function isDeeper(value: object, most: number): boolean {
  let level: object[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((outer) => Object.values(outer).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
