import { fail } from '../../contract/errors.ts';
import { redact } from '../../contract/redact.ts';
import type { Requirement } from '../../regex/literals.ts';
import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import { TooExpensive } from '../../regex/simulate.ts';
import { compilePattern, indexNeed, isSelective } from '../exact/compile-pattern.ts';
import { batchesOf, inOrder, TASKS_PER_THREAD } from '../exact/file-batches.ts';
import { type FileFilter, fileFilter } from '../exact/file-filter.ts';
import { type NamedFile, namedFile } from '../exact/named-file.ts';
import type { VerifyFile } from '../exact/read-candidate.ts';
import type { SearchTarget } from '../exact/search-target.ts';
import { comparePaths } from '../files/path-order.ts';
import type { SkipReason } from '../files/source-tree.ts';
import { unfilteredFiles } from '../files/unfiltered-files.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import { noteFiles } from './grep-stats.ts';
import type { PrintReply } from './print-files.ts';
import { printMultiline } from './print-multiline.ts';
import { printByRipgrep } from './print-ripgrep.ts';
import { COLOURS, type PrintedFile, type PrintStyle, painted, shownName } from './print-style.ts';

/** All matches of a pattern, to print. */
export interface PrintQuery {
  readonly pattern: PatternOptions;
  readonly filter: FileFilter;
  readonly style: PrintStyle;
  /** What to print for each file with a match; `files` prints the names of all files. */
  readonly what: 'matches' | 'counts' | 'names' | 'files';
  /** Include files that ignore rules hide. */
  readonly ignored: boolean;
  /** Record which files are searched and which are not. */
  readonly stats?: boolean | undefined;
}

const BATCH_SIZES = { files: 32, maxFiles: 512, bytes: 4 * 1024 * 1024 };
const SLICE_MS = 200;

/** Totals of all searches that are printed together. */
export interface PrintSums {
  files: number;
  searched: number;
  lines: number;
  matches: number;
  bytes: number;
  printed: number;
  /** Files that turned out to be of a kind that is not searched. */
  readonly skipped: Map<string, SkipReason>;
  /** Folders that could not be read. */
  readonly unreadable: Set<string>;
}

export function noSums(): PrintSums {
  return {
    files: 0,
    searched: 0,
    lines: 0,
    matches: 0,
    bytes: 0,
    printed: 0,
    skipped: new Map(),
    unreadable: new Set(),
  };
}

/** Prints all matches, piece by piece, in path order. Memory does not grow with their number. */
export async function* printSearch(
  query: PrintQuery,
  target: SearchTarget,
  sums: PrintSums,
): AsyncGenerator<Uint8Array> {
  const { style, what } = query;
  const named = query.ignored ? undefined : namedFile(target, query.filter.below);
  if (query.stats) noteFiles(query, target, sums);
  else sums.searched += target.index.counts(query.filter.hidden).files;
  const between = separator(style, what);
  if (what === 'files') {
    for (const path of allFiles(query, target, named)) {
      sums.files++;
      yield Buffer.from(nameLine(style, redact(shownName(style, path))));
    }
    return;
  }
  for await (const file of printedFiles(query, target, named, sums)) {
    sums.lines += file.lines;
    sums.matches += file.matches;
    sums.bytes += file.bytes;
    if (sums.files++ > 0 && between !== '') yield Buffer.from(between);
    if (what === 'names') yield Buffer.from(nameLine(style, file.name));
    else if (what === 'counts') yield Buffer.from(countLine(style, file));
    else
      yield named?.nul !== undefined && style.form !== 'json'
        ? binaryLine(style, file, named.nul)
        : file.text;
    sums.printed += file.printed;
  }
}

async function* printedFiles(
  asked: PrintQuery,
  target: SearchTarget,
  named: NamedFile | undefined,
  sums: PrintSums,
): AsyncGenerator<PrintedFile> {
  const everything = (asked.filter.everything ?? false) || named !== undefined;
  const query = { ...asked, filter: { ...asked.filter, everything } };
  const { pattern, style } = query;
  const matcher = compilePattern(pattern);
  const candidates =
    named === undefined
      ? candidatesFor(query, target, matcher)
      : [{ file: named.file, spans: undefined }].values();
  if (pattern.multiline) {
    yield* printMultiline(query, target, candidates, sums);
    return;
  }
  if (matcher === undefined) {
    yield* printByRipgrep(query, target, candidates);
    return;
  }
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const run = async (files: readonly VerifyFile[]) => {
    const replies: PrintReply[] = [];
    for (let rest = files; rest.length > 0 && cancelled[0] === 0; ) {
      const task = {
        root: target.tree.root,
        pattern,
        files: rest,
        style,
        everything,
        sliceMs: SLICE_MS,
        cancelled,
      };
      const reply = await target.pool.run(task, false, target.signal);
      if (query.stats)
        for (const [path, reason] of reply.skipped) sums.skipped.set(`${target.tree.root}/${path}`, reason);
      replies.push(reply);
      rest = rest.slice(reply.next);
    }
    return { results: replies };
  };
  try {
    for await (const reply of inOrder(
      batchesOf(candidates, BATCH_SIZES),
      target.pool.size * TASKS_PER_THREAD,
      run,
    ))
      yield* reply.printed;
  } catch (error) {
    if (!(error instanceof TooExpensive)) throw error;
    fail(
      'search_timeout',
      'The pattern takes too long here. Search a smaller folder, add a glob, or use a longer text.',
    );
  } finally {
    Atomics.store(cancelled, 0, 1);
  }
}

function candidatesFor(
  query: PrintQuery,
  target: SearchTarget,
  matcher: Matcher | undefined,
): Generator<Candidate> {
  const { filter, style, ignored } = query;
  const admits = fileFilter(filter);
  if (ignored) return unfilteredFiles(target.tree.root, filter.below, admits);
  const everything = filter.everything ?? false;
  const known = indexNeed(query.pattern, matcher);
  const narrow = !style.invert && !everything && isSelective(known);
  const need: Requirement = narrow ? known : { kind: 'any' };
  return target.index.candidates({ need, admits, everything });
}

/** Paths of the files that a search would read, in order, including empty files. */
function allFiles(
  { filter, ignored }: PrintQuery,
  { tree }: SearchTarget,
  named: NamedFile | undefined,
): Iterable<string> {
  const admits = fileFilter(filter);
  const files = ignored
    ? [...unfilteredFiles(tree.root, filter.below, admits)].map(({ file }) => file)
    : [...(named === undefined ? tree.files.values() : [named.file])].filter(admits);
  return files.map(({ path }) => path).sort(comparePaths);
}

/** The text printed between the matches of two files. */
function separator(style: PrintStyle, what: PrintQuery['what']): string {
  if (what !== 'matches' || style.form === 'json') return '';
  if (style.names === 'heading') return '\n';
  return style.before + style.after > 0 ? style.gap : '';
}

function nameLine(style: PrintStyle, name: string): string {
  return painted(style, COLOURS.name, name) + (style.nul ? '\0' : '\n');
}

/** The line that ripgrep prints for a file that is not text, instead of its lines. */
function binaryLine(style: PrintStyle, { name }: PrintedFile, nul: number): Uint8Array {
  const lead = style.names === 'none' ? '' : `${painted(style, COLOURS.name, name)}: `;
  return Buffer.from(`${lead}binary file matches (found "\\0" byte around offset ${nul})\n`);
}

function countLine(style: PrintStyle, { name, lines }: PrintedFile): string {
  if (style.names === 'none') return `${lines}\n`;
  return `${painted(style, COLOURS.name, name)}${style.nul ? '\0' : ':'}${lines}\n`;
}
