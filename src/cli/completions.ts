import { ALIASES, withoutAliases } from './aliases.ts';
import { BUILT_INS } from './built-ins.ts';
import {
  type CommandSpec,
  commandWords,
  type FlagSpec,
  operationCommands,
  specOf,
  summaryOf,
  wordsOf,
} from './command-specs.ts';

export interface Completion {
  readonly value: string;
  readonly text: string;
}

export interface Completions {
  readonly values: readonly Completion[];
  /** Names of files fit too. */
  readonly files: boolean;
}

const NOTHING: Completions = { values: [], files: false };

/** What may stand for the last word of a command line; the program's own name is not among the words. */
export async function completions(given: readonly string[]): Promise<Completions> {
  // bash gives `--sort=na` as three words.
  const apart = given.at(-1) === '=' ? [...given, ''] : given;
  const words = apart.filter((word) => word !== '=');
  const current = words.at(-1) ?? '';
  const typed = words.slice(0, -1);
  const before = withoutAliases(typed[0] === 'help' ? typed.slice(1) : typed);
  const next = nextWords(typed, before);
  const command = commandOf(before);
  const spec = command === undefined ? undefined : await specOf(command);
  const own =
    spec === undefined ? NOTHING : argumentsOf(spec, before.slice(spec.words.split(' ').length), current);
  return {
    values: [...(current.startsWith('-') ? [] : next), ...own.values].filter(({ value }) =>
      value.startsWith(current),
    ),
    files: own.files,
  };
}

/** The longest command that the words begin with. */
function commandOf(words: readonly string[]): string | undefined {
  return commandWords()
    .filter((command) => command.split(' ').every((word, i) => words[i] === word))
    .sort((a, b) => b.length - a.length)[0];
}

/** The words that continue what was typed to a command. */
function nextWords(typed: readonly string[], before: readonly string[]): readonly Completion[] {
  const all: readonly Completion[] = [
    ...BUILT_INS.flatMap(({ name, summary, hidden }) => (hidden ? [] : [{ value: name, text: summary }])),
    ...operationCommands().map((operation) => ({ value: wordsOf(operation), text: summaryOf(operation) })),
    ...(typed.length === 0
      ? ALIASES.map(({ typed: value, means }) => ({ value, text: `same as ${means}` }))
      : []),
    ...(typed.length === 0 ? [{ value: 'help', text: 'Show help for a command.' }] : []),
  ];
  const lead = before.length === 0 ? '' : `${before.join(' ')} `;
  const found = new Map<string, string>();
  for (const { value, text } of all) {
    const [word = '', ...more] = value.startsWith(lead) ? value.slice(lead.length).split(' ') : [];
    if (word !== '' && !found.has(word)) found.set(word, more.length === 0 ? text : 'several commands');
  }
  return [...found].map(([value, text]) => ({ value, text: oneLine(text) }));
}

/** The flags, values and files that fit after the words of a command. */
function argumentsOf(spec: CommandSpec, rest: readonly string[], current: string): Completions {
  const flagNamed = (name: string | undefined) => spec.flags.find(({ names }) => names.includes(name ?? ''));
  const [flag, value] = /^(--[\w-]+)=/.exec(current) ?? [];
  if (flag !== undefined) {
    const { values = [] } = flagNamed(value) ?? {};
    return { values: values.map((one) => ({ value: `${value}=${one}`, text: '' })), files: false };
  }
  if (current.startsWith('-')) return { values: flagWords(spec), files: false };
  const last = flagNamed(rest.at(-1));
  if (last?.value !== undefined) return valuesOf(last);
  const place = spec.places[rest.filter((word, i) => isPlaced(word, flagNamed(rest[i - 1]))).length];
  if (place?.values !== undefined)
    return { values: place.values.map((one) => ({ value: one, text: '' })), files: false };
  if (place?.name === 'session_id')
    return { values: [{ value: 'last', text: 'the newest session' }], files: false };
  return { values: [], files: /\b(?:PATH|FOLDER|FILE|ROOT|UNDER|TO)\b/.test(spec.usage) };
}

function isPlaced(word: string, before: FlagSpec | undefined): boolean {
  return !word.startsWith('-') && before?.value === undefined;
}

function valuesOf({ value = '', values }: FlagSpec): Completions {
  if (values !== undefined) return { values: values.map((one) => ({ value: one, text: '' })), files: false };
  return { values: [], files: value !== 'N' };
}

function flagWords({ flags }: CommandSpec): readonly Completion[] {
  return [
    ...flags.flatMap(({ names, text }) => names.map((value) => ({ value, text: oneLine(text) }))),
    { value: '--help', text: 'show help' },
  ];
}

/** A shell shows a line for each. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
