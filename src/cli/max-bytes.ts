import { wholeNumber } from '../command/flags.ts';
import { BUDGET } from '../contract/caller.ts';

/** The most that one answer may have where nobody set a limit: more than anybody reads. */
export const UNLIMITED_BYTES = 50_000_000;

/** The limit that was asked for with `--max-bytes` or the variable, as over MCP; a person has none by default. */
export function maxBytes(flag: string | undefined): number {
  const given = flag ?? process.env.PINHOLE_MAX_BYTES;
  if (given === undefined || given === '') return UNLIMITED_BYTES;
  // The line break after an answer is one of them.
  return (
    wholeNumber(
      flag === undefined ? 'PINHOLE_MAX_BYTES' : '--max-bytes',
      given,
      BUDGET.min,
      UNLIMITED_BYTES,
    ) - 1
  );
}
