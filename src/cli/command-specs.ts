import { type InputField, inputText } from '../app/input-text.ts';
import { BUILT_INS } from './built-ins.ts';
import type { CommandFacts } from './command-facts.ts';
import { COMMANDS } from './commands.data.ts';

/** A flag as help, completion and the manual show it. */
export interface FlagSpec {
  /** With their dashes. */
  readonly names: readonly string[];
  /** What its value is called; absent for a switch. */
  readonly value?: string | undefined;
  /** The values that it takes, where they are few. */
  readonly values?: readonly string[] | undefined;
  readonly text: string;
}

/** An argument given by its place. */
export interface PlaceSpec {
  readonly name: string;
  readonly required: boolean;
  readonly values?: readonly string[] | undefined;
}

export interface CommandSpec {
  /** What is typed after `pinhole`. */
  readonly words: string;
  readonly summary: string;
  readonly usage: string;
  readonly flags: readonly FlagSpec[];
  readonly places: readonly PlaceSpec[];
  readonly examples: readonly string[];
}

/** Flags that every command has which is one operation. */
const COMMON_FLAGS: readonly FlagSpec[] = [
  {
    names: ['--max-bytes'],
    value: 'N',
    text: 'limit the answer to N bytes; the rest follows with a cursor (also: PINHOLE_MAX_BYTES)',
  },
  { names: ['--json'], text: 'the answer as JSON' },
  { names: ['--local'], text: 'answer in this process, without the background process' },
];

const WAIT: FlagSpec = { names: ['--wait'], text: 'wait until the job has ended, and show its report' };

const ALL: FlagSpec = { names: ['--all'], text: 'all rows, not only the first page' };

/** Operations that start or show a job, for which a command can wait. */
export const WAITS: ReadonlySet<string> = new Set(['index', 'job_progress']);

export function wordsOf(operation: Pick<CommandFacts, 'name' | 'command'>): string {
  return operation.command?.words ?? operation.name.replaceAll('_', '-');
}

/** What the command does, in words for people. */
export function summaryOf({ command, summary }: Pick<CommandFacts, 'command' | 'summary'>): string {
  return command?.summary === undefined ? summary : `${command.summary} ${summary}`;
}

/** All operations that are commands. */
export function operationCommands(): readonly CommandFacts[] {
  return COMMANDS.filter(({ command }) => command !== undefined);
}

/** The words of all commands that people type. */
export function commandWords(): readonly string[] {
  return [
    ...BUILT_INS.filter(({ hidden }) => !hidden).map(({ name }) => name),
    ...operationCommands().map(wordsOf),
  ];
}

export function operationSpec(operation: CommandFacts): CommandSpec {
  const words = wordsOf(operation);
  const fields = operation.properties;
  const needed = requiredInputs(operation);
  const places = (operation.command?.positional ?? []).map((name) => ({
    name,
    required: needed.includes(name),
    values: fields[name]?.enum,
  }));
  const usage = [
    `pinhole ${words}`,
    ...places.map(({ name, required }) => (required ? name.toUpperCase() : `[${name.toUpperCase()}]`)),
    '[flags]',
  ].join(' ');
  return {
    words,
    summary: summaryOf(operation),
    usage,
    places,
    examples: operation.command?.examples ?? [],
    flags: [
      ...Object.entries(fields).map(([name, field]) => flagSpec(operation, name, field)),
      ...switches(operation),
      ...(operation.paged ? [ALL] : []),
      ...(WAITS.has(operation.name) ? [WAIT] : []),
      ...COMMON_FLAGS,
    ],
  };
}

/** The inputs without which the operation cannot run. */
export function requiredInputs(operation: CommandFacts): readonly string[] {
  return [...operation.required, ...(operation.command?.needs ?? [])];
}

/** What `command.flags` of an operation maps: names, letter, input, and the value it sets. */
export function otherFlags({ command }: Pick<CommandFacts, 'command'>) {
  return Object.entries(command?.flags ?? {}).map(([typed, sets]) => {
    const [name = '', letter] = typed.split('|');
    const [input = '', value] = sets.split('=');
    return { name, letter, input, value };
  });
}

function flagSpec(operation: CommandFacts, name: string, field: InputField): FlagSpec {
  const same = otherFlags(operation).filter(({ input, value }) => input === name && value === undefined);
  const own = `--${name.replaceAll('_', '-')}`;
  // What is on unless it is turned off is shown as the flag that turns it off.
  const off = field.type === 'boolean' && field.default === true;
  return {
    names: [
      ...same.flatMap(({ letter }) => (letter === undefined ? [] : [`-${letter}`])),
      off ? `--no-${name.replaceAll('_', '-')}` : own,
    ],
    value: valueName(field),
    values: field.enum,
    text: off ? `turn off: ${field.description ?? ''}` : inputText(field),
  };
}

function switches(operation: CommandFacts): readonly FlagSpec[] {
  return otherFlags(operation).flatMap(({ name, letter, input, value }) =>
    value === undefined
      ? []
      : [
          {
            names: [...(letter === undefined ? [] : [`-${letter}`]), `--${name}`],
            text: `same as --${input.replaceAll('_', '-')} ${value}`,
          },
        ],
  );
}

function valueName(field: InputField): string | undefined {
  if (field.type === 'boolean') return undefined;
  return field.type === 'integer' || field.type === 'number' ? 'N' : 'VALUE';
}

/** A built-in command; its module is loaded for that. */
async function builtInSpec({ name, summary, load }: (typeof BUILT_INS)[number]): Promise<CommandSpec> {
  const { usage, flags, examples, values = {} } = await load();
  return {
    words: name,
    summary,
    usage,
    examples,
    places: values[''] === undefined ? [] : [{ name: 'value', required: true, values: values[''] }],
    flags: flags.flatMap(([shown, text]) => flagSpecs(shown, text, values)),
  };
}

/** `-A N, -B N` is two flags with one text. */
function flagSpecs(
  shown: string,
  text: string,
  values: Readonly<Record<string, readonly string[]>>,
): readonly FlagSpec[] {
  return shown.split(', ').map((each) => {
    const [name = '', value] = each.split(' ');
    return { names: [name], value, values: values[name], text };
  });
}

/** The spec of a command, by its words. */
export async function specOf(words: string): Promise<CommandSpec | undefined> {
  const builtIn = BUILT_INS.find(({ name, hidden }) => name === words && !hidden);
  if (builtIn !== undefined) return builtInSpec(builtIn);
  const operation = operationCommands().find((each) => wordsOf(each) === words);
  return operation && operationSpec(operation);
}
