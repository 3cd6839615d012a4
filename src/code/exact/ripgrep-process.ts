import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { rgPath } from '@vscode/ripgrep';
import { fail, inputMessage } from '../../contract/errors.ts';
import { type OpenFolder, openFolder } from '../../contract/open-file.ts';
import type { PatternOptions } from '../../regex/matcher.ts';
import { isGone } from './read-candidate.ts';

/** A run is stopped after this long. */
const MAX_RUN_MS = 30_000;

/** The flags that make ripgrep match what our engine matches; with `everything`, binary files are text. */
export function patternArguments(pattern: PatternOptions, everything: boolean): string[] {
  const flags = [pattern.insensitive ? '--ignore-case' : '--case-sensitive'];
  if (pattern.word) flags.push('--word-regexp');
  if (pattern.fixed) flags.push('--fixed-strings');
  if (everything) flags.push('--text');
  if (pattern.multiline) flags.push('--multiline');
  return ['--no-config', '--no-messages', ...flags, '-e', pattern.pattern];
}

/**
 * ripgrep's output, in pieces of whole lines. It is killed if the reader stops, the signal aborts, or it takes too
 * long; `input` is what it reads for the path `-`. A pattern that it rejects is an `invalid_parameter`.
 */
export async function* ripgrepOutput(
  args: readonly string[],
  root: string,
  signal: AbortSignal,
  input?: Buffer,
): AsyncGenerator<Buffer> {
  const folder = openRoot(root);
  if (folder === undefined) return;
  try {
    yield* ripgrepOutputIn(folder, args, signal, input);
  } finally {
    closeSync(folder.fd);
  }
}

/** The root of a tree, to run ripgrep in; undefined if it was deleted. */
export function openRoot(root: string): OpenFolder | undefined {
  try {
    return openFolder(root);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** The same as {@link ripgrepOutput}, in a folder that is already open. */
export async function* ripgrepOutputIn(
  { path: cwd }: OpenFolder,
  args: readonly string[],
  signal: AbortSignal,
  input?: Buffer,
): AsyncGenerator<Buffer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_RUN_MS)]);
  const child = spawn(rgPath, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], signal: limited });
  // It may end before it has read everything.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (errors.length < 2000) errors += chunk.toString();
  });
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 2));
    // Killed, or never started; the exit code shows it.
    child.on('error', () => resolve(2));
  });
  try {
    yield* wholeLines(child.stdout);
    signal.throwIfAborted();
    if (limited.aborted)
      fail(
        'search_timeout',
        'The pattern takes too long here. Search a smaller folder, add a glob, or use a longer text.',
      );
    if ((await ended) === 2 && /error:/.test(errors)) badPattern(errors);
  } finally {
    child.kill();
  }
}

async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) {
      yield open.length === 0 ? chunk.subarray(0, end) : Buffer.concat([...open, chunk.subarray(0, end)]);
      open = [];
    }
    if (end < chunk.length) open.push(chunk.subarray(end));
  }
  // ripgrep ends every line, so a remainder was cut off when it was stopped.
}

function badPattern(errors: string): never {
  const reason = /error: (.*)/.exec(errors.replace(/^rg: /, ''))?.[1] ?? 'not a regular expression';
  fail(
    'invalid_parameter',
    inputMessage`${{ input: 'pattern' }}: ${reason.slice(0, 200)}. Escape special characters, or search for a fixed text.`,
  );
}
