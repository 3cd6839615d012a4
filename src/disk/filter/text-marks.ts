import { setImmediate as breathe } from 'node:timers/promises';
import { Lru } from '../../contract/lru.ts';
import { globPattern } from '../../glob/glob-pattern.ts';
import { createMatcher, type Matcher, type Place } from '../../regex/matcher.ts';
import { lowerBound } from '../tree/nodes.ts';
import type { Span } from '../tree/selection.ts';
import type { Tree } from '../tree/tree.ts';
import { endingsOf, endsWith, isRare } from './endings.ts';
import { rowsHolding } from './literal-rows.ts';
import type { TextTest } from './schema.ts';

/** Rows that fit a test of names or paths are marked with 1. */
export interface TextMarks {
  readonly marks: Uint8Array;
  readonly plan: string;
}

/** So many rows take about a tenth of a millisecond. */
const ROWS_AT_ONCE = 4_096;
const TURN_MS = 12;
const MOST_LITERALS = 3;
const SLASH = Uint8Array.of(0x2f);

/** The pattern of a test; throws a PatternError or an UnsupportedPattern when it is none. */
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

const KEPT = 4;
const kept = new WeakMap<Tree, Lru<string, TextMarks>>();

/**
 * Marks the rows of a span whose names, or paths below the root, fit. The latest marks of a tree are kept: a list,
 * its next pages and the picture beside it ask for the same.
 */
export async function textMarks(
  tree: Tree,
  field: 'name' | 'path',
  test: TextTest,
  span: Span,
  signal: AbortSignal,
): Promise<TextMarks> {
  const key = JSON.stringify([field, test.type, test.pattern, test.ignoreCase, span.from, span.to]);
  const known = kept.get(tree) ?? new Lru<string, TextMarks>({ most: KEPT });
  kept.set(tree, known);
  const marks =
    known.get(key) ??
    endingMarks(tree, field, test, span) ??
    (await (field === 'name' ? nameMarks : pathMarks)(tree, test, span, signal));
  known.set(key, marks);
  return marks;
}

/** Marks by how names end, where the test says something of it: only what ends so is looked at any closer. */
function endingMarks(tree: Tree, field: 'name' | 'path', test: TextTest, span: Span): TextMarks | undefined {
  const endings = endingsOf(field, test);
  if (endings === undefined) return undefined;
  // The path of the root is empty, whatever its name is.
  const from = field === 'path' ? Math.max(1, span.from) : span.from;
  const ends = endsWith(plainBytes(tree.names), tree, endings);
  if (!endings.enough && !isRare(ends, { from, to: span.to })) return undefined;
  const fits = endings.enough ? () => true : rowMatcher(tree, field, test);
  const marks = new Uint8Array(tree.meta.nodes);
  for (let row = from; row <= span.to; row++) if (ends(row) && fits(row)) marks[row] = 1;
  const plan = `names ending in ${endings.texts.map((text) => JSON.stringify(text)).join(' or ')}`;
  return { marks, plan: endings.enough ? plan : `${plan}, then ${field} by ${test.type}` };
}

/** Tests single rows; the way to a folder is read when first needed. */
function rowMatcher(tree: Tree, field: 'name' | 'path', test: TextTest): (row: number) => boolean {
  const matcher = matcherOf(test);
  const { nameAt, parent, dirRow } = tree;
  const bytes = plainBytes(tree.names);
  if (field === 'name') return (row) => matcher.test(bytes, nameAt[row] ?? 0, nameAt[row + 1] ?? 0);
  const places: Place[] = [matcher.start];
  const enter = (folder: number): Place => {
    const known = places[folder];
    if (known !== undefined) return known;
    const row = dirRow[folder] ?? 0;
    const place = inFolder(matcher, bytes, tree, row, enter(parent[row] ?? 0));
    places[folder] = place;
    return place;
  };
  return (row) => matcher.test(bytes, nameAt[row] ?? 0, nameAt[row + 1] ?? 0, enter(parent[row] ?? 0));
}

/** Where the path of a folder leads, with the slash behind it. */
function inFolder(matcher: Matcher, bytes: Uint8Array, { nameAt }: Tree, row: number, behind: Place): Place {
  const named = matcher.after(bytes, nameAt[row] ?? 0, nameAt[row + 1] ?? 0, behind);
  return matcher.after(SLASH, 0, 1, named);
}

