import { float64At, int32At, uint8At, uint32At } from '../../contract/at.ts';
import type { Entry } from '../scan/entry-batch.ts';
import { FLAG } from '../scan/node-kinds.ts';
import type { Chunk, ScanStage } from '../scan/scan-stage.ts';
import type { WalkReport } from '../scan/scanner-frames.ts';
import { countBuild } from './count-build.ts';
import { addCut, type CutLink } from './depth-cut.ts';
import { giveIds } from './give-ids.ts';
import { Extensions, Owners } from './label-numbers.ts';
import { Listings } from './listings.ts';
import { type BuildPlan, planBuild } from './plan-build.ts';
import { rollUp } from './roll-up.ts';
import { RowWriter } from './row-writer.ts';
import { sameName } from './same-name.ts';
import { type ScanOptions, type Tree, type TreeMeta, treeBytes, treeOver } from './tree-columns.ts';

/** A folder as it was seen just before it was read. */
export interface DirFacts extends Entry {
  readonly ctime: number;
}

export interface BuildInput {
  readonly root: string;
  readonly options: ScanOptions;
  readonly stages: readonly ScanStage[];
  readonly report: WalkReport;
  /** The previous generation: its ids are kept, and the parts that were not read again are copied from it. */
  readonly earlier: Tree | undefined;
  /** Facts about the folders that were read again, by their number in the earlier tree; 0 is the root. */
  readonly swept: ReadonlyMap<number, DirFacts>;
  readonly startedAt: number;
  readonly verifiedAt: number;
  /** Where ids start when there is no earlier generation: above every id that was ever assigned. */
  readonly firstId: number;
}

/** Builds the next generation of a tree from what the scanners read and what did not change. */
export function buildTree(input: BuildInput): Tree {
  const { earlier } = input;
  const listings = new Listings(input.stages);
  const plan = planBuild(listings, earlier);
  const extensions = new Extensions(earlier?.meta.extensions ?? []);
  const owners = new Owners(earlier?.meta.owners ?? []);
  const counts = countBuild(plan, listings, earlier, input.root);
  const draft: TreeMeta = {
    ...counts,
    root: input.root,
    options: input.options,
    generation: (earlier?.meta.generation ?? 0) + 1,
    scannedAt: input.startedAt,
    verifiedAt: input.verifiedAt,
    tookMs: 0,
    nextId: 0,
    extensions: [],
    owners: [],
    big: [],
    errors: input.report.errors,
    errorSamples: input.report.samples,
  };
  const tree = treeOver(new SharedArrayBuffer(treeBytes(counts)), draft);
  const writer = new RowWriter(tree, earlier, extensions, owners);
  const { fresh, errors, cutLinks } = fill({ tree, writer, plan, listings, input });
  const nextId = giveIds(tree, fresh, earlier, writer.seen, input.firstId);
  const big = new Map(writer.big);
  rollUp({ ...tree, big }, errors, cutLinks);
  const meta: TreeMeta = {
    ...draft,
    nextId,
    extensions: extensions.names,
    owners: owners.ids,
    big: writer.big,
    tookMs: Date.now() - input.startedAt,
  };
  return { ...tree, meta, big };
}

interface Filling {
  readonly tree: Tree;
  readonly writer: RowWriter;
  readonly plan: BuildPlan;
  readonly listings: Listings;
  readonly input: BuildInput;
}

interface Filled {
  /** Rows that have no id yet. Empty for a first generation, which numbers all of its rows. */
  readonly fresh: number[];
  /** Errors while reading a folder, by its new number. */
  readonly errors: Uint32Array;
  /** Hard links below the depth limit. */
  readonly cutLinks: readonly CutLink[];
}

