import { FLAG } from '../scan/kinds.ts';
import { BIG, type Stage } from '../scan/stage.ts';
import type { WalkReport } from '../scan/wire.ts';
import { giveIds } from './identify.ts';
import { Extensions, Owners } from './labels.ts';
import { lowerBound } from './nodes.ts';
import { type BuildItem, planBuild } from './plan-build.ts';
import { rollUp } from './roll-up.ts';
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
}

/** Makes the next generation of a tree from what the scanners saw and what did not change. */
export function buildTree(input: BuildInput): Tree {
  const { stages, earlier } = input;
  const items = planBuild(stages, earlier);
  const extensions = new Extensions(earlier?.meta.extensions ?? []);
  const owners = new Owners(earlier?.meta.owners ?? []);
  const counts = count(items, input);
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
  const filled = fill(tree, items, input, extensions, owners);
  const nextId = giveIds(tree, filled.fresh, earlier, filled.seen);
  rollUp(tree, filled.errors);
  const meta: TreeMeta = {
    ...draft,
    nextId,
    extensions: extensions.names,
    owners: owners.ids,
    big: filled.big,
    tookMs: Date.now() - input.startedAt,
  };
  return { ...tree, meta, big: new Map(filled.big) };
}

/** How large the new tree will be. */
function count(items: readonly BuildItem[], { stages, earlier, root }: BuildInput) {
  let nodes = 0;
  let dirs = 0;
  let links = 0;
  let nameBytes = 0;
  const keep = (from: number, to: number) => {
    if (earlier === undefined) return;
    nodes += to - from;
    nameBytes += (earlier.nameAt[to] ?? 0) - (earlier.nameAt[from] ?? 0);
    const first = lowerBound(earlier.linkRow, from, earlier.linkRow.length);
    links += lowerBound(earlier.linkRow, to, earlier.linkRow.length) - first;
  };
  for (const item of items) {
    const { source, counterpart } = item;
    if (item.whole && earlier) {
      keep(earlier.dirRow[counterpart] ?? 0, (earlier.dirLast[counterpart] ?? 0) + 1);
      dirs += (earlier.dirDirs[counterpart] ?? 0) + 1;
      continue;
    }
    nodes++;
    dirs++;
    nameBytes += nameLength(item, stages, earlier, root);
    if (source.from === 'earlier' && earlier) {
      const row = earlier.dirRow[source.folder] ?? 0;
      keep(row + 1, row + 1 + (earlier.dirFiles[source.folder] ?? 0));
    } else if (source.from === 'stage') {
      const stage = stages[source.stage];
      const { first, files } = source.listing;
      nodes += files;
      nameBytes += (stage?.nameAt[first + files] ?? 0) - (stage?.nameAt[first] ?? 0);
      if (stage && stage.links > 0) {
        links += lowerBound(stage.linkAt, first + files, stage.links) - lowerBound(stage.linkAt, first, stage.links);
      }
    }
  }
  return { nodes, dirs, links, nameBytes };
}

function nameLength(item: BuildItem, stages: readonly Stage[], earlier: Tree | undefined, root: string): number {
  if (item.stage >= 0) {
    const nameAt = stages[item.stage]?.nameAt;
    return (nameAt?.[item.at + 1] ?? 0) - (nameAt?.[item.at] ?? 0);
  }
  if (earlier === undefined) return Buffer.byteLength(root);
  return (earlier.nameAt[item.at + 1] ?? 0) - (earlier.nameAt[item.at] ?? 0);
}

interface Filled {
  /** Rows without an id yet. */
  readonly fresh: number[];
  /** Rows of the earlier tree that are in the new one. */
  readonly seen: Uint8Array;
  /** Errors while reading a folder, by its new number. */
  readonly errors: Uint32Array;
  readonly big: [number, number][];
}

