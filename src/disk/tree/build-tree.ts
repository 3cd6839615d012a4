import { FLAG } from '../scan/node-kinds.ts';
import type { Chunk, Stage } from '../scan/scan-stage.ts';
import type { WalkReport } from '../scan/scanner-frames.ts';
import { countBuild } from './count-build.ts';
import { addCut, type CutLink } from './depth-cut.ts';
import { type ScanOptions, type Tree, type TreeMeta, treeBytes, treeOver } from './disk-tree.ts';
import { giveIds } from './give-ids.ts';
import { Extensions, Owners } from './label-numbers.ts';
import { Listings } from './listings.ts';
import { type BuildPlan, planBuild } from './plan-build.ts';
import { rollUp } from './roll-up.ts';
import { RowWriter } from './row-writer.ts';
import { sameName } from './same-name.ts';

/** A folder as it was seen just before it was read. */
export interface DirFacts {
  readonly kind: number;
  readonly size: number;
  readonly blocks: number;
  readonly mtime: number;
  readonly owner: number;
  readonly ino: number;
  readonly ctime: number;
}

export interface BuildInput {
  readonly root: string;
  readonly options: ScanOptions;
  readonly stages: readonly Stage[];
  readonly report: WalkReport;
  /** The generation before, whose ids are kept and whose unread parts are copied. */
  readonly earlier: Tree | undefined;
  /** Facts on the folders that were read anew, by number in the earlier tree; 0 is the root. */
  readonly swept: ReadonlyMap<number, DirFacts>;
  readonly startedAt: number;
  readonly verifiedAt: number;
  /** Where ids start when there is no earlier generation: above all that were ever given out. */
  readonly firstId: number;
}

/** Makes the next generation of a tree from what the scanners saw and what did not change. */
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
  /** Rows without an id yet; a first generation numbers all rows anyway and lists none. */
  readonly fresh: number[];
  /** Errors while reading a folder, by its new number. */
  readonly errors: Uint32Array;
  /** Names below the depth limit of files that have several. */
  readonly cutLinks: readonly CutLink[];
}

function fill({ tree, writer, plan, listings, input }: Filling): Filled {
  const { earlier } = input;
  const fresh: number[] = [];
  const errors = new Uint32Array(tree.meta.dirs);
  const cutLinks: CutLink[][] = [];
  let folder = 0;
  for (let item = 0; item < plan.count; item++) {
    const counterpart = plan.counterpart[item] ?? -1;
    if (plan.whole[item] === 1 && earlier) {
      folder = fillWhole(tree, writer, earlier, counterpart, plan.parent[item] ?? 0, folder, errors);
    } else {
      fillFolder(item, counterpart);
      fillFiles(item, counterpart);
      const cut = plan.cut[item] ?? -1;
      if (cut >= 0) cutLinks.push(addCut(listings, cut, tree, folder, errors));
      folder++;
    }
  }
  writer.end();
  return { fresh, errors, cutLinks: cutLinks.flat() };

  /** The row of the folder itself. */
  function fillFolder(item: number, counterpart: number): void {
    const { row } = writer;
    const at = plan.rowAt[item] ?? 0;
    const parent = plan.parent[item] ?? 0;
    const chunk = listings.chunks[plan.rowChunk[item] ?? -1];
    const old = earlier && counterpart >= 0 ? (earlier.dirRow[counterpart] ?? 0) : -1;
    tree.dirRow[folder] = row;
    tree.dirTime[folder] = plan.time[item] ?? 0;
    if (chunk) writer.read(chunk, at, at + 1, parent);
    else if (old >= 0) writer.kept(old, old + 1, parent);
    else writer.root(input.root);
    if (old >= 0 && earlier) {
      tree.id[row] = earlier.id[old] ?? 0;
      writer.seen[old] = 1;
    } else if (earlier) fresh.push(row);
    // The time must be older than the listing, else a change between the two would never be seen.
    const facts = input.swept.get(Math.max(folder === 0 ? 0 : -1, counterpart));
    const was = plan.earlierSource(item);
    if (facts) {
      writer.facts(row, facts);
      tree.dirTime[folder] = facts.ctime;
    } else if (was >= 0 && earlier) tree.dirTime[folder] = earlier.dirTime[was] ?? 0;
  }

  function fillFiles(item: number, counterpart: number): void {
    const was = plan.earlierSource(item);
    const source = plan.source[item] ?? -1;
    if (was >= 0 && earlier) {
      const files = earlier.dirFiles[was] ?? 0;
      const from = (earlier.dirRow[was] ?? 0) + 1;
      tree.dirFiles[folder] = files;
      errors[folder] = ownErrors(earlier, was);
      writer.kept(from, from + files, folder);
    } else if (source >= 0) {
      const { chunk, first, files, dirs, errors: failed } = listings.get(source);
      const row = tree.dirRow[folder] ?? 0;
      tree.dirFiles[folder] = files;
      errors[folder] = failed;
      if (files + dirs === 0 && failed > 0) tree.kind[row] = (tree.kind[row] ?? 0) | FLAG.error;
      writer.read(chunk, first, first + files, folder);
      if (earlier) recognise(chunk, first, row + 1, files, counterpart, earlier);
    }
  }

  /** Keeps the ids of files that were in the same folder under the same name. */
  function recognise(
    chunk: Chunk,
    first: number,
    row: number,
    files: number,
    counterpart: number,
    old: Tree,
  ): void {
    const from = (old.dirRow[counterpart] ?? 0) + 1;
    const known = counterpart < 0 ? 0 : (old.dirFiles[counterpart] ?? 0);
    const find = sameName(
      old,
      Uint32Array.from({ length: known }, (_, i) => from + i),
      chunk,
    );
    for (let i = 0; i < files; i++) {
      const found = find(first + i);
      if (found < 0) fresh.push(row + i);
      else {
        tree.id[row + i] = old.id[found] ?? 0;
        writer.seen[found] = 1;
      }
    }
  }
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
  const from = earlier.dirRow[counterpart] ?? 0;
  const to = (earlier.dirLast[counterpart] ?? 0) + 1;
  const top = writer.row;
  const below = (earlier.dirDirs[counterpart] ?? 0) + 1;
  for (let i = 0; i < below; i++) {
    tree.dirRow[folder + i] = (earlier.dirRow[counterpart + i] ?? 0) + top - from;
    tree.dirTime[folder + i] = earlier.dirTime[counterpart + i] ?? 0;
    tree.dirFiles[folder + i] = earlier.dirFiles[counterpart + i] ?? 0;
    errors[folder + i] = ownErrors(earlier, counterpart + i);
  }
  writer.keptWhole(from, to, folder - counterpart);
  tree.parent[top] = parent;
  return folder + below;
}

/** Errors of reading the folder itself, without those below it. */
function ownErrors(tree: Tree, folder: number): number {
  let errors = tree.dirErrors[folder] ?? 0;
  if (errors === 0) return 0;
  const end = folder + (tree.dirDirs[folder] ?? 0);
  for (let at = folder + 1; at <= end; at += (tree.dirDirs[at] ?? 0) + 1) errors -= tree.dirErrors[at] ?? 0;
  return errors;
}
