import { spawn } from 'node:child_process';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { fail, PinholeError } from '../../contract/errors.ts';
import { redact } from '../../contract/redact.ts';
import { type Mirror, mirrorPath, UNFINISHED } from './mirror-folders.ts';
import type { MirrorUrl } from './mirror-url.ts';

export interface MirrorLimits {
  readonly bytes: number;
  readonly ms: number;
}

export const MIRROR_LIMITS: MirrorLimits = { bytes: 4e9, ms: 30 * 60_000 };

const LOOK_MS = 500;
const MAX_OUTPUT_LENGTH = 2_000;

/**
 * Nothing that a repository contains is run or followed: no hooks, no filters, no submodules, no links, and git never
 * prompts for a password. The user's own git settings, such as a credential helper, still apply.
 */
const CAREFUL = [
  ...['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.symlinks=false'],
  ...['-c', 'submodule.recurse=false', '-c', 'fetch.recurseSubmodules=false', '-c', 'gc.auto=0'],
  ...['-c', 'filter.lfs.smudge=cat', '-c', 'filter.lfs.process=', '-c', 'filter.lfs.required=false'],
];
const ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: 'https:ssh:file',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_LFS_SKIP_SMUDGE: '1',
  LC_ALL: 'C',
};

/** Clones the main branch of a repository with its history. It appears under its name once it is complete. */
export async function addMirror(
  home: string,
  { url, project }: MirrorUrl,
  limits: MirrorLimits = MIRROR_LIMITS,
): Promise<Mirror> {
  const path = mirrorPath(home, project);
  if ((await sizeOf(path)) > 0)
    fail('conflict', `There is already a mirror of ${project}. Update it: pinhole mirror update ${project}`);
  const part = `${path}${UNFINISHED}`;
  await rm(part, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    const how = ['--quiet', '--single-branch', '--no-tags', '--no-recurse-submodules', '--template='];
    await git(['clone', ...how, '--', url, part], { path: part, limits });
    await rename(part, path);
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return { project, path };
}

/** Fetches what is new, and resets the files to the main branch. */
export async function updateMirror({ path }: Mirror, limits: MirrorLimits = MIRROR_LIMITS): Promise<void> {
  const inside = (...words: readonly string[]) => git(['-C', path, ...words], { path, limits });
  await inside('fetch', '--quiet', '--no-tags', '--no-recurse-submodules', 'origin', 'HEAD');
  await inside('reset', '--quiet', '--hard', 'FETCH_HEAD');
  await inside('clean', '--quiet', '-ffdx');
}

export async function removeMirror({ path }: Mirror): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
}

async function git(
  words: readonly string[],
  { path, limits }: { readonly path: string; readonly limits: MirrorLimits },
): Promise<void> {
  const env = {
    ...process.env,
    ...ENVIRONMENT,
    GIT_SSH_COMMAND: process.env.GIT_SSH_COMMAND ?? 'ssh -o BatchMode=yes',
  };
  // A separate process group, so that whatever git starts ends with it.
  const child = spawn('git', [...CAREFUL, ...words], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-MAX_OUTPUT_LENGTH);
  });
  const watching = new AbortController();
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const stop = (why: PinholeError) => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    return why;
  };
  const watched = (async () => {
    const end = performance.now() + limits.ms;
    try {
      for await (const _ of every(LOOK_MS, undefined, { signal: watching.signal })) {
        if (performance.now() > end)
          return stop(
            new PinholeError('unavailable', 'git took too long and was stopped.', { retryable: true }),
          );
        if ((await sizeOf(path)) > limits.bytes) return stop(tooLarge(limits));
      }
    } catch {
      // Aborted because git has ended.
    }
    return undefined;
  })();
  const code = await ended.finally(() => watching.abort());
  const stopped = await watched;
  if (stopped !== undefined) throw stopped;
  if (code !== 0)
    fail(
      'invalid_parameter',
      `git could not read the repository: ${redact(said.trim()) || `exit code ${code}`}`,
    );
  if ((await sizeOf(path)) > limits.bytes) {
    await rm(path, { recursive: true, force: true });
    throw tooLarge(limits);
  }
}

const tooLarge = ({ bytes }: MirrorLimits) =>
  new PinholeError(
    'invalid_parameter',
    `The repository is larger than ${Math.round(bytes / 1e6)} MB. Allow more with --max-megabytes.`,
  );

/** The size of a folder in bytes; 0 if it does not exist. */
export async function sizeOf(path: string): Promise<number> {
  let sum = 0;
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries)
    if (entry.isFile())
      sum += (await stat(join(entry.parentPath ?? entry.path, entry.name)).catch(() => undefined))?.size ?? 0;
  return sum;
}
