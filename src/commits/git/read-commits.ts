import { createInterface } from 'node:readline';
import { gitOutput, startGit } from '../../contract/run-git.ts';
import { lineHashes } from '../line-hashes.ts';
import { type NamedSession, sessionsInNote } from './named-sessions.ts';

/** A commit as git reports it, without its changes. */
export interface CommitHead {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly authoredMs: number;
  readonly committedMs: number;
  readonly subject: string;
  /** Checkpoints that a tool noted in the message: `Entire-Checkpoint: 00c9e2351016`. */
  readonly checkpoints: readonly string[];
  /** Sessions that other tools noted: git-ai, Entire. */
  readonly noted: readonly NamedSession[];
}

export interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly addedLines: Uint32Array;
  readonly removedLines: Uint32Array;
}

export interface Commit extends CommitHead {
  readonly files: readonly ChangedFile[];
}

const FORMAT =
  '%H%x1f%an%x1f%ae%x1f%at%x1f%ct%x1f%s%x1f%(trailers:key=Entire-Checkpoint,valueonly,separator=%x20)%x1f%N%x1e';
/** More than the busiest year has. */
const MAX_COMMITS = 50_000;
/** Longer changes are imports and generated files; their first lines are enough. */
const MAX_LINES_OF_FILE = 20_000;

/** The commits on all branches since a time, newest first, without merges; undefined if this is not a repository. */
export async function listCommits(
  root: string,
  sinceMs: number,
  signal: AbortSignal,
): Promise<readonly CommitHead[] | undefined> {
  const text = await gitOutput(
    root,
    [
      'log',
      '--no-merges',
      '--no-notes',
      '--notes=ai',
      '--exclude=refs/notes/*',
      '--exclude=refs/stash',
      '--exclude=*/entire/*',
      '--all',
      `--max-age=${Math.max(0, Math.floor(sinceMs / 1000))}`,
      `--max-count=${MAX_COMMITS}`,
      `--format=${FORMAT}`,
    ],
    signal,
  );
  return text
    ?.split('\x1e')
    .map((record) => record.trim().split('\x1f'))
    .flatMap(
      ([hash, author = '', email = '', authored, committed, subject = '', checkpoints = '', note = '']) =>
        hash === undefined || hash === ''
          ? []
          : [
              {
                ...{ hash, author, email, subject },
                authoredMs: Number(authored) * 1000,
                committedMs: Number(committed) * 1000,
                checkpoints: checkpoints.split(/[\s,]+/).filter(Boolean),
                noted: sessionsInNote(note),
              },
            ],
    );
}

/**
 * Reads what commits changed. Git exits at a commit whose objects are missing, as in a partial clone. Such a commit has
 * no files, and git is restarted after it.
 */
export async function* readChanges(
  root: string,
  hashes: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly hash: string; readonly files: readonly ChangedFile[] }> {
  for (let from = 0; from < hashes.length; ) {
    const left = hashes.slice(from);
    let done = 0;
    for await (const change of readRun(root, left, signal)) {
      done++;
      yield change;
    }
    if (done === left.length) return;
    const missing = left[done];
    if (missing !== undefined) yield { hash: missing, files: [] };
    from += done + 1;
  }
}

const DIFF = [
  'diff-tree',
  '--stdin',
  '-r',
  '--root',
  '-p',
  '-U0',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-prefix',
  '-M',
  '--always',
  '--pretty=format:%x1e%H',
];

async function* readRun(root: string, hashes: readonly string[], signal: AbortSignal) {
  const git = startGit(root, DIFF, signal);
  git.feed(hashes);
  let hash = '';
  let files: FileLines[] = [];
  for await (const line of createInterface({ input: git.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.startsWith('\x1e')) {
      if (hash !== '') yield { hash, files: files.map(changedFile) };
      hash = line.slice(1);
      files = [];
    } else readLine(line, files);
  }
  // The last commit is complete only if git exited normally.
  if ((await git.ended) === 0 && hash !== '') yield { hash, files: files.map(changedFile) };
}

interface FileLines {
  path: string;
  added: number;
  removed: number;
  /** Lines left in the hunk, so that a line `--- x` in a file is not mistaken for a header. */
  left: { removed: number; added: number };
  readonly addedLines: string[];
  readonly removedLines: string[];
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

function readLine(line: string, files: FileLines[]): void {
  const file = files.at(-1);
  if (file !== undefined && file.left.removed > 0 && line.startsWith('-')) {
    file.left.removed--;
    file.removed++;
    if (file.removed <= MAX_LINES_OF_FILE) file.removedLines.push(line.slice(1));
  } else if (file !== undefined && file.left.added > 0 && line.startsWith('+')) {
    file.left.added--;
    file.added++;
    if (file.added <= MAX_LINES_OF_FILE) file.addedLines.push(line.slice(1));
  } else if (line.startsWith('diff --git '))
    files.push({
      path: '',
      ...{ added: 0, removed: 0, left: { removed: 0, added: 0 }, addedLines: [], removedLines: [] },
    });
  else if (file === undefined) return;
  else if (line.startsWith('--- ') || line.startsWith('+++ ')) {
    const path = plainPath(line.slice(4));
    if (path !== '/dev/null') file.path = path;
  } else if (line.startsWith('rename to ')) file.path = plainPath(line.slice('rename to '.length));
  else {
    const [, removed, added] = HUNK.exec(line) ?? [];
    if (line.startsWith('@@')) file.left = { removed: Number(removed ?? 1), added: Number(added ?? 1) };
  }
}

/** Git quotes names with unusual characters, and ends names that contain spaces with a tab. */
export function plainPath(name: string): string {
  const plain = name.replace(/\t$/, '');
  if (!plain.startsWith('"')) return plain;
  const bytes: number[] = [];
  const inside = plain.slice(1, -1);
  for (let at = 0; at < inside.length; at++) {
    const octal = /^\\([0-3][0-7]{2})/.exec(inside.slice(at, at + 4))?.[1];
    if (octal !== undefined) {
      bytes.push(Number.parseInt(octal, 8));
      at += 3;
    } else if (inside[at] === '\\')
      bytes.push(...Buffer.from(ESCAPES[inside[++at] ?? ''] ?? inside[at] ?? ''));
    else bytes.push(...Buffer.from(inside[at] ?? ''));
  }
  return Buffer.from(bytes).toString('utf8');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function changedFile({ path, added, removed, addedLines, removedLines }: FileLines): ChangedFile {
  return { path, added, removed, addedLines: lineHashes(addedLines), removedLines: lineHashes(removedLines) };
}
