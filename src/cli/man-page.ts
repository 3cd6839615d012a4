import { VERSION } from '../contract/version.ts';
import { type CommandSpec, commandWords, specOf } from './command-specs.ts';
import { commandGroups, flagText, shortNames } from './help.ts';

const ENVIRONMENT = [
  ['PINHOLE_HOME', 'the data folder (default $XDG_DATA_HOME/pinhole, or ~/.local/share/pinhole)'],
  ['PINHOLE_PORT', 'the port that the background process tries first'],
  ['PINHOLE_MAX_BYTES', 'the most bytes that an answer may have, as --max-bytes'],
  ['NO_COLOR', 'no colours, even on a terminal'],
] as const;

const EXIT_CODES = [
  ['0', 'success, even with no results'],
  ['1', 'failure; pinhole grep: no match'],
  ['2', 'wrong usage; pinhole grep: error'],
] as const;

/** The manual page in roff, made of the same commands as the help. */
export async function manPage(): Promise<string> {
  const specs: CommandSpec[] = [];
  for (const words of commandWords()) {
    const spec = await specOf(words);
    if (spec !== undefined) specs.push(spec);
  }
  return `${[
    `.TH PINHOLE 1 "" "Pinhole ${VERSION}" "User Commands"`,
    '.SH NAME',
    'pinhole \\- explore code, agent sessions and disks in answers that fit',
    '.SH SYNOPSIS',
    '.B pinhole',
    '.I COMMAND',
    '[arguments] [\\-\\-json] [\\-\\-help]',
    '.br',
    '.B pinhole',
    roff('"a question about the code in this folder"'),
    '.SH COMMANDS',
    ...commandGroups().flatMap(({ title, rows }) => [`.SS ${roff(title)}`, ...entries(rows)]),
    '.SH SHORT NAMES',
    roff(shortNames()),
    '.SH DETAILS',
    ...specs.flatMap(commandSection),
    '.SH ENVIRONMENT',
    ...entries(ENVIRONMENT),
    '.SH EXIT STATUS',
    ...entries(EXIT_CODES),
  ].join('\n')}\n`;
}

function commandSection({ words, summary, usage, flags, examples }: CommandSpec): readonly string[] {
  return [
    `.SS pinhole ${roff(words)}`,
    roff(summary),
    '.PP',
    roff(usage),
    ...entries(flags.map((flag) => [flagText(flag), flag.text])),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:', '.nf', ...examples.map(roff), '.fi']),
  ];
}

function entries(rows: readonly (readonly [string, string])[]): readonly string[] {
  return rows.flatMap(([name, text]) => ['.TP', `.B ${roff(name)}`, roff(text)]);
}

/** Text in which nothing is a command of roff. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
