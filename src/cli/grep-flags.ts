import { execFileSync } from 'node:child_process';
import { fstatSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { GrepRequest } from '../code/grep-output/grep-request.ts';
import { readFlags, wholeNumber } from '../command/flags.ts';
import { errorText, PinholeError } from '../contract/errors.ts';
import { escapePattern } from '../regex/escape-pattern.ts';
import { maxBytes } from './max-bytes.ts';

/** The flags of ripgrep that people type, by their long names; `--no-NAME` sets NAME to false. */
const OPTIONS = {
  regexp: { type: 'string', short: 'e', multiple: true },
  'ignore-case': { type: 'boolean', short: 'i' },
  'case-sensitive': { type: 'boolean', short: 's' },
  'smart-case': { type: 'boolean', short: 'S' },
  'word-regexp': { type: 'boolean', short: 'w' },
  'line-regexp': { type: 'boolean', short: 'x' },
  'fixed-strings': { type: 'boolean', short: 'F' },
  multiline: { type: 'boolean', short: 'U' },
  'invert-match': { type: 'boolean', short: 'v' },
  'only-matching': { type: 'boolean', short: 'o' },
  'files-with-matches': { type: 'boolean', short: 'l' },
  count: { type: 'boolean', short: 'c' },
  files: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  'after-context': { type: 'string', short: 'A' },
  'before-context': { type: 'string', short: 'B' },
  context: { type: 'string', short: 'C' },
  glob: { type: 'string', short: 'g', multiple: true },
  type: { type: 'string', short: 't', multiple: true },
  'type-not': { type: 'string', short: 'T', multiple: true },
  'line-number': { type: 'boolean', short: 'n' },
  'no-line-number': { type: 'boolean', short: 'N' },
  'with-filename': { type: 'boolean', short: 'H' },
  filename: { type: 'boolean' },
  'no-filename': { type: 'boolean', short: 'I' },
  column: { type: 'boolean' },
  'byte-offset': { type: 'boolean', short: 'b' },
  trim: { type: 'boolean' },
  'context-separator': { type: 'string' },
  'no-context-separator': { type: 'boolean' },
  'max-filesize': { type: 'string' },
  'multiline-dotall': { type: 'boolean' },
  heading: { type: 'boolean' },
  null: { type: 'boolean', short: '0' },
  pretty: { type: 'boolean', short: 'p' },
  hidden: { type: 'boolean', short: '.' },
  ignore: { type: 'boolean' },
  unrestricted: { type: 'boolean', short: 'u', multiple: true },
  text: { type: 'boolean', short: 'a' },
  'max-count': { type: 'string', short: 'm' },
  sort: { type: 'string' },
  color: { type: 'string' },
  json: { type: 'boolean' },
  stats: { type: 'boolean' },
  config: { type: 'boolean' },
  'max-bytes': { type: 'string' },
} as const;

/** Flags of ripgrep that are not supported, and what to do instead. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  '-P': 'look-around and back-references cannot run in linear time. Use rg -P',
  '--pcre2': 'look-around and back-references cannot run in linear time. Use rg -P',
  '-r': 'nothing is replaced. Use rg -r',
  '--replace': 'nothing is replaced. Use rg -r',
  '-f': 'pass each pattern with -e',
  '--file': 'pass each pattern with -e',
  '-z': 'compressed files are not read. Use rg -z',
  '--search-zip': 'compressed files are not read. Use rg -z',
  '-L': 'links are not followed. Use rg -L',
  '--follow': 'links are not followed. Use rg -L',
  '--files-without-match': 'compare the output of --files with that of -l',
  '--count-matches': '-c counts lines; to count matches, pipe -o into wc -l',
  '-d': 'narrow the search with -g',
  '--max-depth': 'narrow the search with -g',
  '-M': 'lines are always written whole',
  '--max-columns': 'lines are always written whole',
  '--iglob': 'use -g',
  '-E': 'only UTF-8, and UTF-16 with a byte order mark, can be read. Use rg -E',
  '--encoding': 'only UTF-8, and UTF-16 with a byte order mark, can be read. Use rg -E',
  '--vimgrep': 'use --no-heading -n --column',
  '--debug': '--stats shows what was not searched',
  '--trace': '--stats shows what was not searched',
  '--crlf': 'write \\r?$ instead of $',
  '--passthru': 'only matching lines and their context are written. Use rg --passthru',
  '--binary': '-a searches binary files as text',
  '--sortr': 'results are always sorted by path',
};

/** What `pinhole grep` was asked to do. */
export interface GrepCommand {
  readonly request: Omit<GrepRequest, 'language'>;
  /** The most bytes to write. */
  readonly budget: number;
  /** What the person should know, besides the matches. */
  readonly notes: readonly string[];
}

type Values = ReturnType<typeof readFlags<typeof OPTIONS>>['values'];

/** Reads the command line as ripgrep would. */
export function readGrep(args: readonly string[], terminal: boolean): GrepCommand {
  const { values, positionals } = read(args);
  const patterns = values.files ? [] : (values.regexp ?? positionals.splice(0, 1));
  if (patterns.length === 0 && !values.files)
    throw new PinholeError('invalid_parameter', 'PATTERN is missing. See pinhole grep --help.');
  if (values.sort !== undefined && values.sort !== 'path' && values.sort !== 'none')
    throw new PinholeError('invalid_parameter', '--sort must be path: results are always sorted by path.');
  if (positionals.includes('-'))
    throw new PinholeError('invalid_parameter', 'Standard input cannot be searched. Use rg for that.');
  const unrestricted = values.unrestricted?.length ?? 0;
  const paths = positionals.map((typed) => ({
    folder: resolve(typed),
    lead: typed.replace(/(?<=.)\/+$/, ''),
  }));
  return {
    request: {
      ...patternOf(patterns, values),
      paths: paths.length > 0 ? paths : [{ folder: process.cwd(), lead: '' }],
      globs: values.glob ?? [],
      base: process.cwd(),
      types: typesOf(values),
      hidden: values.hidden === true || unrestricted >= 2,
      ignored: values.ignore === false || unrestricted >= 1,
      everything: values.text === true || unrestricted >= 3,
      form: formOf(values),
      quiet: values.quiet === true,
      stats: values.stats === true,
      invert: values['invert-match'] === true,
      largest: sizeOf(values['max-filesize']),
      before: contextOf('before-context', values['before-context'] ?? values.context),
      after: contextOf('after-context', values['after-context'] ?? values.context),
      most:
        values['max-count'] === undefined
          ? undefined
          : wholeNumber('--max-count', values['max-count'], 1, 1e9),
      ...appearance(values, positionals, terminal),
    },
    budget: maxBytes(values['max-bytes']),
    notes: paths.length === 0 && hasInput() ? [FOLDER_SEARCHED] : [],
  };
}

const FOLDER_SEARCHED = 'searching the current folder, not standard input. Use rg for that.';

/** Whether something was piped or redirected into the command; what a parent process merely left open is a socket. */
function hasInput(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isFile();
  } catch {
    return false;
  }
}

