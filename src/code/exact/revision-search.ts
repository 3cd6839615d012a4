import { fail, inputMessage } from '../../contract/errors.ts';
import { Lru } from '../../contract/lru.ts';
import { redactLines } from '../../contract/redact.ts';
import { gitOutput, startGit } from '../../contract/run-git.ts';
import type { Matcher } from '../../regex/matcher.ts';
import { MAX_FILE_BYTES, skipReason, textOf } from '../files/file-content.ts';
import { comparePaths } from '../files/path-order.ts';
import type { SkipReason } from '../files/source-tree.ts';
import { compilePattern } from './compile-pattern.ts';
import type { ExactQuery, ExactSearch } from './exact-query.ts';
import { pathFilter } from './file-filter.ts';
import { contextText, type Hit, type LineStyle, lineText } from './hits.ts';
import { scanLines } from './scan-lines.ts';

/** A commit, and the folder in which git runs. */
export interface Revision {
  /** Absolute. */
  readonly folder: string;
  /** The same relative to the root of the tree; '' or with a trailing slash. */
  readonly prefix: string;
  /** A branch, tag or commit, as the caller names it. */
  readonly rev: string;
}

interface Blob {
  readonly path: string;
  readonly hash: string;
}

/** Texts that are kept until the names around their hits have been read. */
const KEPT_TEXTS = 32;

/** Prepares a search in the files of a commit: they are read from git's objects, and nothing is checked out. */
export async function searchRevision(
  { folder, prefix, rev }: Revision,
  { pattern, filter, lines }: ExactQuery,
  signal: AbortSignal,
): Promise<ExactSearch> {
  const matcher: Matcher | undefined = compilePattern(pattern);
  if (matcher === undefined)
    fail(
      'invalid_parameter',
      inputMessage`${{ input: 'pattern' }}: this part of the syntax does not work with ${{ input: 'rev' }}. Write it without flags.`,
    );
  const named = await gitOutput(
    folder,
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`],
    signal,
  );
  if (named === undefined)
    fail('not_found', `No commit, branch or tag '${rev.slice(0, 100)}' in the repository of ${folder}.`);
  const listed = (await gitOutput(folder, ['ls-tree', '-r', '-z', '-l', named.trim()], signal)) ?? '';
  const admits = pathFilter(filter);
  const skipped: Partial<Record<SkipReason, number>> = {};
  const skip = (reason: SkipReason) => {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const blobs: Blob[] = [];
  for (const entry of listed.split('\0')) {
    const [, kind, hash, size, name] = /^(\d+) \w+ (\w+) +(\d+|-)\t([\s\S]+)$/.exec(entry) ?? [];
    if (kind === undefined || hash === undefined || name === undefined) continue;
    const path = prefix + name;
    const isHidden = /(?:^|\/)\./.test(path.slice(filter.below.length));
    // Links and repositories inside this one have no text.
    if (!kind.startsWith('100') || !admits(path) || (isHidden && !filter.hidden)) continue;
    if (Number(size) > MAX_FILE_BYTES) skip('too_large');
    else blobs.push({ path, hash });
  }
  blobs.sort((a, b) => comparePaths(a.path, b.path));
  let searched = 0;
  const texts = new Lru<string, string>({ most: KEPT_TEXTS });
  const everything = filter.everything === true;

  const found = async function* (style: LineStyle | undefined) {
    for await (const { path, bytes } of contents(folder, blobs, signal)) {
      searched++;
      const text = textOf(bytes);
      const reason = text.converted || everything ? undefined : skipReason(bytes);
      if (reason !== undefined) skip(reason);
      else {
        const { hits, count } = hitsIn(text.bytes, matcher, style);
        if (count > 0) {
          texts.set(path, text.bytes.toString('utf8'));
          yield { path, hits, count };
        }
      }
    }
  };
  return {
    async *hits() {
      for await (const { path, hits } of found(lines)) yield { path, hits };
    },
    async *counts() {
      for await (const { path, count } of found(undefined)) yield [path, count] as const;
    },
    async *files() {
      for await (const { path } of found(undefined)) yield path;
    },
    textOf: (path) => texts.get(path),
    inScope: () => blobs.length,
    plan: () => ({
      via: 'git',
      candidates: { files: blobs.length, bytes: 0 },
      index: { files: 0, pending: 0, segments: 0, bytes: 0 },
      insensitive: pattern.insensitive,
    }),
    get report() {
      return { via: 'git' as const, files: blobs.length, fresh: true, indexed: true, searched, skipped };
    },
  };
}

/** The matching lines of a text without its secrets, which a query must not find. */
function hitsIn(
  bytes: Buffer,
  matcher: Matcher,
  style: LineStyle | undefined,
): { readonly hits: readonly Hit[]; readonly count: number } {
  const raw = bytes.toString('utf8');
  const redacted = redactLines(raw);
  const clean = redacted === raw ? bytes : Buffer.from(redacted);
  const hits: Hit[] = [];
  let count = 0;
  let line = 1;
  let counted = 0;
  scanLines(matcher, clean, { from: 0, to: clean.length }, (from, to) => {
    count++;
    for (let at = clean.indexOf(10, counted); at !== -1 && at < from; at = clean.indexOf(10, at + 1)) line++;
    counted = from;
    if (style !== undefined) {
      const text = clean.subarray(from, to);
      hits.push({ line, ...lineText(text, matcher.locate(text, 0, text.length), style) });
    }
    return true;
  });
  if (style === undefined || style.before + style.after === 0 || hits.length === 0) return { hits, count };
  const all = redacted.split('\n').map((text) => contextText(Buffer.from(text), style));
  return {
    count,
    hits: hits.map((hit) => ({
      ...hit,
      before: all.slice(Math.max(0, hit.line - 1 - style.before), hit.line - 1),
      after: all.slice(hit.line, hit.line + style.after),
    })),
  };
}

/** The contents of some objects, in order. */
async function* contents(
  folder: string,
  blobs: readonly Blob[],
  signal: AbortSignal,
): AsyncGenerator<{ readonly path: string; readonly bytes: Buffer }> {
  const ended = new AbortController();
  const git = startGit(folder, ['cat-file', '--batch'], AbortSignal.any([signal, ended.signal]));
  git.feed(blobs.map(({ hash }) => hash));
  let buffer: Buffer = Buffer.alloc(0);
  let nth = 0;
  try {
    for await (const piece of git.stdout) {
      buffer = Buffer.concat([buffer, piece]);
      for (let end = buffer.indexOf(10); end !== -1; end = buffer.indexOf(10)) {
        const size = Number(/^\w+ blob (\d+)$/.exec(buffer.toString('latin1', 0, end))?.[1] ?? Number.NaN);
        if (Number.isNaN(size)) {
          // An object that is missing, as in a partial clone.
          nth++;
          buffer = buffer.subarray(end + 1);
          continue;
        }
        if (buffer.length < end + 1 + size + 1) break;
        const bytes = buffer.subarray(end + 1, end + 1 + size);
        buffer = buffer.subarray(end + 1 + size + 1);
        const blob = blobs[nth++];
        if (blob !== undefined) yield { path: blob.path, bytes };
      }
    }
  } finally {
    // A reader that has enough does not wait for the rest.
    ended.abort();
  }
}