function fill({ tree, writer, plan, listings, input }: Filling): Filled {
  const { earlier } = input;
  const fresh: number[] = [];
  const errors = new Uint32Array(tree.meta.dirs);
  const cutLinks: CutLink[][] = [];
  let folder = 0;
  for (let item = 0; item < plan.count; item++) {
    const counterpart = int32At(plan.counterpart, item);
    if (plan.whole[item] === 1 && earlier) {
      folder = fillWhole(tree, writer, earlier, counterpart, uint32At(plan.parent, item), folder, errors);
    } else {
      fillFolder(item, counterpart);
      fillFiles(item, counterpart);
      const cut = int32At(plan.cut, item);
      if (cut >= 0) cutLinks.push(addCut(listings, cut, tree, folder, errors));
      folder++;
    }
  }
  writer.end();
  return { fresh, errors, cutLinks: cutLinks.flat() };

  /** The row of the folder itself. */
  function fillFolder(item: number, counterpart: number): void {
    const { row } = writer;
    const at = uint32At(plan.rowAt, item);
    const parent = uint32At(plan.parent, item);
    const chunk = listings.chunks[int32At(plan.rowChunk, item)];
    const old = earlier && counterpart >= 0 ? uint32At(earlier.dirRow, counterpart) : -1;
    tree.dirRow[folder] = row;
    tree.dirTime[folder] = float64At(plan.time, item);
    if (chunk) writer.read(chunk, at, at + 1, parent);
    else if (old >= 0) writer.kept(old, old + 1, parent);
    else writer.root(input.root);
    if (old >= 0 && earlier) {
      tree.id[row] = uint32At(earlier.id, old);
      writer.seen[old] = 1;
    } else if (earlier) fresh.push(row);
    // The time must be older than the listing; otherwise a change between the two would never be noticed.
    const facts = input.swept.get(Math.max(folder === 0 ? 0 : -1, counterpart));
    const was = plan.earlierSource(item);
    if (facts) {
      writer.facts(row, facts);
      tree.dirTime[folder] = facts.ctime;
    } else if (was >= 0 && earlier) tree.dirTime[folder] = float64At(earlier.dirTime, was);
  }

  function fillFiles(item: number, counterpart: number): void {
    const was = plan.earlierSource(item);
    const source = int32At(plan.source, item);
    if (was >= 0 && earlier) {
      const files = uint32At(earlier.dirFiles, was);
      const from = uint32At(earlier.dirRow, was) + 1;
      tree.dirFiles[folder] = files;
      errors[folder] = ownErrors(earlier, was);
      writer.kept(from, from + files, folder);
    } else if (source >= 0) {
      const { chunk, first, files, dirs, errors: failed } = listings.get(source);
      const row = uint32At(tree.dirRow, folder);
      tree.dirFiles[folder] = files;
      errors[folder] = failed;
      if (files + dirs === 0 && failed > 0) tree.kind[row] = uint8At(tree.kind, row) | FLAG.error;
      writer.read(chunk, first, first + files, folder);
      if (earlier) recognise(chunk, first, row + 1, files, counterpart, earlier);
    }
  }

  /** Keeps the ids of files that had the same name in the same folder. */
  function recognise(
    chunk: Chunk,
    first: number,
    row: number,
    files: number,
    counterpart: number,
    old: Tree,
  ): void {
    const find = sameName(old, counterpart < 0 ? new Uint32Array() : fileRows(old, counterpart), chunk);
    for (let i = 0; i < files; i++) {
      const found = find(first + i);
      if (found < 0) fresh.push(row + i);
      else {
        tree.id[row + i] = uint32At(old.id, found);
        writer.seen[found] = 1;
      }
    }
  }
}

/** The rows of the files directly in a folder. */
function fileRows(tree: Tree, folder: number): Uint32Array {
  const first = uint32At(tree.dirRow, folder) + 1;
  return Uint32Array.from({ length: uint32At(tree.dirFiles, folder) }, (_, i) => first + i);
}

/** Copies a folder with everything below it; returns the next folder number. */
function fillWhole(
  tree: Tree,
  writer: RowWriter,
  earlier: Tree,
  counterpart: number,
  parent: number,
  folder: number,
  errors: Uint32Array,
): number {
  const from = uint32At(earlier.dirRow, counterpart);
  const to = uint32At(earlier.dirLast, counterpart) + 1;
  const top = writer.row;
  const below = uint32At(earlier.dirDirs, counterpart) + 1;
  for (let i = 0; i < below; i++) {
    tree.dirRow[folder + i] = uint32At(earlier.dirRow, counterpart + i) + top - from;
    tree.dirTime[folder + i] = float64At(earlier.dirTime, counterpart + i);
    tree.dirFiles[folder + i] = uint32At(earlier.dirFiles, counterpart + i);
    errors[folder + i] = ownErrors(earlier, counterpart + i);
  }
  writer.keptWhole(from, to, folder - counterpart);
  tree.parent[top] = parent;
  return folder + below;
}

/** Errors from reading the folder itself, not counting those below it. */
function ownErrors(tree: Tree, folder: number): number {
  let errors = uint32At(tree.dirErrors, folder);
  if (errors === 0) return 0;
  const end = folder + uint32At(tree.dirDirs, folder);
  for (let at = folder + 1; at <= end; at += uint32At(tree.dirDirs, at) + 1)
    errors -= uint32At(tree.dirErrors, at);
  return errors;
}