function read(args: readonly string[]) {
  try {
    return readFlags(args, OPTIONS);
  } catch (error) {
    const flag = /'(-[^\s',]+)/.exec(errorText(error))?.[1] ?? '';
    const instead = UNSUPPORTED[flag];
    if (instead === undefined) throw error;
    throw new PinholeError('invalid_parameter', `${flag} is not supported: ${instead}.`, { cause: error });
  }
}

function patternOf(patterns: readonly string[], values: Values) {
  const fixed = values['fixed-strings'] === true;
  const whole = values['line-regexp'] === true;
  const parts = fixed && (patterns.length > 1 || whole) ? patterns.map(escapePattern) : patterns;
  const joined =
    parts.length === 1 && !whole ? String(parts[0]) : parts.map((part) => `(?:${part})`).join('|');
  const isPlain = fixed && parts === patterns;
  const dotall = values.multiline === true && values['multiline-dotall'] === true && !isPlain ? '(?s)' : '';
  return {
    pattern: dotall + (whole ? `^(?:${joined})$` : joined),
    fixed: isPlain,
    word: values['word-regexp'] === true && !whole,
    multiline: values.multiline === true,
    case: values['ignore-case'] ? 'insensitive' : values['smart-case'] ? 'smart' : 'sensitive',
  } as const;
}

