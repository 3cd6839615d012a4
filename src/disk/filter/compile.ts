import { fail } from '../../contract/errors.ts';
import { userId } from '../owners.ts';
import { FLAG, KIND, KIND_MASK, KIND_NAMES } from '../scan/kinds.ts';
import { depthOf, diskOf, folderAt } from '../tree/nodes.ts';
import type { Tree } from '../tree/tree.ts';
import type { Span } from './measure.ts';
import type { Filter } from './schema.ts';
import { nameTest, pathTest, type RowTest } from './text-test.ts';

/** What some tests have to ask for elsewhere; each marks rows with 1. */
export interface FilterSources {
  readonly duplicates: () => Promise<Uint8Array>;
  readonly touchedByAgent: (() => Promise<Uint8Array>) | undefined;
}

export interface CompiledFilter {
  readonly test: RowTest;
  /** The steps in the order in which they are taken, for `format=explain`. */
  readonly plan: readonly string[];
}

interface Step {
  /** Cheap tests go first. */
  readonly cost: number;
  readonly test: RowTest;
  readonly plan: string;
}

/** Turns a filter into one test over the rows of a tree. */
export async function compileFilter(
  filter: Filter,
  tree: Tree,
  sources: FilterSources,
): Promise<CompiledFilter> {
  const steps = (await allSteps(filter, tree, sources)).sort((a, b) => a.cost - b.cost);
  return { test: every(steps), plan: steps.map((step) => step.plan) };
}

async function allSteps(filter: Filter, tree: Tree, sources: FilterSources): Promise<Step[]> {
  const steps = plainSteps(filter, tree);
  const compile = (below: Filter) => compileFilter(below, tree, sources);
  for (const below of filter.all ?? []) steps.push(...(await allSteps(below, tree, sources)));
  if (filter.any !== undefined) {
    const parts = await Promise.all(filter.any.map(compile));
    const tests = parts.map((part) => part.test);
    const plan = `any of (${parts.map((part) => part.plan.join(' and ')).join('; ')})`;
    steps.push({ cost: 40, test: (row) => tests.some((test) => test(row)), plan });
  }
  if (filter.not !== undefined) {
    const { test, plan } = await compile(filter.not);
    steps.push({ cost: 40, test: (row) => !test(row), plan: `not (${plan.join(' and ')})` });
  }
  if (filter.duplicates !== undefined) {
    const marks = await sources.duplicates();
    const wanted = filter.duplicates ? 1 : 0;
    steps.push({ cost: 5, test: (row) => marks[row] === wanted, plan: 'duplicates by content' });
  }
  if (filter.touched_by_agent !== undefined) {
    if (sources.touchedByAgent === undefined) {
      fail('invalid_parameter', 'filter.touched_by_agent: agent sessions are not indexed here.');
    }
    const marks = await sources.touchedByAgent();
    const wanted = filter.touched_by_agent ? 1 : 0;
    steps.push({ cost: 5, test: (row) => marks[row] === wanted, plan: 'files that agent sessions touched' });
  }
  return steps;
}

function plainSteps(filter: Filter, tree: Tree): Step[] {
  const steps: Step[] = [];
  const { kind, ext, size, mtime, owner, meta } = tree;
  const add = (cost: number, plan: string, test: RowTest) => steps.push({ cost, plan, test });
  if (filter.kind !== undefined) {
    const wanted = new Set(filter.kind.map((name) => KIND_NAMES.indexOf(name)));
    const allowed = Uint8Array.from(KIND_NAMES.keys(), (number) => (wanted.has(number) ? 1 : 0));
    add(1, `kind ${filter.kind.join(' or ')}`, (row) => allowed[(kind[row] ?? 0) & KIND_MASK] === 1);
  }
  if (filter.ext !== undefined) {
    const numbers = new Set(filter.ext.map((name) => meta.extensions.indexOf(name)));
    add(1, `ext ${filter.ext.join(' or ')}`, (row) => isFile(kind[row]) && numbers.has(ext[row] ?? 0));
  }
  if (filter.size !== undefined) {
    const { min, max } = filter.size;
    const total = folderTotals(tree, tree.dirSize);
    add(2, `size ${spanText(filter.size)}`, (row) => {
      const bytes = isFolder(kind[row]) ? total(row) : (size[row] ?? 0);
      return bytes >= min && bytes <= max;
    });
  }
  if (filter.disk_size !== undefined) {
    const { min, max } = filter.disk_size;
    const total = folderTotals(tree, tree.dirDisk);
    add(2, `disk_size ${spanText(filter.disk_size)}`, (row) => {
      const bytes = isFolder(kind[row]) ? total(row) : diskOf(tree, row);
      return bytes >= min && bytes <= max;
    });
  }
  if (filter.modified !== undefined) {
    const min = filter.modified.min / 1000;
    const max = filter.modified.max / 1000;
    add(2, 'modified', (row) => (mtime[row] ?? 0) >= min && (mtime[row] ?? 0) <= max);
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
      (row) => (isFile(kind[row]) && diskOf(tree, row) + 4096 < (size[row] ?? 0)) === wanted,
    );
  }
  if (filter.depth !== undefined) {
    const { min, max } = filter.depth;
    add(10, `depth ${spanText(filter.depth)}`, (row) => {
      const depth = depthOf(tree, row);
      return depth >= min && depth <= max;
    });
  }
  if (filter.name !== undefined) {
    const { test, plan } = nameTest(tree, filter.name);
    add(20, plan, test);
  }
  if (filter.path !== undefined) {
    add(30, `path below the root by ${filter.path.type}`, pathTest(tree, filter.path));
  }
  return steps;
}

function isFile(kind: number | undefined): boolean {
  return ((kind ?? 0) & KIND_MASK) === KIND.file;
}

function isFolder(kind: number | undefined): boolean {
  return ((kind ?? 0) & KIND_MASK) === KIND.dir;
}

function flagTest({ kind }: Tree, flag: number, wanted: boolean): RowTest {
  return (row) => (((kind[row] ?? 0) & flag) !== 0) === wanted;
}

/** Totals of folders by row; rows asked for in ascending order need no search. */
function folderTotals(tree: Tree, totals: Float64Array): (row: number) => number {
  let next = 0;
  return (row) => {
    const at = tree.dirRow[next] === row ? next : folderAt(tree, row);
    next = at + 1;
    return totals[at] ?? 0;
  };
}

function spanText({ min, max }: Span): string {
  return `${min}..${max === Number.POSITIVE_INFINITY ? '' : max}`;
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
