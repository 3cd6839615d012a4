import { setImmediate as nextTurn } from 'node:timers/promises';
import { at, uint32At } from '../../contract/at.ts';
import { Lru } from '../../contract/lru.ts';
import { globPattern } from '../../glob/glob-pattern.ts';
import { createMatcher, type Matcher, type Place } from '../../regex/matcher.ts';
import { requireRows, type Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderAt, lowerBound, parentFolder } from '../tree/tree-nodes.ts';
import type { TextTest } from './filter-schema.ts';
import { rowsContaining } from './literal-rows.ts';
import { endingsOf, endsWith, isRare } from './name-endings.ts';

/** Rows whose name or path matches are marked with 1. */
export interface TextMarks {
  readonly marks: Uint8Array;
  readonly plan: string;
}

/** Rows to mark, and the row of the folder that paths count from. */
interface MarkSpan extends Span {
  readonly base?: number | undefined;
}

/** About a tenth of a millisecond of work. */
const ROWS_PER_PIECE = 4_096;
const SLICE_MS = 12;
const MAX_LITERALS = 3;
const SLASH = Uint8Array.of(0x2f);

/** The compiled pattern of a test; throws a PatternError or an UnsupportedPattern if it is not valid. */
export function matcherOf({ type, pattern, ignoreCase }: TextTest): Matcher {
  return createMatcher({
    pattern: type === 'glob' ? globPattern(pattern) : pattern,
    insensitive: ignoreCase,
    word: false,
    fixed: false,
    lossy: true,
    apart: true,
  });
}

const CACHED_MARKS = 4;
const kept = new WeakMap<Tree, Lru<string, TextMarks>>();

/**
 * Marks the rows of a span whose names, or paths below the root, match. The latest marks of a tree are cached, because
 * a list, its next pages and the treemap beside it need the same ones.
 */
export async function textMarks(
  tree: Tree,
  field: 'name' | 'path',
  test: TextTest,
  span: MarkSpan,
  signal: AbortSignal,
): Promise<TextMarks> {
  requireRows(tree, span);
  const { from, to, base = 0 } = span;
  const key = JSON.stringify([field, test.type, test.pattern, test.ignoreCase, from, to, base]);
  const known = kept.get(tree) ?? new Lru<string, TextMarks>({ most: CACHED_MARKS });
  kept.set(tree, known);
  const marks =
    known.get(key) ??
    endingMarks(tree, field, test, span) ??
    (await (field === 'name' ? nameMarks : pathMarks)(tree, test, span, signal));
  known.set(key, marks);
  return marks;
}

/** Marks by the endings of names, if the test requires one: only names with that ending are tested further. */
function endingMarks(
  tree: Tree,
  field: 'name' | 'path',
  test: TextTest,
  span: MarkSpan,
): TextMarks | undefined {
  const endings = endingsOf(field, test);
  if (endings === undefined) return undefined;
  // The folder that paths count from has an empty path, whatever its name is.
  const { base = 0 } = span;
  const from = field === 'path' ? Math.max(base + 1, span.from) : span.from;
  const ends = endsWith(plainBytes(tree.names), tree, endings);
  if (!endings.sufficient && !isRare(ends, { from, to: span.to })) return undefined;
  const fits = endings.sufficient ? () => true : rowMatcher(tree, field, test, base);
  const marks = new Uint8Array(tree.meta.nodes);
  for (let row = from; row <= span.to; row++) if (ends(row) && fits(row)) marks[row] = 1;
  const plan = `names ending in ${endings.texts.map((text) => JSON.stringify(text)).join(' or ')}`;
  return { marks, plan: endings.sufficient ? plan : `${plan}, then ${field} by ${test.type}` };
}

/** Tests single rows; the path of a folder is read when it is first needed. */
function rowMatcher(
  tree: Tree,
  field: 'name' | 'path',
  test: TextTest,
  base: number,
): (row: number) => boolean {
  const matcher = matcherOf(test);
  const { nameAt, parent, dirRow } = tree;
  const bytes = plainBytes(tree.names);
  if (field === 'name') return (row) => matcher.test(bytes, uint32At(nameAt, row), uint32At(nameAt, row + 1));
  const places: Place[] = [];
  places[folderAt(tree, base)] = matcher.start;
  const enter = (folder: number): Place => {
    const known = places[folder];
    if (known !== undefined) return known;
    const row = uint32At(dirRow, folder);
    const place = inFolder(matcher, bytes, tree, row, enter(uint32At(parent, row)));
    places[folder] = place;
    return place;
  };
  return (row) =>
    matcher.test(bytes, uint32At(nameAt, row), uint32At(nameAt, row + 1), enter(uint32At(parent, row)));
}

