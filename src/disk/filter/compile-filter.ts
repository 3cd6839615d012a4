import { float64At, uint8At, uint16At, uint32At } from '../../contract/at.ts';
import { fail } from '../../contract/errors.ts';
import { FLAG, KIND, KIND_MASK, KIND_NAMES } from '../scan/node-kinds.ts';
import { folderNumbers } from '../tree/folder-paths.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { depthOf, diskOf, entryCounts, parentFolder, pathOf } from '../tree/tree-nodes.ts';
import { userId } from '../tree/user-names.ts';
import type { Filter, TextTest } from './filter-schema.ts';
import { regenerableMarks } from './regenerable.ts';
import type { Range } from './size-and-age.ts';
import { textMarks } from './text-marks.ts';

export type RowTest = (row: number) => boolean;

/** Where some tests get their rows from; each marks rows with 1. */
export interface FilterSources {
  readonly duplicates: () => Promise<Uint8Array>;
  /** Files whose content is nowhere else in the index, outside of the rows that the filter is compiled for. */
  readonly unique: () => Promise<Uint8Array>;
  /** Links whose target does not exist, or whose target passes the test. */
  readonly links: (test: 'broken' | TextTest) => Promise<Uint8Array>;
  readonly touchedByAgent: ((written: boolean) => Promise<Uint8Array>) | undefined;
}

/** The rows that a filter is compiled for; no other row may be tested. */
export interface FilterScope extends Span {
  readonly tree: Tree;
  /** The folder that paths and depths count from; by default the root of the index. */
  readonly base?: number | undefined;
  readonly signal: AbortSignal;
}

export interface CompiledFilter {
  readonly test: RowTest;
  /** If the test only reads marks: those marks, 1 for each row that passes. */
  readonly marks?: Uint8Array | undefined;
  /** The steps in the order of execution, for `format=explain`. */
  readonly plan: readonly string[];
}

interface Step {
  /** Cheap tests run first. */
  readonly cost: number;
  readonly test: RowTest;
  readonly marks?: Uint8Array | undefined;
  readonly plan: string;
}

/** Turns a filter into one test over rows of a tree. */
export async function compileFilter(
  filter: Filter,
  scope: FilterScope,
  sources: FilterSources,
): Promise<CompiledFilter> {
  const steps = (await allSteps(filter, scope, sources)).sort((a, b) => a.cost - b.cost);
  const marks = steps.length === 1 ? steps[0]?.marks : undefined;
  return { test: every(steps), marks, plan: steps.map((step) => step.plan) };
}

async function allSteps(filter: Filter, scope: FilterScope, sources: FilterSources): Promise<Step[]> {
  const { tree, signal, base = 0 } = scope;
  const steps = plainSteps(filter, tree, base);
  const marked = (marks: Uint8Array, wanted: boolean, plan: string) => {
    const mark = wanted ? 1 : 0;
    steps.push({ cost: 0, test: (row) => marks[row] === mark, marks: wanted ? marks : undefined, plan });
  };
  for (const field of ['name', 'path'] as const) {
    const given = filter[field];
    if (given === undefined) continue;
    const test = field === 'path' ? belowBase(given, pathOf(tree, base)) : given;
    const { marks, plan } = await textMarks(tree, field, test, scope, signal);
    marked(marks, true, plan);
  }
  if (filter.target !== undefined) marked(await sources.links(filter.target), true, 'target of links');
  if (filter.broken !== undefined) marked(await sources.links('broken'), filter.broken, 'broken links');
  if (filter.duplicates !== undefined)
    marked(await sources.duplicates(), filter.duplicates, 'duplicates by content');
  if (filter.unique !== undefined)
    marked(await sources.unique(), filter.unique, 'files without a copy elsewhere');
  if (filter.regenerable !== undefined)
    marked(regenerableMarks(tree, scope), filter.regenerable, 'folders that can be made again');
  for (const test of ['touched_by_agent', 'written_by_agent'] as const) {
    const wanted = filter[test];
    if (wanted === undefined) continue;
    if (sources.touchedByAgent === undefined)
      fail('invalid_parameter', `filter.${test}: no agent sessions are indexed here.`);
    marked(await sources.touchedByAgent(test === 'written_by_agent'), wanted, test.replaceAll('_', ' '));
  }
  for (const below of filter.all ?? []) steps.push(...(await allSteps(below, scope, sources)));
  if (filter.any !== undefined) {
    const parts: CompiledFilter[] = [];
    for (const below of filter.any) parts.push(await compileFilter(below, scope, sources));
    const plan = `any of (${parts.map((part) => part.plan.join(' and ')).join('; ')})`;
    steps.push({ cost: 40, test: some(parts.map((part) => part.test)), plan });
  }
  if (filter.not !== undefined) {
    const { test, plan } = await compileFilter(filter.not, scope, sources);
    steps.push({ cost: 40, test: (row) => !test(row), plan: `not (${plan.join(' and ')})` });
  }
  return steps;
}

/**
 * A glob below the folder that paths count from. It may also be a full path, start with a slash or `./` there, or end
 * with a slash, which means everything in that folder.
 */
