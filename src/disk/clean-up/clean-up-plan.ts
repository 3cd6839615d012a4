import { lstat } from 'node:fs/promises';
import { countOf } from '../../contract/format.ts';
import { nodeHandle } from '../handles.ts';
import { totalDisk, totalSize } from '../reports/node-rows.ts';
import { type KindName, kindName } from '../scan/node-kinds.ts';
import type { Tree } from '../tree/disk-tree.ts';
import { type SelectionTotal, type Span, selectionTotal, spansOf, staying } from '../tree/row-spans.ts';
import { folderAt, nameOf, textPathOf } from '../tree/tree-nodes.ts';
import { type Below, lookBelow } from './folder-digest.ts';
import { createGitState, type GitIgnores, type GitState } from './git-state.ts';
import { type EqualFiles, lastCopies } from './last-copies.ts';

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
  /** Of a folder: what it held. */
  readonly below?: Below | undefined;
  readonly warnings: readonly string[];
}

export interface CleanPlan {
  readonly items: readonly PlanItem[];
  /** Nodes of the set that are not there any more, or cannot be looked at. */
  readonly missing: number;
  readonly total: SelectionTotal;
  /** True: there was no time to look for equal files of all of them. */
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
export async function makePlan({ tree, rows, signal, ...ways }: PlanRequest): Promise<CleanPlan> {
  const spans = spansOf(tree, rows);
  const gitState = createGitState(tree, ways.gitIgnores);
  const { counts, complete } = await lastCopies(tree, spans, ways.equalFiles);
  const stays = staying(tree, spans);
  const items: PlanItem[] = [];
  const there: Span[] = [];
  let missing = rows.filter((row) => row < 0).length;
  for (const span of spans) {
    signal.throwIfAborted();
    const last = counts.get(span.from) ?? 0;
    const item = await planItem(tree, span, { gitState, lastCopies: last, stays: stays(span), signal });
    if (item === undefined) missing++;
    else {
      items.push(item);
      there.push(span);
    }
  }
  return { items, missing, total: selectionTotal(tree, there), not_compared: complete ? undefined : true };
}

interface ItemRequest {
  readonly gitState: (span: Span, path: string) => Promise<GitState | 'unclear' | undefined>;
  readonly lastCopies: number;
  /** Bytes that the item has in common with what is not in the plan. */
  readonly stays: number;
  readonly signal: AbortSignal;
}

async function planItem(
  tree: Tree,
  span: Span,
  { gitState, lastCopies, stays, signal }: ItemRequest,
): Promise<PlanItem | undefined> {
  const row = span.from;
  // A path that is no text would name another file.
  const path = textPathOf(tree, row);
  const stats = path && (await lstat(path, { bigint: true }).catch(() => undefined));
  if (path === undefined || !stats) return undefined;
  const folder = folderAt(tree, row);
  const warnings: string[] = [];
  if (row === 0) warnings.push('the root of the index');
  const below = stats.isDirectory() ? await lookBelow(path, signal) : undefined;
  if (
    Number(stats.ino % 2n ** 32n) !== tree.ino[row] ||
    Number(stats.mtimeMs) / 1000 >= (tree.mtime[row] ?? 0) + 1 ||
    (below?.latest ?? 0) > tree.meta.scannedAt
  ) {
    warnings.push('changed since the scan');
  }
  if (Number(stats.uid) !== process.getuid?.()) warnings.push('belongs to another user');
  if (stays > 0) warnings.push(`${stays} bytes stay: hard links elsewhere`);
  if (folder >= 0 && holdsRepository(tree, span)) warnings.push('holds a git repository');
  if (lastCopies > 0) warnings.push(`${countOf(lastCopies, 'file')}: last copies, no equal one stays`);
  const git = await gitState(span, path);
  if (git === 'unclear') warnings.push('in a git repository whose list of files cannot be read');
  const { untracked = 0, ignored = 0 } = git === 'unclear' || git === undefined ? {} : git;
  if (untracked > 0) warnings.push(`${countOf(untracked, 'file')} not tracked by git`);
  if (ignored > 0) warnings.push(`${countOf(ignored, 'file')} ignored by git`);
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
    below,
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
