import type { BuiltIn } from '../command/built-in.ts';
import { VERSION } from '../contract/version.ts';
import { ALIASES } from './aliases.ts';
import { BUILT_INS, type BuiltInEntry } from './built-ins.ts';
import { bold } from './colours.ts';
import type { CommandFacts } from './command-facts.ts';
import { type FlagSpec, operationCommands, operationSpec, summaryOf, wordsOf } from './command-specs.ts';
import { textWidth, twoColumns, wrapped } from './terminal.ts';

/** First words that several commands share, in the order of the help. */
const GROUPS = [
  ['code', 'Code'],
  ['sessions', 'Agent sessions'],
  ['disk', 'Disk'],
] as const;

const FOOTER = [
  'Exit codes: 0 success (even with no results), 1 failure, 2 usage error.',
  'pinhole grep has the exit codes of grep: 0 match, 1 no match, 2 error.',
  'Set PINHOLE_HOME to choose the data folder.',
];

/** All commands with what they do, as they are grouped in help and manual. */
export function commandGroups(): readonly { title: string; rows: readonly (readonly [string, string])[] }[] {
  const own = BUILT_INS.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary] as const);
  const operations = operationCommands().map(
    (operation) => [wordsOf(operation), firstSentence(summaryOf(operation))] as const,
  );
  const groupOf = (words: string) => GROUPS.find(([word]) => words.split(' ')[0] === word)?.[0];
  return [
    {
      title: 'Pinhole itself',
      rows: [...own, ...operations.filter(([words]) => groupOf(words) === undefined)],
    },
    ...GROUPS.map(([word, title]) => ({
      title,
      rows: operations.filter(([words]) => groupOf(words) === word),
    })),
  ];
}

/** `search = code find, …`: the short names, as a line of help. */
export function shortNames(): string {
  return ALIASES.filter(({ beforeFlag }) => beforeFlag === undefined)
    .map(({ typed, means }) => `${typed} = ${means}`)
    .join(', ');
}

export function mainHelp(): string {
  const title = `${bold('pinhole')} ${VERSION}: explore code, agent sessions and disks in answers that fit.`;
  return [
    title,
    '',
    bold('Usage'),
    '  pinhole COMMAND [arguments] [--json] [--local] [--help]',
    '  pinhole "a question about the code in this folder"',
    '',
    ...commandGroups().flatMap(({ title: name, rows }) => [
      bold(name),
      twoColumns(rows.map(([words, text]) => [`  ${words}`, text])),
      '',
    ]),
    bold('Short names'),
    ...indented(shortNames()),
    '',
    bold('Examples'),
    twoColumns([
      ['  pinhole start', 'run Pinhole in this terminal; prints a link to the page'],
      ['  pinhole disk ~', 'what takes the space'],
      ['  pinhole sessions list', 'what agents did lately'],
      ['  pinhole help code search', 'more about a command'],
    ]),
    '',
    ...FOOTER,
    '',
  ].join('\n');
}

function indented(text: string): readonly string[] {
  return wrapped(text, textWidth() - 2).map((line) => `  ${line}`);
}

/** Help for a word that several commands start with, such as `sessions`. */
export function groupHelp(word: string): string | undefined {
  const members = commandsBelow(word);
  const [first] = members;
  if (first === undefined) return undefined;
  return `${memberRows(members)}\n\nMore about a command: pinhole ${wordsOf(first)} --help\n`;
}

export function commandsBelow(word: string): readonly CommandFacts[] {
  return operationCommands().filter((operation) => wordsOf(operation).startsWith(`${word} `));
}

function memberRows(members: readonly CommandFacts[]): string {
  return twoColumns(
    members.map((operation) => [`  pinhole ${wordsOf(operation)}`, firstSentence(summaryOf(operation))]),
  );
}

/** Help for a command; one that others start with, such as `disk`, lists those too. */
export function commandHelp(operation: CommandFacts): string {
  const { words, summary, usage, flags, examples } = operationSpec(operation);
  const below = commandsBelow(words);
  const names = ALIASES.filter(({ means }) => means === words).map(({ typed }) => `pinhole ${typed}`);
  return [
    ...wrapped(summary, textWidth()),
    '',
    bold('Usage'),
    `  ${usage}`,
    ...(names.length > 0 ? [`  (same: ${names.join(', ')})`] : []),
    '',
    bold('Flags'),
    twoColumns(flags.map((flag) => [`  ${flagText(flag)}`, flag.text])),
    ...(examples.length > 0 ? ['', bold('Examples'), ...examples.map((line) => `  ${line}`)] : []),
    ...(below.length > 0 ? ['', bold('More commands'), memberRows(below)] : []),
    '',
  ].join('\n');
}

export function flagText({ names, value }: Pick<FlagSpec, 'names' | 'value'>): string {
  return `${names.join(', ')}${value === undefined ? '' : ` ${value}`}`;
}

export function builtInHelp({ name, summary }: BuiltInEntry, { usage, flags, examples }: BuiltIn): string {
  return [
    ...wrapped(`pinhole ${name}: ${summary}`, textWidth()),
    '',
    bold('Usage'),
    `  ${usage}`,
    ...(flags.length > 0
      ? ['', bold('Flags'), twoColumns(flags.map(([flag, text]) => [`  ${flag}`, text]))]
      : []),
    '',
    bold('Examples'),
    ...examples.map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function firstSentence(text: string): string {
  return text.split(/(?<=\.)\s/)[0] ?? text;
}