function fill(
  tree: Tree,
  items: readonly BuildItem[],
  input: BuildInput,
  extensions: Extensions,
  owners: Owners,
): Filled {
  const { stages, earlier, swept } = input;
  const fresh: number[] = [];
  const big: [number, number][] = [];
  const seen = new Uint8Array(earlier?.meta.nodes ?? 0);
  const errors = new Uint32Array(tree.meta.dirs);
  let row = 0;
  let folder = 0;
  let names = 0;
  let links = 0;

  const copyRows = (from: number, to: number, parentShift: number, parentFor: number) => {
    if (earlier === undefined || to <= from) return;
    const nameStart = earlier.nameAt[from] ?? 0;
    const nameEnd = earlier.nameAt[to] ?? 0;
    tree.names.set(earlier.names.subarray(nameStart, nameEnd), names);
    for (const column of ROW_COLUMNS) copyColumn(tree[column], earlier[column], from, to, row);
    seen.fill(1, from, to);
    const nameShift = names - nameStart;
    for (let i = from; i < to; i++) {
      tree.nameAt[row + i - from] = (earlier.nameAt[i] ?? 0) + nameShift;
      tree.parent[row + i - from] = parentFor >= 0 ? parentFor : (earlier.parent[i] ?? 0) + parentShift;
    }
    for (const [at, blocks] of earlier.big) if (at >= from && at < to) big.push([row + at - from, blocks]);
    for (let i = lowerBound(earlier.linkRow, from, earlier.linkRow.length); ; i++) {
      const at = earlier.linkRow[i];
      if (at === undefined || at >= to) break;
      addLink(row + at - from, earlier.linkKey[i] ?? 0, earlier.linkCount[i] ?? 0);
    }
    names += nameEnd - nameStart;
    row += to - from;
  };
  const addLink = (at: number, key: number, total: number) => {
    tree.linkRow[links] = at;
    tree.linkKey[links] = key;
    tree.linkCount[links++] = total;
  };
  const copyStaged = (stage: Stage, from: number, to: number, parent: number) => {
    const nameStart = stage.nameAt[from] ?? 0;
    const nameShift = names - nameStart;
    const nameEnd = stage.nameAt[to] ?? 0;
    copyBytes(tree.names, names, stage.names, nameStart, nameEnd);
    for (let at = from; at < to; at++, row++) {
      const kind = stage.kind[at] ?? 0;
      const blocks = stage.blocks[at] ?? 0;
      const start = stage.nameAt[at] ?? 0;
      tree.kind[row] = kind;
      tree.size[row] = stage.size[at] ?? 0;
      tree.blocks[row] = blocks;
      tree.mtime[row] = stage.mtime[at] ?? 0;
      tree.ino[row] = stage.ino[at] ?? 0;
      tree.owner[row] = owners.numberOf(stage.owner[at] ?? 0);
      tree.nameAt[row] = start + nameShift;
      tree.parent[row] = parent;
      tree.ext[row] = extensions.numberOf(stage.names, start, stage.nameAt[at + 1] ?? 0);
      if (blocks === BIG) big.push([row, stage.big.get(at) ?? blocks]);
      if ((kind & FLAG.linked) !== 0) {
        const link = lowerBound(stage.linkAt, at, stage.links);
        addLink(row, linkKey(stage.linkDev[link] ?? 0, stage.linkIno[link] ?? 0), stage.linkCount[link] ?? 0);
      }
    }
    names += nameEnd - nameStart;
  };

  for (const item of items) {
    const { source, counterpart } = item;
    if (item.whole && earlier) {
      const from = earlier.dirRow[counterpart] ?? 0;
      const to = (earlier.dirLast[counterpart] ?? 0) + 1;
      const rowShift = row - from;
      const top = row;
      const below = (earlier.dirDirs[counterpart] ?? 0) + 1;
      for (let i = 0; i < below; i++) {
        tree.dirRow[folder + i] = (earlier.dirRow[counterpart + i] ?? 0) + rowShift;
        tree.dirTime[folder + i] = earlier.dirTime[counterpart + i] ?? 0;
        tree.dirFiles[folder + i] = earlier.dirFiles[counterpart + i] ?? 0;
        errors[folder + i] = ownErrors(earlier, counterpart + i);
      }
      copyRows(from, to, folder - counterpart, -1);
      tree.parent[top] = item.parent;
      folder += below;
      continue;
    }
    tree.dirRow[folder] = row;
    const facts = swept.get(counterpart < 0 && folder === 0 ? 0 : counterpart);
    const oldRow = earlier && counterpart >= 0 ? (earlier.dirRow[counterpart] ?? 0) : -1;
    const dirRow = row;
    const staged = item.stage >= 0 ? stages[item.stage] : undefined;
    if (staged) {
      copyStaged(staged, item.at, item.at + 1, item.parent);
      const at = lowerBound(staged.dirAt, item.at, staged.dirs);
      tree.dirTime[folder] = staged.dirTime[at] ?? 0;
    } else if (oldRow >= 0) copyRows(oldRow, oldRow + 1, 0, item.parent);
    else {
      names += tree.names.write(input.root, names);
      row++;
    }
    if (facts) {
      tree.kind[dirRow] = facts.kind;
      tree.size[dirRow] = facts.size;
      tree.blocks[dirRow] = Math.min(BIG, facts.blocks);
      tree.mtime[dirRow] = facts.mtime;
      tree.ino[dirRow] = facts.ino;
      tree.owner[dirRow] = owners.numberOf(facts.owner);
      tree.dirTime[folder] = facts.ctime;
    } else if (source.from === 'earlier' && earlier) tree.dirTime[folder] = earlier.dirTime[source.folder] ?? 0;
    if (oldRow >= 0 && earlier) {
      tree.id[dirRow] = earlier.id[oldRow] ?? 0;
      seen[oldRow] = 1;
    } else fresh.push(dirRow);

    if (source.from === 'earlier' && earlier) {
      const files = earlier.dirFiles[source.folder] ?? 0;
      tree.dirFiles[folder] = files;
      errors[folder] = ownErrors(earlier, source.folder);
      const from = (earlier.dirRow[source.folder] ?? 0) + 1;
      copyRows(from, from + files, 0, folder);
    } else if (source.from === 'stage') {
      const stage = stages[source.stage];
      const { first, files, dirs } = source.listing;
      tree.dirFiles[folder] = files;
      errors[folder] = source.listing.errors;
      if (files + dirs === 0 && source.listing.errors > 0) tree.kind[dirRow] = (tree.kind[dirRow] ?? 0) | FLAG.error;
      const start = row;
      if (stage) {
        copyStaged(stage, first, first + files, folder);
        if (earlier && counterpart >= 0) {
          const from = (earlier.dirRow[counterpart] ?? 0) + 1;
          const rows = Uint32Array.from({ length: earlier.dirFiles[counterpart] ?? 0 }, (_, i) => from + i);
          const find = sameName(earlier, rows, stage);
          for (let i = 0; i < files; i++) {
            const found = find(first + i);
            if (found < 0) fresh.push(start + i);
            else {
              tree.id[start + i] = earlier.id[found] ?? 0;
              seen[found] = 1;
            }
          }
        } else if (earlier) for (let i = 0; i < files; i++) fresh.push(start + i);
      }
    }
    folder++;
  }
  tree.nameAt[row] = names;
  return { fresh, seen, errors, big };
}

