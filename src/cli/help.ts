import { type InputField, inputText } from '../app/input-text.ts';
import { OPERATIONS } from '../app/operations.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { columns } from '../contract/format.ts';
import { inputJsonSchema } from '../contract/input.ts';
import type { Operation } from '../contract/operation.ts';
import { VERSION } from '../contract/version.ts';
import { BUILT_INS, type BuiltInEntry } from './built-ins.ts';
import { bold } from './colours.ts';

/** All operations that are commands, with the words to type. */
export function operationCommands(): { words: string; operation: Operation<never> }[] {
  return OPERATIONS.filter(({ command }) => command !== undefined).map((operation) => ({
    words: operation.command?.words ?? operation.name,
    operation,
  }));
}

/** First words that several commands share, in the order of the help. */
const GROUPS = [
  ['code', 'Code'],
  ['sessions', 'Agent sessions'],
  ['disk', 'Disk'],
] as const;

export function mainHelp(): string {
  const own = BUILT_INS.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary] as const);
  const operations = operationCommands().map(
    ({ words, operation }) => [words, firstSentence(operation.summary)] as const,
  );
  const groupOf = (words: string) => GROUPS.find(([word]) => words.split(' ')[0] === word)?.[0];
  const group = (title: string, rows: readonly (readonly [string, string])[]) => [
    bold(title),
    columns(rows.map(([words, text]) => [`  ${words.padEnd(18)}`, text])),
    '',
  ];
  return [
    `${bold('pinhole')} ${VERSION}: explore code, agent sessions and disks in answers that fit.`,
    '',
    bold('Usage'),
    '  pinhole COMMAND [arguments] [--json] [--local] [--help]',
    '',
    ...group('Pinhole itself', [...own, ...operations.filter(([words]) => groupOf(words) === undefined)]),
    ...GROUPS.flatMap(([word, title]) =>
      group(
        title,
        operations.filter(([words]) => groupOf(words) === word),
      ),
    ),
    bold('Examples'),
    '  pinhole start                 run Pinhole in this terminal; prints a link to the page',
    '  pinhole disk cd ~             list a folder',
    '  pinhole mcp --help            how agents connect',
    '',
    'Exit codes: 0 success (even with no results), 1 failure, 2 usage error.',
    'pinhole grep has the exit codes of grep: 0 match, 1 no match, 2 error.\nSet PINHOLE_HOME to choose the data folder.',
    '',
  ].join('\n');
}

/** Help for a word that several commands start with, such as `sessions`. */
export function groupHelp(word: string): string | undefined {
  const members = commandsBelow(word);
  if (members.length === 0) return undefined;
  return `${memberRows(members)}\n\nMore about a command: pinhole ${members[0]?.words} --help\n`;
}

type Command = ReturnType<typeof operationCommands>[number];

function commandsBelow(word: string): Command[] {
  return operationCommands().filter(({ words }) => words.startsWith(`${word} `));
}

function memberRows(members: readonly Command[]): string {
  return columns(
    members.map(({ words, operation }) => [`  pinhole ${words}`, firstSentence(operation.summary)]),
  );
}

/** Help for a command; one that others start with, such as `disk`, lists those too. */
export function commandHelp(operation: Operation<never>): string {
  const words = operation.command?.words ?? operation.name.replaceAll('_', '-');
  const places = operation.command?.positional ?? [];
  const properties = Object.entries(
    (inputJsonSchema(operation).properties ?? {}) as Record<string, InputField>,
  );
  const flags = properties.map(([name, field]) => [
    `  --${name.replaceAll('_', '-')}${valueName(field)}`,
    inputText(field),
  ]);
  const below = commandsBelow(words);
  return [
    operation.summary,
    '',
    bold('Usage'),
    `  pinhole ${words}${places.map((place) => ` [${place.toUpperCase()}]`).join('')} [flags]`,
    '',
    bold('Flags'),
    columns([
      ...flags,
      ['  --json', 'the answer as JSON'],
      ['  --local', 'answer in this process, without the background process'],
    ]),
    ...(operation.command?.examples
      ? ['', bold('Examples'), ...operation.command.examples.map((line) => `  ${line}`)]
      : []),
    ...(below.length > 0 ? ['', bold('More commands'), memberRows(below)] : []),
    '',
  ].join('\n');
}

export function builtInHelp({ name, summary }: BuiltInEntry, { usage, flags, examples }: BuiltIn): string {
  return [
    `${bold(`pinhole ${name}`)}: ${summary}`,
    '',
    bold('Usage'),
    `  ${usage}`,
    ...(flags.length > 0
      ? ['', bold('Flags'), columns(flags.map(([flag, text]) => [`  ${flag}`, text]))]
      : []),
    '',
    bold('Examples'),
    ...examples.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function valueName(field: InputField): string {
  if (field.type === 'boolean') return '';
  return field.type === 'integer' || field.type === 'number' ? ' N' : ' VALUE';
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}
