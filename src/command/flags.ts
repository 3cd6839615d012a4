import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorText, PinholeError } from '../contract/errors.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads flags; a wrong one becomes an `invalid_parameter` error that names it. */
export function readFlags<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    // Node's advice follows in further sentences and lines.
    const [first = ''] = errorText(error).split(/\.(?:\s|$)/);
    const dashed = /^Option '(.*)' argument is ambiguous$/.exec(first);
    const message =
      dashed !== null
        ? `Write a value that starts with a dash as ${dashed[1]}=-VALUE`
        : /^Unknown option '(?!--?[A-Za-z][\w-]*')/.test(first)
          ? `${first}. Write -- in front of a text that starts with dashes`
          : first;
    throw new PinholeError('invalid_parameter', `${message}. See --help.`, { cause: error });
  }
}

/** A whole number from a flag, or an error that names the range. */
export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new PinholeError('invalid_parameter', `--${name} must be a whole number from ${min} to ${max}.`);
}
