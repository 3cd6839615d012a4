import { usableDataFolder } from '../app/home.ts';
import { type GrepOutcome, grepOutcome } from '../code/grep-output/grep-outcome.ts';
import type { BuiltIn } from '../command/built-in.ts';
import { closeConnections, streamFromBackground } from '../connect/call-background.ts';
import { findOrStartBackground } from '../connect/find-or-start.ts';
import { NoBackground } from '../connect/reach-background.ts';
import { decodeFrames } from '../connect/stream-frames.ts';
import { errorText } from '../contract/errors.ts';
import { cliCaller, localApp, sayLocal } from './cli-engine.ts';
import { type GrepCommand, readGrep, typeList } from './grep-flags.ts';

const CLOSE_MS = 3_000;
const NEWLINE = 10;

/** `pinhole grep`: the flags and output of ripgrep, through the index. Exit code 0 with matches, 1 without, 2 on an error. */
export const grep: BuiltIn = {
  usage: 'pinhole grep [flags] PATTERN [PATH...]',
  flags: [
    ['-i, -s, -S', 'ignore case; match case (default); smart case'],
    ['-w, -x, -F', 'match whole words; match whole lines; plain text instead of a regular expression'],
    ['-U, --multiline', 'a match may span lines'],
    ['-v, -o', 'lines that do not match; only the matching parts'],
    ['-l, -c, -q', 'only file names; matching lines per file; nothing but the exit code'],
    ['-A N, -B N, -C N', 'show N lines after, before, around each match'],
    ['-g GLOB', 'only files that match, or with ! those that do not; ignored files need -u'],
    ['-t TYPE, -T TYPE', 'only files of a type; no files of a type (the types of ripgrep)'],
    ['-n, -N, -H, -I', 'show or hide line numbers; show or hide file names'],
    ['-e PATTERN', 'a pattern that starts with a dash; several -e are alternatives'],
    ['-m N', 'at most N matching lines per file'],
    ['--hidden, -u, -uu, -uuu', 'include hidden files; ignored files; both; and binary files'],
    ['-a', 'include binary, minified and very large files'],
    ['--files', 'list the files that would be searched'],
    ['--color WHEN, --heading, --column, -b, -0, -p', 'as in ripgrep'],
    [
      '--trim, --context-separator TEXT, --max-filesize N',
      'as in ripgrep, and --type-list, --multiline-dotall',
    ],
    ['--stats', 'end with statistics and what was not searched'],
    ['--json', 'the messages of rg --json'],
    ['--max-bytes N', 'stop after this many bytes, at the end of a line, and say so on stderr'],
  ],
  examples: [
    'pinhole grep -n createServer src',
    "pinhole grep -t rust 'fn \\w+_lock'",
    'pinhole grep -n old_name > matches.txt',
  ],
  async run(args) {
    try {
      if (args.includes('--type-list')) {
        process.stdout.write(typeList());
        return 0;
      }
      const command = readGrep(args, process.stdout.isTTY === true);
      for (const note of command.notes) process.stderr.write(`pinhole: ${note}\n`);
      return await search(command);
    } catch (error) {
      process.stderr.write(`pinhole: ${errorText(error)}\n`);
      return 2;
    } finally {
      closeConnections();
    }
  },
};

/** Searches in the background process, or in this one if there is none, and writes matches as they are found. */
async function search({ request, budget }: GrepCommand): Promise<number> {
  const home = usableDataFolder();
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const background = await findOrStartBackground(home);
    const frames = await streamFromBackground(background, '/internal/grep', request, { signal });
    return await written(decodeFrames(frames, grepOutcome), stop, budget);
  } catch (error) {
    if (!(error instanceof NoBackground)) throw error;
    sayLocal(error.message);
  }
  const app = await localApp(home);
  try {
    const { createRoots } = await import('../contract/roots.ts');
    const { matchStream } = await import('../app/match-stream.ts');
    const roots = await createRoots(['/']);
    return await written(matchStream(app.services, request, cliCaller('text'), roots, signal), stop, budget);
  } finally {
    await app.close(CLOSE_MS);
  }
}

/** Writes everything to stdout; when its reader leaves, as `head` does, the search stops. Returns the exit code. */
async function written(
  pieces: AsyncIterator<Uint8Array, GrepOutcome>,
  stop: AbortController,
  budget: number,
): Promise<number> {
  process.stdout.on('error', () => stop.abort());
  let left = budget;
  try {
    for (;;) {
      const step = await pieces.next();
      if (step.done) return step.value.matched ? 0 : 1;
      const fits = step.value.length <= left;
      const piece = fits ? step.value : step.value.subarray(0, step.value.lastIndexOf(NEWLINE, left - 1) + 1);
      left -= piece.length;
      if (!process.stdout.write(piece)) await drained();
      if (fits) continue;
      process.stderr.write(`pinhole: stopped after ${budget - left} bytes; there is more (--max-bytes).\n`);
      stop.abort();
      return 0;
    }
  } catch (error) {
    if (stop.signal.aborted) return 0;
    throw error;
  }
}

function drained(): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      process.stdout.off('drain', done).off('error', done).off('close', done);
      resolve();
    };
    process.stdout.on('drain', done).on('error', done).on('close', done);
  });
}