export function belowBase(test: TextTest, base: string): TextTest {
  if (test.type !== 'glob') return test;
  const prefix = base === '/' ? base : `${base}/`;
  const { pattern } = test;
  const inside = pattern === base ? '' : pattern.startsWith(prefix) ? pattern.slice(prefix.length) : pattern;
  const plain = inside.replace(/^(?:\.?\/)+/, '');
  return { ...test, pattern: pattern.endsWith('/') ? `${plain}**` : plain };
}

function plainSteps(filter: Filter, tree: Tree, base: number): Step[] {
  const steps: Step[] = [];
  const { kind, ext, size, mtime, owner, meta } = tree;
  const add = (cost: number, plan: string, test: RowTest) => steps.push({ cost, plan, test });
  if (filter.kind !== undefined) {
    const wanted = new Set(filter.kind.map((name) => KIND_NAMES.indexOf(name)));
    const allowed = Uint8Array.from(KIND_NAMES.keys(), (number) => (wanted.has(number) ? 1 : 0));
    add(1, `kind ${filter.kind.join(' or ')}`, (row) => allowed[uint8At(kind, row) & KIND_MASK] === 1);
  }
  if (filter.ext !== undefined) {
    const wanted = new Set(filter.ext);
    const numbers = Uint8Array.from(meta.extensions, (name) => (wanted.has(name) ? 1 : 0));
    add(
      1,
      `ext ${filter.ext.join(' or ')}`,
      (row) => isFile(uint8At(kind, row)) && numbers[uint16At(ext, row)] === 1,
    );
  }
  if (filter.size !== undefined) {
    const { min, max } = filter.size;
    const folderOf = folderNumbers(tree);
    add(2, `size ${rangeText(filter.size)}`, (row) => {
      const folder = folderOf(row);
      const bytes = folder < 0 ? float64At(size, row) : float64At(tree.dirSize, folder);
      return bytes >= min && bytes <= max;
    });
  }
  if (filter.disk_size !== undefined) {
    const { min, max } = filter.disk_size;
    const folderOf = folderNumbers(tree);
    add(2, `disk_size ${rangeText(filter.disk_size)}`, (row) => {
      const folder = folderOf(row);
      const bytes = folder < 0 ? diskOf(tree, row) : float64At(tree.dirDisk, folder);
      return bytes >= min && bytes <= max;
    });
  }
  if (filter.modified !== undefined) {
    const min = filter.modified.min / 1000;
    const max = filter.modified.max / 1000;
    add(2, 'modified', (row) => uint32At(mtime, row) >= min && uint32At(mtime, row) <= max);
  }
  if (filter.owner !== undefined) {
    const number = meta.owners.indexOf(userId(filter.owner) ?? -1);
    add(1, `owner ${filter.owner}`, (row) => owner[row] === number);
  }
  if (filter.linked !== undefined) add(1, 'hard links', flagTest(tree, FLAG.linked, filter.linked));
  if (filter.error !== undefined) add(1, 'errors', flagTest(tree, FLAG.error, filter.error));
  if (filter.sparse !== undefined) {
    const wanted = filter.sparse;
    add(
      2,
      'sparse files',
      (row) => (isFile(uint8At(kind, row)) && diskOf(tree, row) + 4096 < float64At(size, row)) === wanted,
    );
  }
  if (filter.depth !== undefined) {
    const { min, max } = filter.depth;
    const depths = folderDepths(tree);
    const top = depthOf(tree, base);
    add(3, `depth ${rangeText(filter.depth)}`, (row) => {
      const depth = row === 0 ? 0 : uint32At(depths, uint32At(tree.parent, row)) + 1 - top;
      return depth >= min && depth <= max;
    });
  }
  if (filter.entries !== undefined) {
    const { min, max } = filter.entries;
    const folderOf = folderNumbers(tree);
    const counts = entryCounts(tree);
    add(2, `entries ${rangeText(filter.entries)}`, (row) => {
      const folder = folderOf(row);
      return folder >= 0 && uint32At(counts, folder) >= min && uint32At(counts, folder) <= max;
    });
  }
  return steps;
}

function isFile(kind: number): boolean {
  return (kind & KIND_MASK) === KIND.file;
}

function flagTest({ kind }: Tree, flag: number, wanted: boolean): RowTest {
  return (row) => ((uint8At(kind, row) & flag) !== 0) === wanted;
}

function rangeText({ min, max }: Range): string {
  return `${min}..${max === Number.POSITIVE_INFINITY ? '' : max}`;
}

/** How many levels each folder is below the root. */
export function folderDepths(tree: Tree): Uint32Array {
  const depths = new Uint32Array(tree.meta.dirs);
  for (let folder = 1; folder < depths.length; folder++)
    depths[folder] = uint32At(depths, parentFolder(tree, folder)) + 1;
  return depths;
}

function some(tests: readonly RowTest[]): RowTest {
  return (row) => {
    for (const test of tests) if (test(row)) return true;
    return false;
  };
}

function every(steps: readonly Step[]): RowTest {
  const tests = steps.map((step) => step.test);
  const [one, two] = tests;
  if (one === undefined) return () => true;
  if (two === undefined) return one;
  if (tests.length === 2) return (row) => one(row) && two(row);
  return (row) => {
    for (const test of tests) if (!test(row)) return false;
    return true;
  };
}
