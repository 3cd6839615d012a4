import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorText, PinholeError } from '../contract/errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads flags; a wrong one is an `invalid_parameter` that names it. */
export function readFlags<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    // Its advice comes in further sentences and lines.
    const [first = ''] = errorText(error).split(/\.(?:\s|$)/);
    const dashed = /^Option '(.*)' argument is ambiguous$/.exec(first);
    const message = dashed === null ? first : `A value with a dash is written ${dashed[1]}=-VALUE`;
    throw new PinholeError('invalid_parameter', `${message}. --help shows what is taken.`, { cause: error });
  }
}

/** A whole number from a flag, or an error that says the range. */
export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new PinholeError('invalid_parameter', `--${name} must be a whole number, ${min}..${max}.`);
}
