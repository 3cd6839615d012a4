import { FLAG } from '../scan/kinds.ts';
import type { Stage } from '../scan/stage.ts';
import type { WalkReport } from '../scan/wire.ts';
import { countBuild } from './count-build.ts';
import { giveIds } from './identify.ts';
import { Extensions, Owners } from './labels.ts';
import { lowerBound } from './nodes.ts';
import { type BuildItem, planBuild } from './plan-build.ts';
import { rollUp } from './roll-up.ts';
import { RowWriter } from './row-writer.ts';
import { sameName } from './same-name.ts';
import { type ScanOptions, type Tree, type TreeMeta, treeBytes, treeOver } from './tree.ts';

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
  const { stages, earlier } = input;
  const items = planBuild(stages, earlier);
  const extensions = new Extensions(earlier?.meta.extensions ?? []);
  const owners = new Owners(earlier?.meta.owners ?? []);
  const counts = countBuild(items, input);
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
  const { fresh, errors } = fill(tree, writer, items, input);
  const nextId = giveIds(tree, fresh, earlier, writer.seen, input.firstId);
  const big = new Map(writer.big);
  rollUp({ ...tree, big }, errors);
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

interface Filled {
  /** Rows without an id yet. */
  readonly fresh: number[];
  /** Errors while reading a folder, by its new number. */
  readonly errors: Uint32Array;
}

function fill(tree: Tree, writer: RowWriter, items: readonly BuildItem[], input: BuildInput): Filled {
  const { stages, earlier } = input;
  const fresh: number[] = [];
  const errors = new Uint32Array(tree.meta.dirs);
  let folder = 0;
  for (const item of items) {
    if (item.whole && earlier) folder = fillWhole(tree, writer, item, earlier, folder, errors);
    else {
      fillFolder(item);
      fillFiles(item);
      folder++;
    }
  }
  writer.end();
  return { fresh, errors };

  /** The row of the folder itself. */
  function fillFolder({ stage: number, at, source, counterpart, parent }: BuildItem): void {
    const { row } = writer;
    tree.dirRow[folder] = row;
    const old = earlier && counterpart >= 0 ? (earlier.dirRow[counterpart] ?? 0) : -1;
    const stage = number >= 0 ? stages[number] : undefined;
    if (stage) {
      writer.staged(stage, at, at + 1, parent);
      tree.dirTime[folder] = stage.dirTime[lowerBound(stage.dirAt, at, stage.dirs)] ?? 0;
    } else if (old >= 0) writer.kept(old, old + 1, parent);
    else writer.root(input.root);
    if (old >= 0 && earlier) {
      tree.id[row] = earlier.id[old] ?? 0;
      writer.seen[old] = 1;
    } else fresh.push(row);
    // The time must be older than the listing, else a change between the two would never be seen.
    const facts = input.swept.get(Math.max(folder === 0 ? 0 : -1, counterpart));
    if (facts) {
      writer.facts(row, facts);
      tree.dirTime[folder] = facts.ctime;
    } else if (source.from === 'earlier' && earlier)
      tree.dirTime[folder] = earlier.dirTime[source.folder] ?? 0;
  }

  function fillFiles({ source, counterpart }: BuildItem): void {
    if (source.from === 'earlier' && earlier) {
      const files = earlier.dirFiles[source.folder] ?? 0;
      const from = (earlier.dirRow[source.folder] ?? 0) + 1;
      tree.dirFiles[folder] = files;
      errors[folder] = ownErrors(earlier, source.folder);
      writer.kept(from, from + files, folder);
    } else if (source.from === 'stage') {
      const { first, files, dirs, errors: failed } = source.listing;
      const stage = stages[source.stage];
      const row = tree.dirRow[folder] ?? 0;
      tree.dirFiles[folder] = files;
      errors[folder] = failed;
      if (files + dirs === 0 && failed > 0) tree.kind[row] = (tree.kind[row] ?? 0) | FLAG.error;
      if (stage === undefined) return;
      writer.staged(stage, first, first + files, folder);
      if (earlier) recognise(stage, first, row + 1, files, counterpart, earlier);
    }
  }

  /** Keeps the ids of files that were in the same folder under the same name. */
  function recognise(
    stage: Stage,
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
      stage,
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
  { counterpart, parent }: BuildItem,
  earlier: Tree,
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