const ROW_COLUMNS = ['id', 'size', 'blocks', 'mtime', 'ino', 'ext', 'owner', 'kind'] as const;
type RowColumn = Tree[(typeof ROW_COLUMNS)[number]];

function copyColumn(into: RowColumn, from: RowColumn, start: number, end: number, at: number): void {
  if (end - start === 1) into[at] = from[start] ?? 0;
  else into.set(from.subarray(start, end), at);
}

function copyBytes(into: Uint8Array, at: number, from: Uint8Array, start: number, end: number): void {
  if (end - start > 64) into.set(from.subarray(start, end), at);
  else for (let i = start; i < end; i++) into[at + i - start] = from[i] ?? 0;
}

/** One number for a file across its names. Inode numbers of a second device are set apart. */
function linkKey(dev: number, ino: number): number {
  return ino + (dev % 4096) * 2 ** 40;
}

/** Errors of reading the folder itself, without those below it. */
function ownErrors(tree: Tree, folder: number): number {
  let errors = tree.dirErrors[folder] ?? 0;
  if (errors === 0) return 0;
  const end = folder + (tree.dirDirs[folder] ?? 0);
  for (let at = folder + 1; at <= end; at += (tree.dirDirs[at] ?? 0) + 1) errors -= tree.dirErrors[at] ?? 0;
  return errors;
}
