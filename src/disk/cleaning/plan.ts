import { lstat } from 'node:fs/promises';
import { nodeHandle } from '../handles.ts';
import { totalDisk, totalSize } from '../rows.ts';
import { type KindName, kindName } from '../scan/kinds.ts';
import { folderAt, nameOf, textPathOf } from '../tree/nodes.ts';
import { type SelectionTotal, type Span, selectionTotal, spansOf } from '../tree/selection.ts';
import type { Tree } from '../tree/tree.ts';
import { createTrackedFiles, type TrackedFiles } from './git-index.ts';

/** A thing to be moved to the trash, with everything that must still be so at that moment. */
export interface PlanItem {
  readonly node_id: string;
  readonly path: string;
  readonly kind: KindName;
  readonly size: number;
  readonly disk_size: number;
  /** Numbers that do not fit a double travel as text. */
  readonly dev: string;
  readonly ino: string;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  readonly warnings: readonly string[];
}

export interface CleanPlan {
  readonly items: readonly PlanItem[];
  /** Nodes of the set that are not there any more, or cannot be looked at. */
  readonly missing: number;
  readonly total: SelectionTotal;
}

/** What moving a selection to the trash would do; nothing is changed. */
export async function makePlan(tree: Tree, rows: readonly number[]): Promise<CleanPlan> {
  const spans = spansOf(tree, rows);
  const tracked = createTrackedFiles(tree.meta.root);
  const items: PlanItem[] = [];
  let missing = rows.filter((row) => row < 0).length;
  for (const span of spans) {
    const item = await planItem(tree, span, tracked);
    if (item === undefined) missing++;
    else items.push(item);
  }
  return { items, missing, total: selectionTotal(tree, spans) };
}

async function planItem(tree: Tree, span: Span, trackedFiles: TrackedFiles): Promise<PlanItem | undefined> {
  const row = span.from;
  // A path that is no text would name another file.
  const path = textPathOf(tree, row);
  const stats = path && (await lstat(path, { bigint: true }).catch(() => undefined));
  if (path === undefined || !stats) return undefined;
  const folder = folderAt(tree, row);
  const warnings: string[] = [];
  if (row === 0) warnings.push('the root of the index');
  if (
    Number(stats.ino % 2n ** 32n) !== tree.ino[row] ||
    Number(stats.mtimeMs) / 1000 >= (tree.mtime[row] ?? 0) + 1
  ) {
    warnings.push('changed since the scan');
  }
  if (Number(stats.uid) !== process.getuid?.()) warnings.push('belongs to another user');
  const { freed, disk_size } = selectionTotal(tree, [span]);
  if (freed < disk_size) warnings.push(`${disk_size - freed} bytes stay: hard links elsewhere`);
  if (folder >= 0 && holdsRepository(tree, span)) warnings.push('holds a git repository');
  const tracked = await trackedFiles(path);
  const files = folder < 0 ? 1 : (tree.dirAllFiles[folder] ?? 0);
  if (tracked !== undefined && tracked < files)
    warnings.push(`${files - tracked} files are not kept in the git repository around them`);
  return {
    node_id: nodeHandle(tree.id[row] ?? 0),
    path,
    kind: kindName(tree.kind[row] ?? 0),
    size: totalSize(tree, row),
    disk_size: totalDisk(tree, row),
    dev: String(stats.dev),
    ino: String(stats.ino),
    mtime_ns: String(stats.mtimeNs),
    ctime_ns: String(stats.ctimeNs),
    warnings,
  };
}

function holdsRepository(tree: Tree, { from, to }: Span): boolean {
  for (let folder = folderAt(tree, from); ; folder++) {
    const row = tree.dirRow[folder];
    if (row === undefined || row > to) return false;
    if (nameOf(tree, row) === '.git') return true;
  }
}