/** Marks the rows of a span whose names fit: by their bytes, without a string for each. */
async function nameMarks(tree: Tree, test: TextTest, span: Span, signal: AbortSignal): Promise<TextMarks> {
  const matcher = matcherOf(test);
  const { nameAt } = tree;
  const bytes = plainBytes(tree.names);
  const marks = new Uint8Array(tree.meta.nodes);
  const turns = new Turns(signal);
  const literals = (matcher.texts ?? []).map(({ text, folded }) => (folded ? '' : text));
  const useful = literals.length <= MOST_LITERALS && literals.every((text) => text.length > 1);
  const candidates = useful && literals.length > 0 ? rowsHolding(tree, literals, span) : undefined;
  if (candidates !== undefined) {
    for (const row of candidates) {
      if (matcher.test(bytes, nameAt[row] ?? 0, nameAt[row + 1] ?? 0)) marks[row] = 1;
    }
    const named = literals.map((text) => JSON.stringify(text)).join(' or ');
    return { marks, plan: `names holding ${named}, then ${test.type}` };
  }
  for (let from = span.from; from <= span.to; from += ROWS_AT_ONCE) {
    matcher.testEach(bytes, nameAt, from, Math.min(span.to + 1, from + ROWS_AT_ONCE), marks);
    if (turns.over) await turns.next();
  }
  return { marks, plan: `every name by ${test.type}` };
}

/**
 * Marks the rows of a span whose paths below the root of the index fit. The way to a folder is read once, and gone
 * on from for each of its entries.
 */
async function pathMarks(tree: Tree, test: TextTest, span: Span, signal: AbortSignal): Promise<TextMarks> {
  const matcher = matcherOf(test);
  const { nameAt, parent, dirRow, dirLast } = tree;
  const bytes = plainBytes(tree.names);
  const marks = new Uint8Array(tree.meta.nodes);
  const turns = new Turns(signal);
  const places = new Array<Place>(dirRow.length).fill(matcher.start);
  const enter = (folder: number) => {
    const row = dirRow[folder] ?? 0;
    places[folder] = inFolder(matcher, bytes, tree, row, places[parent[row] ?? 0] ?? matcher.start);
  };
  for (const folder of foldersAbove(tree, span.from)) enter(folder);
  const last = lowerBound(dirRow, span.to + 1, dirRow.length);
  for (let folder = Math.max(1, lowerBound(dirRow, span.from, dirRow.length)); folder < last; folder++) {
    // Nobody goes on behind an empty one.
    if (dirLast[folder] !== dirRow[folder]) enter(folder);
    if (folder % ROWS_AT_ONCE === 0 && turns.over) await turns.next();
  }
  for (let from = span.from; from <= span.to; from += ROWS_AT_ONCE) {
    matcher.testEach(bytes, nameAt, from, Math.min(span.to + 1, from + ROWS_AT_ONCE), marks, {
      of: parent,
      places,
    });
    if (turns.over) await turns.next();
  }
  // The root of the index is the empty path.
  if (span.from === 0) marks[0] = matcher.test(bytes, 0, 0) ? 1 : 0;
  return { marks, plan: `path below the root by ${test.type}, folder by folder` };
}

/** The folders around a row from the top down, without the root. */
function foldersAbove({ parent, dirRow }: Tree, row: number): number[] {
  const folders: number[] = [];
  for (let folder = parent[row] ?? 0; folder !== 0; folder = parent[dirRow[folder] ?? 0] ?? 0)
    folders.unshift(folder);
  return folders;
}

/** A Buffer is a class of its own for the engine: the plain array below it is read faster. */
function plainBytes(names: Buffer): Uint8Array {
  return new Uint8Array(names.buffer, names.byteOffset, names.length);
}

/** Lets others run from time to time. */
class Turns {
  readonly #signal: AbortSignal;
  #until = performance.now() + TURN_MS;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get over(): boolean {
    return performance.now() > this.#until;
  }

  async next(): Promise<void> {
    await breathe();
    this.#signal.throwIfAborted();
    this.#until = performance.now() + TURN_MS;
  }
}
