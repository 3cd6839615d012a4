import { Readable } from 'node:stream';
import { usableDataFolder } from '../app/home.ts';
import { errorText } from '../contract/errors.ts';
import { findOrStartOwner } from '../daemon/connect.ts';
import { closeConnections, streamOwner } from '../daemon/http-client.ts';
import { NoOwner } from '../daemon/reach-owner.ts';
import type { BuiltIn } from './built-in.ts';
import { cliCaller, localApp, sayAlone } from './engine.ts';
import { type GrepCommand, readGrep } from './grep-flags.ts';

const CLOSE_MS = 3_000;

/** `pinhole grep`: ripgrep's manners over the index. Exit code 0 with matches, 1 without, 2 on an error. */
export const grep: BuiltIn = {
  usage: 'pinhole grep [flags] PATTERN [PATH...]',
  flags: [
    ['-i, -s, -S', 'any case; exact case (default); smart case'],
    ['-w, -x, -F', 'whole words; whole lines; a fixed text instead of an expression'],
    ['-v, -o', 'lines that do not match; only what matched'],
    ['-l, -c, -q', 'only the files; the number of matching lines of each; nothing, only the exit code'],
    ['-A N, -B N, -C N', 'lines after, before, around'],
    ['-g GLOB', 'only (or with ! not) these files; ignored ones come with -u only'],
    ['-t TYPE, -T TYPE', 'only, or not, files of a type; the types of ripgrep'],
    ['-n, -N, -H, -I', 'with or without line numbers; with or without file names'],
    ['-e PATTERN', 'a pattern that begins with a dash; several are alternatives'],
    ['-m N', 'at most N lines of each file'],
    ['--hidden, -u, -uu, -uuu', 'dot files too; ignored files too; both; and binary ones'],
    ['-a', 'binary, minified and very large files too'],
    ['--files', 'the files that would be searched'],
    ['--color WHEN, --heading, --column, -0, -p', 'as in ripgrep'],
    ['--stats', 'numbers at the end, and what was not searched'],
    ['--json', 'the messages of rg --json'],
  ],
  examples: [
    'pinhole grep -n createServer src',
    "pinhole grep -t rust 'fn \\w+_lock'",
    'pinhole grep -n old_name > matches.txt',
  ],
  async run(args) {
    try {
      const command = readGrep(args, process.stdout.isTTY === true);
      for (const note of command.notes) process.stderr.write(`pinhole: ${note}\n`);
      return await search(command);
    } catch (error) {
      process.stderr.write(`pinhole: ${messageOf(error)}\n`);
      return 2;
    } finally {
      closeConnections();
    }
  },
};

/** Writes the matches as they are found: by the background process, or by this one when there can be none. */
async function search(command: GrepCommand): Promise<number> {
  const { request } = command;
  const home = usableDataFolder();
  try {
    const owner = await findOrStartOwner(home);
    return await written(await streamOwner(owner, '/internal/grep', request), command);
  } catch (error) {
    if (!(error instanceof NoOwner)) throw error;
    sayAlone(error.message);
  }
  const house = await localApp(home);
  try {
    const { createRoots } = await import('../contract/roots.ts');
    const { matchStream } = await import('../app/match-stream.ts');
    const roots = await createRoots(['/']);
    const { signal } = new AbortController();
    const pieces = matchStream(house.services, request, cliCaller('text'), roots, signal);
    return await written(Readable.from(pieces), command);
  } finally {
    await house.close(CLOSE_MS);
  }
}

/** Hands everything on; a reader who has enough, such as `head`, ends it at once. */
async function written(pieces: Readable, { request, quiet }: GrepCommand): Promise<number> {
  let start = '';
  let gone = false;
  process.stdout.on('error', () => {
    gone = true;
    pieces.destroy();
  });
  try {
    for await (const piece of pieces) {
      if (start.length < SUMMARY.length) start += Buffer.from(piece).toString('latin1', 0, SUMMARY.length);
      if (quiet) return 0;
      if (!process.stdout.write(piece)) await drained();
    }
  } catch (error) {
    if (!gone) throw error;
  }
  const nothing = request.form === 'json' ? SUMMARY : request.stats ? NO_LINES : '';
  const found = nothing === '' ? start !== '' : !start.startsWith(nothing);
  return found || gone ? 0 : 1;
}

/** How the output begins when nothing was found. */
const SUMMARY = '{"data":';
const NO_LINES = '\n0 match';

function drained(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      process.stdout.off('drain', done).off('error', done).off('close', done);
      resolve();
    };
    process.stdout.on('drain', done).on('error', done).on('close', done);
  });
}

/** The words of the background process are an error body. */
function messageOf(error: unknown): string {
  const text = errorText(error);
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'error' in body) {
      const inner = body.error;
      if (typeof inner === 'object' && inner !== null && 'message' in inner) return String(inner.message);
    }
  } catch {
    // Plain words.
  }
  return text;
}
