import { createInterface } from 'node:readline';
import { fail, inputMessage } from '../../contract/errors.ts';
import { redactLines } from '../../contract/redact.ts';
import { gitOutput, startGit } from '../../contract/run-git.ts';
import type { Requirement } from '../../regex/literals.ts';
import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import { compilePattern } from './compile-pattern.ts';

/** A commit that changed a matching line. */
export interface ChangedLines {
  readonly commit: string;
  readonly at: number;
  readonly author: string;
  readonly subject: string;
  readonly files: readonly {
    readonly path: string;
    /** With `+` or `-` in front. */
    readonly lines: readonly string[];
  }[];
}

/** What has been searched so far. */
export interface HistoryTally {
  commits: number;
}

const FORMAT = '%x1e%H%x1f%ct%x1f%an%x1f%s';
/** Longer lines are data. */
const MAX_LINE_LENGTH = 2_000;

/**
 * The commits that added or removed matching lines, newest first. git lists those that changed a text contained in
 * every match; which lines match is decided here, without their secrets.
 */
export async function* searchHistory(
  {
    folder,
    paths,
    rev,
  }: { readonly folder: string; readonly paths: readonly string[]; readonly rev: string },
  pattern: PatternOptions,
  tally: HistoryTally,
  signal: AbortSignal,
): AsyncGenerator<ChangedLines> {
  const matcher = compilePattern(pattern);
  if (matcher === undefined)
    fail(
      'invalid_parameter',
      inputMessage`${{ input: 'pattern' }}: this part of the syntax does not work over history.`,
    );
  if (
    (await gitOutput(
      folder,
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`],
      signal,
    )) === undefined
  )
    fail('not_found', `No commit, branch or tag '${rev.slice(0, 100)}' in the repository of ${folder}.`);
  const text = contained(matcher.requirement);
  const narrow = text === undefined ? [] : [`-G${escaped(text)}`, '-i'];
  const ended = new AbortController();
  const git = startGit(
    folder,
    [
      'log',
      '-p',
      '-U0',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--no-merges',
      '--relative',
      `--format=${FORMAT}`,
      ...narrow,
      '--end-of-options',
      rev,
      '--',
      ...paths,
    ],
    AbortSignal.any([signal, ended.signal]),
  );
  git.feed([]);
  let open: string[] = [];
  try {
    for await (const line of createInterface({ input: git.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (line.startsWith('\x1e')) {
        const found = open.length === 0 ? undefined : changedIn(open, matcher);
        if (open.length > 0) tally.commits++;
        if (found !== undefined) yield found;
        open = [line];
      } else open.push(line.slice(0, MAX_LINE_LENGTH));
    }
    const found = open.length === 0 ? undefined : changedIn(open, matcher);
    if (open.length > 0) tally.commits++;
    if (found !== undefined) yield found;
    // git names only the commits that changed the text; it looked at all of them.
    const all = ['rev-list', '--count', '--no-merges', '--end-of-options', rev, '--', ...paths];
    const count = text === undefined ? undefined : await gitOutput(folder, all, signal);
    if (count !== undefined) tally.commits = Math.max(tally.commits, Number(count));
  } finally {
    // A reader that has enough does not wait for the rest.
    ended.abort();
  }
}

/** The longest text that every match contains; git's own regular expressions are a different dialect. */
function contained(need: Requirement): string | undefined {
  if (need.kind === 'literal') return need.literal.text;
  if (need.kind !== 'all') return undefined;
  const texts = need.parts.flatMap((part) => contained(part) ?? []);
  return texts.sort((a, b) => b.length - a.length)[0];
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** The matching lines that a commit changed; undefined if there are none. */
function changedIn(lines: readonly string[], matcher: Matcher): ChangedLines | undefined {
  const [head = '', ...diff] = lines;
  const [commit = '', at = '', author = '', subject = ''] = head.slice(1).split('\x1f');
  const files: { path: string; lines: string[] }[] = [];
  let path = '';
  let inHunk = false;
  for (const line of redactLines(diff.join('\n')).split('\n')) {
    if (line.startsWith('diff --git ')) inHunk = false;
    else if (line.startsWith('@@')) inHunk = true;
    else if (!inHunk) path = /^(?:---|\+\+\+) (?:[ab]\/)(.+?)\t?$/.exec(line)?.[1] ?? path;
    else if (/^[-+]/.test(line)) {
      const bytes = Buffer.from(line.slice(1));
      if (!matcher.test(bytes, 0, bytes.length)) continue;
      const last = files.at(-1);
      if (last?.path === path) last.lines.push(line);
      else files.push({ path, lines: [line] });
    }
  }
  return files.length === 0 ? undefined : { commit, at: Number(at) * 1000, author, subject, files };
}