function formOf(values: Values): GrepRequest['form'] {
  if (values.files) return 'files';
  // Statistics count every match, also when nothing else is written.
  if (values.quiet && values.stats) return 'counts';
  if (values['files-with-matches'] || values.quiet) return 'names';
  if (values.json) return 'json';
  if (values.count) return 'counts';
  return values['only-matching'] ? 'only' : 'lines';
}

function appearance(values: Values, paths: readonly string[], terminal: boolean) {
  const colour = values.pretty ? 'always' : (values.color ?? 'auto');
  const pretty = values.pretty === true || terminal;
  const heading = values.heading ?? pretty;
  const oneFile = paths.length === 1 && isFile(paths[0] ?? '');
  const names = values.filename ?? values['with-filename'] ?? !oneFile;
  return {
    names: !names ? ('none' as const) : heading ? ('heading' as const) : ('inline' as const),
    numbers: values['line-number'] ?? (pretty || values.column === true),
    columns: values.column === true,
    offsets: values['byte-offset'] === true,
    trim: values.trim === true,
    gap: gapOf(values['context-separator']),
    colour:
      colour === 'always' || colour === 'ansi' || (colour === 'auto' && terminal && !process.env.NO_COLOR),
    nul: values.null === true,
  };
}

/** With `--no-` in front of its name, even the value of a text is false. */
function gapOf(separator: string | boolean | undefined): string {
  return separator === false ? '' : `${unescaped(separator === undefined ? '--' : String(separator))}\n`;
}

/** `\t`, `\x41` and the like as ripgrep reads them. */
function unescaped(text: string): string {
  const named: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', '\\': '\\' };
  return text.replace(/\\(?:x([0-7][0-9a-fA-F])|([nrt0\\]))/g, (_all, hex?: string, name = '') =>
    hex === undefined ? (named[name] ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 };

/** `10`, `5K`, `2M` or `1G` in bytes. */
function sizeOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, digits, unit = ''] = /^([0-9]{1,12})([KMG]?)$/.exec(value) ?? [];
  if (digits === undefined)
    throw new PinholeError(
      'invalid_parameter',
      '--max-filesize must be a number of bytes, or one with K, M or G.',
    );
  return Math.min(Number(digits) * (UNITS[unit] ?? 1), Number.MAX_SAFE_INTEGER);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function contextOf(name: string, value: string | undefined): number {
  return value === undefined ? 0 : wholeNumber(`--${name}`, value, 0, 1_000_000);
}

/** The file types that ripgrep knows, with their globs, one per line. */
export function typeList(): string {
  return execFileSync(rgPath, ['--no-config', '--type-list'], { encoding: 'utf8' });
}

/** The globs of file types, as ripgrep itself defines them. */
function typesOf(values: Values): { only: string[]; not: string[] } | undefined {
  if (values.type === undefined && values['type-not'] === undefined) return undefined;
  const list = typeList();
  const known = new Map(
    list.split('\n').map((line) => {
      const cut = line.indexOf(': ');
      return [line.slice(0, cut), line.slice(cut + 2).split(', ')] as const;
    }),
  );
  const globs = (name: string): readonly string[] => {
    const found = known.get(name);
    if (found !== undefined) return found;
    throw new PinholeError(
      'invalid_parameter',
      `Unknown file type '${name}'. List them with: pinhole grep --type-list`,
    );
  };
  return { only: (values.type ?? []).flatMap(globs), not: (values['type-not'] ?? []).flatMap(globs) };
}
