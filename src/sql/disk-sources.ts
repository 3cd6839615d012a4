import { join } from 'node:path';
import { agoText } from '../contract/format.ts';
import type { NextCall } from '../contract/next-call.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import type { Disk } from '../disk/disk.ts';
import { indexHandle } from '../disk/handles.ts';
import { freshnessText } from '../disk/indexes/freshness.ts';
import { mayReadIndex, mayReadSome } from '../disk/indexes/index-access.ts';
import type { IndexRow } from '../disk/indexes/index-rows.ts';
import { callIndex, callJobProgress } from '../jobs/calls.ts';
import type { Prepared } from './prepared.ts';
import type { DiskSource } from './query-messages.ts';
import type { SqlContext } from './services.ts';

/** How long a query waits for a scan. */
const FIRST_SCAN_MS = 6_000;
const RESCAN_MS = 2_500;
/** An index this young is not mentioned. */
const RECENT_MS = 60_000;

export interface DiskPrepared extends Prepared {
  readonly sources: readonly DiskSource[];
}

/** The indexes that a query may read, brought up to date as far as that is quick. */
export async function prepareDisk(
  disk: Disk,
  texts: readonly string[],
  ctx: SqlContext,
): Promise<DiskPrepared> {
  const { indexes } = disk;
  const visible = async () => (await indexes.list()).filter((row) => mayReadSome(row, ctx.roots));
  let rows = await visible();
  const notes: string[] = [];
  const next: NextCall[] = [];
  if (rows.length === 0) {
    const root = await ctx.roots.resolve(ctx.caller.cwd ?? '.').catch(() => undefined);
    if (root === undefined) return { sources: [], notes: ['No disk is indexed yet.'], next: [callIndex({})] };
    const { job } = await indexes.startIndex({
      root,
      allowed: ctx.roots.folders,
      followSymlinks: false,
      oneFileSystem: true,
      exclude: [],
      full: false,
    });
    await indexes.finished(job, FIRST_SCAN_MS, ctx.signal);
    rows = await visible();
  }
  const sources: DiskSource[] = [];
  for (const row of withoutNested(rows)) {
    const scan = row.generation === 0 ? await indexes.scanOf(row) : undefined;
    const job = scan && (await indexes.finished(scan, FIRST_SCAN_MS, ctx.signal));
    if (row.generation === 0 && job?.status !== 'done') {
      notes.push(`${row.root} is still being scanned; its files are missing here.`);
      next.push(job === undefined ? callIndex({ root: row.root }) : callJobProgress({ job_id: job.id }));
      continue;
    }
    const opened = await indexes.open(indexHandle(row.id));
    const { fresh, row: current } = await indexes.refreshed(opened, RESCAN_MS, false, ctx.signal);
    const old = fresh.changedFolders > 0 || (!fresh.watched && ctx.now() - fresh.scannedAt > RECENT_MS);
    if (old && row.options.imported !== true)
      notes.push(`${row.root} was scanned ${freshnessText(fresh, ctx.now())}.`);
    if (row.options.imported === true)
      notes.push(`${row.root} was imported ${agoText(fresh.scannedAt, ctx.now())}.`);
    sources.push(sourceOf(disk, current, ctx.roots));
  }
  for (const path of unknownPaths(texts, rows)) {
    const allowed = ctx.roots.folders.some((folder) => isInside(path, folder));
    notes.push(`${path} is not indexed, so it has no rows here.`);
    if (allowed) next.push(callIndex({ root: path }));
  }
  return { sources, notes, next };
}

/** An index inside another would count its files twice. */
function withoutNested(rows: readonly IndexRow[]): readonly IndexRow[] {
  const covers = (outer: IndexRow, inner: IndexRow) =>
    outer.id !== inner.id &&
    outer.generation > 0 &&
    outer.options.imported !== true &&
    outer.options.depthLimit === undefined &&
    outer.options.exclude.length === 0 &&
    isInside(inner.root, outer.root);
  return rows.filter((row) => row.options.imported === true || !rows.some((other) => covers(other, row)));
}

function sourceOf(disk: Disk, row: IndexRow, roots: Roots): DiskSource {
  const folder = disk.indexes.folderOf(row);
  return {
    id: row.id,
    file: join(folder, 'tree.idx'),
    growthFolder: folder,
    version: `${row.generation}:${row.scannedAt}:${row.nextId}`,
    folders: mayReadIndex(row, roots)
      ? undefined
      : roots.folders.filter((allowed) => isInside(allowed, row.root)),
  };
}

/** Absolute paths that a query compares with and that no index covers. */
function unknownPaths(texts: readonly string[], rows: readonly IndexRow[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const [, path = ''] = /^(\/[^%*?[\]\n]*)/.exec(text) ?? [];
    // The last name may be cut off by a wildcard.
    const folder = path === text ? path : path.slice(0, path.lastIndexOf('/'));
    const clean = folder.replace(/\/+$/, '');
    const related = rows.some(({ root }) => isInside(clean, root) || isInside(root, clean));
    if (clean.length > 1 && !related) found.add(clean);
  }
  return [...found].slice(0, 3);
}
