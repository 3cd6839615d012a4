import { lstat } from 'node:fs/promises';
import { uint8At, uint32At } from '../../contract/at.ts';
import { countOf } from '../../contract/format.ts';
import { nodeHandle } from '../handles.ts';
import { totalDisk, totalSize } from '../reports/node-rows.ts';
import { type KindName, kindName } from '../scan/node-kinds.ts';
import { bytesThatStay, type SelectionTotal, type Span, selectionTotal, spansOf } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderAt, nameOf, textPathOf } from '../tree/tree-nodes.ts';
import { digestFolder, type FolderDigest } from './folder-digest.ts';
import { createGitState, type GitIgnores, type GitState } from './git-state.ts';
import { type EqualFiles, lastCopies } from './last-copies.ts';

/** An item to move to the trash, with the facts that must still hold at that moment. */
export interface PlanItem {
  readonly node_id: string;
  readonly path: string;
  readonly kind: KindName;
  readonly size: number;
  readonly disk_size: number;
  /** As text, because these numbers do not fit a double. */
  readonly dev: string;
  readonly ino: string;
  readonly mtime_ns: string;
  readonly ctime_ns: string;
  /** For a folder: what it contains. */
  readonly below?: FolderDigest | undefined;
  readonly warnings: readonly string[];
}

export interface CleanPlan {
  readonly items: readonly PlanItem[];
  /** Nodes of the selection that no longer exist, or cannot be read. */
  readonly missing: number;
  readonly total: SelectionTotal;
  /** True: there was no time to search for copies of all files. */
  readonly not_compared?: boolean | undefined;
}

export interface PlanRequest {
  readonly tree: Tree;
  readonly rows: readonly number[];
  readonly gitIgnores: GitIgnores;
  readonly equalFiles: EqualFiles;
  readonly signal: AbortSignal;
}

/** What moving a selection to the trash would do; nothing is changed. */
export async function makePlan(request: PlanRequest): Promise<CleanPlan> {
  const { tree, rows, gitIgnores, equalFiles, signal } = request;
  const spans = spansOf(tree, rows);
  const gitState = createGitState(tree, gitIgnores);
  const { counts, complete } = await lastCopies(tree, spans, equalFiles);
  const stays = bytesThatStay(tree, spans);
  const items: PlanItem[] = [];
  const present: Span[] = [];
  let missing = rows.filter((row) => row < 0).length;
  for (const span of spans) {
    signal.throwIfAborted();
    const last = counts.get(span.from) ?? 0;
    const item = await planItem(tree, span, { gitState, lastCopies: last, stays: stays(span), signal });
    if (item === undefined) missing++;
    else {
      items.push(item);
      present.push(span);
    }
  }
  return { items, missing, total: selectionTotal(tree, present), not_compared: complete ? undefined : true };
}

interface ItemRequest {
  readonly gitState: (span: Span, path: string) => Promise<GitState | 'unclear' | undefined>;
  readonly lastCopies: number;
  /** Bytes that the item shares with files outside the plan. */
  readonly stays: number;
  readonly signal: AbortSignal;
}

async function planItem(
  tree: Tree,
  span: Span,
  { gitState, lastCopies, stays, signal }: ItemRequest,
): Promise<PlanItem | undefined> {
  const row = span.from;
  // A path that is not valid text would name another file.
  const path = textPathOf(tree, row);
  const stats = path && (await lstat(path, { bigint: true }).catch(() => undefined));
  if (path === undefined || !stats) return undefined;
  const folder = folderAt(tree, row);
  const warnings: string[] = [];
  if (row === 0) warnings.push('the root of the index');
  const below = stats.isDirectory() ? await digestFolder(path, signal) : undefined;
  if (
    Number(stats.ino % 2n ** 32n) !== tree.ino[row] ||
    Number(stats.mtimeMs) / 1000 >= uint32At(tree.mtime, row) + 1 ||
    (below?.latest ?? 0) > tree.meta.scannedAt
  ) {
    warnings.push('changed since the scan');
  }
  if (Number(stats.uid) !== process.getuid?.()) warnings.push('belongs to another user');
  if (stays > 0) warnings.push(`${stays} bytes are not freed: hard links elsewhere`);
  if (folder >= 0 && containsRepository(tree, span)) warnings.push('contains a git repository');
  if (lastCopies > 0) warnings.push(`${countOf(lastCopies, 'file')}: the last copy, no equal file remains`);
  const git = await gitState(span, path);
  if (git === 'unclear') warnings.push('in a git repository whose index cannot be read');
  const { untracked = 0, ignored = 0 } = git === 'unclear' || git === undefined ? {} : git;
  if (untracked > 0) warnings.push(`${countOf(untracked, 'file')} not tracked by git`);
  if (ignored > 0) warnings.push(`${countOf(ignored, 'file')} ignored by git`);
  return {
    node_id: nodeHandle(uint32At(tree.id, row)),
    path,
    kind: kindName(uint8At(tree.kind, row)),
    size: totalSize(tree, row),
    disk_size: totalDisk(tree, row),
    dev: String(stats.dev),
    ino: String(stats.ino),
    mtime_ns: String(stats.mtimeNs),
    ctime_ns: String(stats.ctimeNs),
    below,
    warnings,
  };
}

function containsRepository(tree: Tree, { from, to }: Span): boolean {
  for (let folder = folderAt(tree, from); ; folder++) {
    const row = tree.dirRow[folder];
    if (row === undefined || row > to) return false;
    if (nameOf(tree, row) === '.git') return true;
  }
}
