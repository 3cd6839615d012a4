import type { ParseArgsConfig } from 'node:util';
import { readFlags } from '../command/flags.ts';
import { argumentsFromText, takesSeveral } from '../contract/arguments.ts';
import { PinholeError } from '../contract/errors.ts';
import type { RawInput } from '../contract/input.ts';
import { knownName, otherNames } from '../contract/input-names.ts';
import type { CommandFacts } from './command-facts.ts';
import { operationSpec, otherFlags, requiredInputs, WAITS } from './command-specs.ts';
import { maxBytes } from './max-bytes.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Words = Record<string, string | string[]>;

export interface OperationWords {
  readonly json: boolean;
  /** Wait for the job that the operation starts or shows. */
  readonly wait: boolean;
  /** All rows of a list instead of a page. */
  readonly all: boolean;
  /** The most bytes that the answer may have. */
  readonly budget: number;
  readonly input: RawInput;
}

/** What a command line asks of an operation. */
export function readOperationWords(operation: CommandFacts, args: readonly string[]): OperationWords {
  const { values, positionals } = readFlags(args, {
    ...inputOptions(operation),
    ...letterOptions(operation),
    json: { type: 'boolean' },
    'max-bytes': { type: 'string' },
    ...(WAITS.has(operation.name) && { wait: { type: 'boolean' } }),
    ...(operation.paged && { all: { type: 'boolean' } }),
  });
  const { json, wait, all, 'max-bytes': bytes, ...given } = values;
  const words: Words = {};
  for (const [flag, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const [name, fixed] = setBy(operation, flag);
    words[name] = fixed ?? (Array.isArray(value) ? value.map(String) : String(value));
  }
  placeWords(operation, positionals, words);
  refuseMissing(operation, words);
  return {
    json: json === true,
    wait: wait === true,
    all: all === true,
    budget: maxBytes(typeof bytes === 'string' ? bytes : undefined),
    input: argumentsFromText(operation, words),
  };
}

/** A flag for every input, under each of its names. */
function inputOptions(operation: CommandFacts): Options {
  const { properties } = operation;
  return Object.fromEntries(
    [...Object.keys(properties), ...otherNames(operation)].map((name) => {
      const field = properties[knownName(operation, name) ?? name] ?? {};
      return [
        name.replaceAll('_', '-'),
        {
          type: field.type === 'boolean' ? ('boolean' as const) : ('string' as const),
          multiple: field.type === 'array' || takesSeveral(field),
        },
      ];
    }),
  );
}

/** The flags of other programs; those with a letter only add it to the input's own flag. */
function letterOptions(operation: CommandFacts): Options {
  const own = inputOptions(operation);
  return Object.fromEntries(
    otherFlags(operation).map(({ name, letter, input, value }) => {
      const like = value === undefined ? own[input.replaceAll('_', '-')] : undefined;
      return [name, { ...(like ?? { type: 'boolean' as const }), ...(letter && { short: letter }) }];
    }),
  );
}

/** The input that a flag sets, and the value if the flag itself decides that. */
function setBy(operation: CommandFacts, flag: string): readonly [string, string | undefined] {
  const other = otherFlags(operation).find(({ name }) => name === flag);
  if (other !== undefined) return [other.input, other.value];
  const given = flag.replaceAll('-', '_');
  return [knownName(operation, given) ?? given, undefined];
}

function placeWords(operation: CommandFacts, positionals: readonly string[], words: Words): void {
  const options = inputOptions(operation);
  // What a flag gives is not given by its place too: `-e PATTERN PATH`.
  const places = (operation.command?.positional ?? []).filter((name) => words[name] === undefined);
  positionals.forEach((word, i) => {
    const place = places[Math.min(i, places.length - 1)];
    const isMore = i >= places.length;
    if (place === undefined || (isMore && options[place.replaceAll('_', '-')]?.multiple !== true)) {
      const { usage } = operationSpec(operation);
      throw new PinholeError('invalid_parameter', `Unexpected argument '${word}'. Usage: ${usage}`);
    }
    words[place] = isMore ? [words[place] ?? [], word].flat() : word;
  });
}

/** Says what is missing in the words of a command line. A cursor needs nothing else. */
function refuseMissing(operation: CommandFacts, words: Words): void {
  if (words.cursor !== undefined) return;
  const missing = requiredInputs(operation).find((name) => words[name] === undefined);
  if (missing === undefined) return;
  const byPlace = operation.command?.positional?.includes(missing) === true;
  const name = byPlace ? missing.toUpperCase() : `--${missing.replaceAll('_', '-')}`;
  throw new PinholeError('invalid_parameter', `${name} is missing. Usage: ${operationSpec(operation).usage}`);
}
