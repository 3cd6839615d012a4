import { spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';
import { fail } from '../../contract/errors.ts';
import type { PatternOptions } from '../../regex/matcher.ts';
import { contextText, type FileHits, type Hit, type LineStyle, lineText } from './hits.ts';
import { onlySecretsMatched } from './secret-line.ts';

/** What to ask ripgrep. */
export interface RipgrepRun {
  readonly root: string;
  readonly pattern: PatternOptions;
  /** Paths relative to the root. */
  readonly paths: readonly string[];
  /** Undefined: only the number of matching lines is wanted. */
  readonly lines: LineStyle | undefined;
  readonly signal: AbortSignal;
}

/** What it found in one file. */
export interface RipgrepFile extends FileHits {
  readonly count: number;
  /** A NUL byte was met. */
  readonly binary: boolean;
}

/** One run is ended after this long. */
const MOST_MS = 30_000;

/** One message of `--json`, as far as it is used. */
interface Message {
  readonly type: string;
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly match: Text; readonly start: number; readonly end: number }[];
    readonly binary_offset?: number | null;
    readonly stats?: { readonly matched_lines: number };
  };
}
type Text = { readonly text: string } | { readonly bytes: string };

/** Runs ripgrep over the paths and gives back its files as they are finished. */
export async function* runRipgrep(run: RipgrepRun): AsyncGenerator<RipgrepFile> {
  const args = [...patternArguments(run.pattern), ...outputArguments(run.lines), '--', ...run.paths];
  const collector = new Collector(run.lines);
  for await (const line of linesOf(args, run.root, run.signal)) {
    const file = collector.take(parseMessage(line));
    if (file !== undefined) yield file;
  }
}

/** The lines that ripgrep writes. It is killed when the reader stops, the signal says so, or it takes too long. */
async function* linesOf(args: readonly string[], cwd: string, signal: AbortSignal): AsyncGenerator<string> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MOST_MS)]);
  const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], signal: limited });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < 2000) errors += chunk.toString();
  });
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 2));
    // Killed, or never started: the exit code tells.
    child.on('error', () => resolve(2));
  });
  try {
    yield* splitLines(child.stdout);
    signal.throwIfAborted();
    if (limited.aborted)
      fail('search_timeout', 'The pattern takes too long here; name a folder, a glob or a longer text.');
    if ((await ended) === 2 && /error:/.test(errors)) badPattern(errors);
  } finally {
    child.kill();
  }
}

/** Lines by their newline only: `node:readline` would also cut at separators inside a text. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let open: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...open, chunk.subarray(from, end)]).toString('utf8');
      open = [];
      from = end + 1;
    }
    if (from < chunk.length) open.push(chunk.subarray(from));
  }
  // What is left was cut off when ripgrep was stopped: it ends every line.
}

/** The number of matching lines of each file below a folder, from one run over all of it, in no order. */
export async function countByRipgrep(
  run: Pick<RipgrepRun, 'root' | 'pattern' | 'signal'> & { readonly below: string; readonly hidden: boolean },
): Promise<[path: string, count: number][]> {
  const args = [...patternArguments(run.pattern), '--count', '--null', '--with-filename'];
  if (run.hidden) args.push('--hidden');
  const found: [string, number][] = [];
  for await (const line of linesOf([...args, '--', `./${run.below}`], run.root, run.signal)) {
    const [path = '', count] = line.split('\0');
    if (count !== undefined) found.push([path.replace(/^\.\//, ''), Number(count)]);
  }
  return found;
}

/** The flags that make ripgrep mean the same as the index does. */
function patternArguments({ pattern, insensitive, word, fixed }: PatternOptions): string[] {
  const flags = [insensitive ? '--ignore-case' : '--case-sensitive'];
  if (word) flags.push('--word-regexp');
  if (fixed) flags.push('--fixed-strings');
  return ['--no-config', '--no-messages', ...flags, '-e', pattern];
}

function outputArguments(lines: LineStyle | undefined): string[] {
  const context = [`-B${lines?.before ?? 0}`, `-A${lines?.after ?? 0}`];
  return ['--json', '--no-ignore', '--hidden', ...context];
}

function badPattern(errors: string): never {
  const reason = /error: (.*)/.exec(errors.replace(/^rg: /, ''))?.[1] ?? 'not a regular expression';
  fail(
    'invalid_parameter',
    `pattern: ${reason.slice(0, 200)}. Escape special characters, or search for a fixed text.`,
  );
}

/** Puts the messages of one file together. */
class Collector {
  readonly #lines: LineStyle | undefined;
  #path = '';
  #hits: Hit[] = [];
  #before: string[] = [];
  /** Lines of the file that only match through a secret. */
  #hidden = 0;

  constructor(lines: LineStyle | undefined) {
    this.#lines = lines;
  }

  take(message: Message | undefined): RipgrepFile | undefined {
    if (message === undefined) return undefined;
    const { type, data } = message;
    if (type === 'begin') {
      this.#path = bytesOf(data.path).toString('utf8').replace(/^\.\//, '');
      this.#hits = [];
      this.#before = [];
      this.#hidden = 0;
    } else if (type === 'match' && this.#lines !== undefined) this.#match(data, this.#lines);
    else if (type === 'context' && this.#lines !== undefined) this.#context(data, this.#lines);
    else if (type === 'end') {
      const count = (data.stats?.matched_lines ?? this.#hits.length + this.#hidden) - this.#hidden;
      const binary = typeof data.binary_offset === 'number';
      return { path: this.#path, hits: this.#hits, count, binary };
    }
    return undefined;
  }

  #match(data: Message['data'], style: LineStyle): void {
    const matched = (data.submatches ?? []).map(({ match }) => bytesOf(match).toString('utf8'));
    if (onlySecretsMatched(lineBytes(data.lines), matched)) {
      this.#hidden++;
      return;
    }
    const hit: Hit = {
      line: data.line_number ?? 0,
      ...lineText(lineBytes(data.lines), data.submatches?.[0], style),
    };
    const before = this.#before.slice(-style.before);
    this.#hits.push(style.before > 0 && before.length > 0 ? { ...hit, before } : hit);
    this.#noteAfter(contextText(lineBytes(data.lines), style), data.line_number ?? 0, style);
    this.#before = [...before, contextText(lineBytes(data.lines), style)];
  }

  #context(data: Message['data'], style: LineStyle): void {
    const text = contextText(lineBytes(data.lines), style);
    this.#noteAfter(text, data.line_number ?? 0, style);
    this.#before.push(text);
  }

  /** The line also follows the hits shortly before it. */
  #noteAfter(text: string, line: number, style: LineStyle): void {
    for (let index = this.#hits.length - 1; index >= 0; index--) {
      const hit = this.#hits[index];
      if (hit === undefined || line - hit.line > style.after) return;
      if (hit.line < line) this.#hits[index] = { ...hit, after: [...(hit.after ?? []), text] };
    }
  }
}

function parseMessage(line: string): Message | undefined {
  // Written by the ripgrep that this package brings along.
  return line === '' ? undefined : (JSON.parse(line) as Message);
}

function bytesOf(text: Text | undefined): Buffer {
  if (text === undefined) return Buffer.alloc(0);
  return 'text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64');
}

function lineBytes(text: Text | undefined): Buffer {
  const bytes = bytesOf(text);
  return bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
}