/** The matcher's place after the path of a folder and a slash. */
function inFolder(matcher: Matcher, bytes: Uint8Array, { nameAt }: Tree, row: number, behind: Place): Place {
  const named = matcher.after(bytes, uint32At(nameAt, row), uint32At(nameAt, row + 1), behind);
  return matcher.after(SLASH, 0, 1, named);
}

/** Marks the rows of a span whose names match, from their bytes, without a string per name. */
async function nameMarks(tree: Tree, test: TextTest, span: Span, signal: AbortSignal): Promise<TextMarks> {
  const matcher = matcherOf(test);
  const { nameAt } = tree;
  const bytes = plainBytes(tree.names);
  const marks = new Uint8Array(tree.meta.nodes);
  const slices = new TimeSlices(signal);
  const literals = (matcher.texts ?? []).map(({ text, folded }) => (folded ? '' : text));
  const canSearch = literals.length <= MAX_LITERALS && literals.every((text) => text.length > 1);
  const candidates = canSearch && literals.length > 0 ? rowsContaining(tree, literals, span) : undefined;
  if (candidates !== undefined) {
    for (const row of candidates) {
      if (matcher.test(bytes, uint32At(nameAt, row), uint32At(nameAt, row + 1))) marks[row] = 1;
    }
    const named = literals.map((text) => JSON.stringify(text)).join(' or ');
    return { marks, plan: `names containing ${named}, then ${test.type}` };
  }
  for (let from = span.from; from <= span.to; from += ROWS_PER_PIECE) {
    matcher.testEach(bytes, nameAt, from, Math.min(span.to + 1, from + ROWS_PER_PIECE), marks);
    if (slices.over) await slices.next();
  }
  return { marks, plan: `every name by ${test.type}` };
}

/**
 * Marks the rows of a span whose paths, below the root of the index or another folder, match. The path of a folder is read once, and
 * matching continues from there for each of its entries.
 */
async function pathMarks(
  tree: Tree,
  test: TextTest,
  span: MarkSpan,
  signal: AbortSignal,
): Promise<TextMarks> {
  const { base = 0 } = span;
  const matcher = matcherOf(test);
  const { nameAt, parent, dirRow, dirLast } = tree;
  const bytes = plainBytes(tree.names);
  const marks = new Uint8Array(tree.meta.nodes);
  const slices = new TimeSlices(signal);
  const places = new Array<Place>(dirRow.length).fill(matcher.start);
  const enter = (folder: number) => {
    const row = uint32At(dirRow, folder);
    places[folder] = inFolder(matcher, bytes, tree, row, at(places, uint32At(parent, row)));
  };
  const top = folderAt(tree, base);
  for (const folder of foldersAbove(tree, span.from)) if (folder > top) enter(folder);
  const last = lowerBound(dirRow, span.to + 1, dirRow.length);
  for (
    let folder = Math.max(top + 1, lowerBound(dirRow, span.from, dirRow.length));
    folder < last;
    folder++
  ) {
    // No path continues below an empty folder.
    if (dirLast[folder] !== dirRow[folder]) enter(folder);
    if (folder % ROWS_PER_PIECE === 0 && slices.over) await slices.next();
  }
  for (let from = span.from; from <= span.to; from += ROWS_PER_PIECE) {
    matcher.testEach(bytes, nameAt, from, Math.min(span.to + 1, from + ROWS_PER_PIECE), marks, {
      of: parent,
      places,
    });
    if (slices.over) await slices.next();
  }
  // The folder that paths count from has the empty path.
  if (span.from === base) marks[base] = matcher.test(bytes, 0, 0) ? 1 : 0;
  return { marks, plan: `path below the root by ${test.type}, folder by folder` };
}

/** The folders that contain a row, from the top down, without the root. */
function foldersAbove(tree: Tree, row: number): number[] {
  const folders: number[] = [];
  for (let folder = uint32At(tree.parent, row); folder !== 0; folder = parentFolder(tree, folder))
    folders.unshift(folder);
  return folders;
}

/** V8 reads a plain Uint8Array faster than a Buffer, which is a class of its own. */
function plainBytes(names: Buffer): Uint8Array {
  return new Uint8Array(names.buffer, names.byteOffset, names.length);
}

/** Lets other work run from time to time. */
class TimeSlices {
  readonly #signal: AbortSignal;
  #until = performance.now() + SLICE_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get over(): boolean {
    return performance.now() > this.#until;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#signal.throwIfAborted();
    this.#until = performance.now() + SLICE_MS;
  }
}
