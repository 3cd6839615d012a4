import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { PinholeError } from './errors.ts';

/**
 * What keeps a repository's own settings from starting programs, and git from asking a network or a person: no
 * external diff or text conversion, no file system monitor, no lazy fetch of missing objects.
 */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'protocol.allow=never'];
const ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
};

export interface GitRun {
  readonly stdout: Readable;
  /** Lines for git to read. */
  feed(lines: Iterable<string>): void;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number>;
}

/** Starts git in a repository. */
export function startGit(root: string, args: readonly string[], signal: AbortSignal): GitRun {
  const env: NodeJS.ProcessEnv = { ...process.env, ...ENVIRONMENT };
  // Somebody else's repository must not be read in place of this one.
  for (const name of ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE']) delete env[name];
  const child = spawn('git', [...SAFE, '-C', root, ...args], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
  });
  const ended = once(child, 'close').then(
    ([code]) => (typeof code === 'number' ? code : 1),
    (error: unknown) => {
      if (signal.aborted) throw error;
      throw new PinholeError('conflict', 'git was not found. Install git, then ask again.');
    },
  );
  // A reader that stops early does not wait for the end.
  ended.catch(() => {});
  child.stdin.on('error', () => {});
  return {
    stdout: child.stdout,
    feed: (lines) => child.stdin.end([...lines, ''].join('\n')),
    ended,
  };
}

/** What git prints; undefined if it fails. */
export async function gitOutput(
  root: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const git = startGit(root, args, signal);
  git.feed([]);
  const pieces: Buffer[] = [];
  for await (const piece of git.stdout) pieces.push(piece);
  return (await git.ended) === 0 ? Buffer.concat(pieces).toString('utf8') : undefined;
}
