import { relative, resolve } from 'node:path';
import type { RawInput } from '../contract/input.ts';
import { closeConnections } from '../daemon/http-client.ts';
import type { BuiltIn } from './built-in.ts';
import { cliCaller, cliEngine } from './engine.ts';
import { readFlags, wholeNumber } from './flags.ts';
import { type GrepFile, type GrepStyle, grepPrinter } from './grep-output.ts';

/** The flags of ripgrep that people type, by their long names. */
const OPTIONS = {
  regexp: { type: 'string', short: 'e', multiple: true },
  'ignore-case': { type: 'boolean', short: 'i' },
  'case-sensitive': { type: 'boolean', short: 's' },
  'smart-case': { type: 'boolean', short: 'S' },
  'word-regexp': { type: 'boolean', short: 'w' },
  'fixed-strings': { type: 'boolean', short: 'F' },
  'files-with-matches': { type: 'boolean', short: 'l' },
  count: { type: 'boolean', short: 'c' },
  'after-context': { type: 'string', short: 'A' },
  'before-context': { type: 'string', short: 'B' },
  context: { type: 'string', short: 'C' },
  glob: { type: 'string', short: 'g', multiple: true },
  type: { type: 'string', short: 't' },
  'line-number': { type: 'boolean', short: 'n' },
  'with-filename': { type: 'boolean', short: 'H' },
  hidden: { type: 'boolean', short: '.' },
  'max-count': { type: 'string', short: 'm' },
  color: { type: 'string' },
  json: { type: 'boolean' },
} as const;

const MOST_CONTEXT = 10;

/** `pinhole grep`: ripgrep's manners over the index. Exit code 0 with matches, 1 without, 2 on an error. */
export const grep: BuiltIn = {
  usage: 'pinhole grep [flags] PATTERN [PATH...]',
  flags: [
    ['-i, -s, -S', 'any case; exact case (default); smart case'],
    ['-w, -F', 'whole words; a fixed text instead of an expression'],
    ['-l, -c', 'only the files; only the number of matching lines of each'],
    ['-A N, -B N, -C N', 'lines after, before, around'],
    ['-g GLOB, -t LANGUAGE', 'only (or with ! not) these files; only this language'],
    ['-n, -H', 'line numbers; file names'],
    ['-e PATTERN', 'a pattern that begins with a dash; several are alternatives'],
    ['-m N', 'at most N lines of each file'],
    ['--hidden', 'dot files too'],
    ['--color WHEN', 'always, never or auto'],
    ['--json', 'one JSON message a line'],
  ],
  examples: [
    'pinhole grep -n createServer src',
    "pinhole grep -t rust 'fn \\w+_lock'",
    'pinhole grep -l -i license',
  ],
  async run(args) {
    try {
      return await search(args);
    } catch (error) {
      process.stderr.write(`pinhole: ${error instanceof Error ? error.message : String(error)}\n`);
      return 2;
    } finally {
      closeConnections();
    }
  },
};

type Flags = ReturnType<typeof readFlags<typeof OPTIONS>>['values'];

async function search(args: readonly string[]): Promise<number> {
  const { values, positionals } = readFlags(args, OPTIONS);
  const patterns = values.regexp ?? positionals.splice(0, 1);
  if (patterns.length === 0) throw new Error('PATTERN is missing. --help shows what is taken.');
  const paths = positionals.length > 0 ? positionals : ['.'];
  const style = styleOf(values, paths);
  const pattern =
    patterns.length === 1 ? String(patterns[0]) : alternatives(patterns, values['fixed-strings'] === true);
  const print = await grepPrinter(style, { pattern, ...patternFlags(values, patterns.length > 1) });
  let found = false;
  for (const path of paths) {
    for await (const file of files(inputOf(values, pattern, patterns.length > 1, path))) {
      found = true;
      print.file(file);
    }
  }
  print.end();
  return found ? 0 : 1;
}

function alternatives(patterns: readonly string[], fixed: boolean): string {
  const parts = fixed ? patterns.map((text) => text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, '\\$&')) : patterns;
  return parts.map((part) => `(?:${part})`).join('|');
}

function patternFlags(values: Flags, joined: boolean) {
  return {
    fixed: values['fixed-strings'] === true && !joined,
    word: values['word-regexp'] === true,
    case: values['ignore-case'] ? 'insensitive' : values['smart-case'] ? 'smart' : 'sensitive',
  } as const;
}

function inputOf(values: Flags, pattern: string, joined: boolean, path: string): RawInput {
  const around = Math.max(
    ...[values.context, values['after-context'], values['before-context']].map(contextOf),
  );
  return {
    pattern,
    path,
    ...patternFlags(values, joined),
    glob: values.glob,
    language: values.type,
    hidden: values.hidden,
    output: values['files-with-matches'] || values.count ? 'files' : 'hits',
    context_lines: around,
    snippet_length: 10_000,
    limit: 200,
  };
}

function contextOf(value: string | undefined): number {
  return value === undefined ? 0 : wholeNumber('context', value, 0, MOST_CONTEXT);
}

function styleOf(values: Flags, paths: readonly string[]): GrepStyle {
  const terminal = process.stdout.isTTY === true;
  const colour = values.color ?? 'auto';
  const only = paths.length === 1 && paths[0] !== '.' && !values['with-filename'] ? paths[0] : undefined;
  return {
    form: values.json ? 'json' : values['files-with-matches'] ? 'files' : values.count ? 'counts' : 'lines',
    numbers: values['line-number'] ?? terminal,
    heading: terminal,
    colour: colour === 'always' || (colour === 'auto' && terminal && !process.env.NO_COLOR),
    before: contextOf(values['before-context'] ?? values.context),
    after: contextOf(values['after-context'] ?? values.context),
    most:
      values['max-count'] === undefined
        ? Number.POSITIVE_INFINITY
        : wholeNumber('max-count', values['max-count'], 0, 1e9),
    onlyFile: only,
  };
}

/** One answer of the search, as far as it is used. */
interface Answer {
  readonly error?: { readonly message: string };
  readonly data?: {
    readonly root?: string;
    readonly matches?: readonly GrepFile[];
    readonly files?: readonly { readonly path: string; readonly hits: number }[];
  };
  readonly pagination?: { readonly next_cursor?: string };
}

/** All pages, file by file; a file that two pages share comes once. */
async function* files(input: RawInput): AsyncGenerator<GrepFile> {
  const engine = cliEngine();
  let open: { path: string; hits: GrepFile['hits'][number][]; count?: number } | undefined;
  for (let next: RawInput | undefined = input; next !== undefined; ) {
    const { text } = await engine.run('regex_search', next, { caller: cliCaller('json') });
    // Written by our own engine.
    const { error, data, pagination } = JSON.parse(text) as Answer;
    if (error !== undefined) throw new Error(error.message);
    const shown = (path: string) => relative(process.cwd(), resolve(data?.root ?? '.', path)) || path;
    for (const { path, hits } of data?.files ?? []) yield { path: shown(path), hits: [], count: hits };
    for (const { path, hits } of data?.matches ?? []) {
      if (open?.path === shown(path)) open.hits.push(...hits);
      else {
        if (open !== undefined) yield open;
        open = { path: shown(path), hits: [...hits] };
      }
    }
    next = pagination?.next_cursor === undefined ? undefined : { cursor: pagination.next_cursor };
  }
  if (open !== undefined) yield open;
}
