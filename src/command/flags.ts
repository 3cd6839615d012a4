import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorText, PinholeError } from '../contract/errors.ts';
import { nearestName } from '../contract/nearest-name.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Reads flags; a wrong one becomes an `invalid_parameter` error that names it. */
export function readFlags<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    // Node's advice follows in further sentences and lines.
    const [first = ''] = errorText(error).split(/\.(?:\s|$)/);
    const dashed = /^Option '(.*)' argument is ambiguous$/.exec(first);
    const unknown = /^Unknown option '(--?[A-Za-z][\w-]*)'/.exec(first)?.[1];
    const message =
      dashed !== null
        ? `Write a value that starts with a dash as ${dashed[1]}=-VALUE.`
        : unknown !== undefined
          ? `${first}.${guess(unknown, options)}`
          : first.startsWith('Unknown option')
            ? `${first}. Write -- in front of a text that starts with dashes.`
            : `${first}.`;
    throw new PinholeError('invalid_parameter', `${message} See --help.`, { cause: error });
  }
}

/** ` Did you mean --since?`, or nothing if no flag is near. */
function guess(unknown: string, options: Options): string {
  const names = Object.keys(options).map((name) => `--${name}`);
  const near = unknown.startsWith('--') ? nearestName(names, unknown) : undefined;
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** Refuses arguments of a command that takes none. */
export function noMoreWords([extra]: readonly string[]): void {
  if (extra !== undefined)
    throw new PinholeError('invalid_parameter', `Unexpected argument '${extra}'. See --help.`);
}

/** A whole number from a flag, or an error that names the range. */
export function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new PinholeError('invalid_parameter', `${name} must be a whole number from ${min} to ${max}.`);
}
