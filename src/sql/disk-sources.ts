import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agoText, countText } from '../contract/format.ts';
import type { NextCall } from '../contract/next-call.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import type { Disk } from '../disk/disk.ts';
import { indexHandle } from '../disk/handles.ts';
import { freshnessText } from '../disk/indexes/freshness.ts';
import { mayRead, mayReadIndex, mayReadSome } from '../disk/indexes/index-access.ts';
import type { OpenIndex } from '../disk/indexes/index-catalog.ts';
import type { IndexRow } from '../disk/indexes/index-rows.ts';
import { callIndex, callJobProgress } from '../jobs/calls.ts';
import type { Job } from '../jobs/jobs.ts';
import { endsRange } from './folder-gaps.ts';
import type { Prepared } from './prepared.ts';
import type { DiskSource } from './query-messages.ts';
import type { SqlContext } from './services.ts';
import { namedFolders } from './statement.ts';
import type { TimeSpent } from './time-spent.ts';

/** How long a query waits for a scan. */
const FIRST_SCAN_MS = 15_000;
const RESCAN_MS = 2_500;
const MAX_SCANS = 5;
const MAX_NAMED_FOLDERS = 3;
const SCAN = { followSymlinks: false, oneFileSystem: true, exclude: [], full: false } as const;
/** The age of an index is not mentioned if it is below this. */
const RECENT_MS = 60_000;

export interface DiskPrepared extends Prepared {
  readonly opened: readonly OpenIndex[];
  readonly sources: readonly DiskSource[];
}

/** The indexes that a query may read, brought up to date if that is quick. */
export async function prepareDisk(
  disk: Disk,
  texts: readonly string[],
  ctx: SqlContext,
  spent: TimeSpent,
): Promise<DiskPrepared> {
  const { indexes } = disk;
  const visible = async () => (await indexes.list()).filter((row) => mayReadSome(row, ctx.roots));
  const notes: string[] = [];
  const next: NextCall[] = [];
  const end = performance.now() + FIRST_SCAN_MS;
  const scanning = <T>(root: string, work: () => Promise<T>) => spent.on(`scanning ${root}`, work);
  const ended = (job: Job) => indexes.finished(job, Math.max(0, end - performance.now()), ctx.signal);
  const known = await visible();
  const unscanned = await unscannedFolders(texts, known, ctx);
  for (const root of unscanned)
    await scanning(root, async () =>
      ended((await indexes.startIndex({ ...SCAN, root, allowed: ctx.roots.folders })).job),
    );
  const rows = unscanned.length === 0 ? known : await visible();
  if (rows.length === 0) {
    const named = unindexedNotes(texts, rows, ctx.roots);
    const namesFolders = namedFolders(texts).length > 0;
    return {
      sources: [],
      opened: [],
      notes: named.length > 0 || namesFolders ? named : ['No disk is indexed yet.'],
      next: named.length > 0 || !namesFolders ? [callIndex({})] : [],
    };
  }
  const sources: DiskSource[] = [];
  const all: OpenIndex[] = [];
  for (const row of withoutNested(rows)) {
    const scan = row.generation === 0 ? await indexes.scanOf(row) : undefined;
    const job = scan && (await scanning(row.root, () => ended(scan)));
    if (row.generation === 0 && job?.status !== 'done') {
      notes.push(`${row.root} is still being scanned${soFar(job)}; its files are missing here.`);
      next.push(job === undefined ? callIndex({ root: row.root }) : callJobProgress({ job_id: job.id }));
      continue;
    }
    const opened = await indexes.open(indexHandle(row.id));
    const current = await scanning(row.root, () => indexes.refreshed(opened, RESCAN_MS, false, ctx.signal));
    const { fresh } = current;
    const old = fresh.changedFolders > 0 || (!fresh.watched && ctx.now() - fresh.scannedAt > RECENT_MS);
    if (old && row.options.imported !== true)
      notes.push(`${row.root} was scanned ${freshnessText(fresh, ctx.now())}.`);
    if (row.options.imported === true)
      notes.push(`${row.root} was imported ${agoText(fresh.scannedAt, ctx.now())}.`);
    sources.push(sourceOf(disk, current.row, ctx.roots));
    all.push(current);
  }
  notes.push(...unindexedNotes(texts, rows, ctx.roots));
  return { sources, opened: all, notes, next };
}

/** The folders that a query names, that may be read, and that have no rows yet. */
function unindexedNotes(texts: readonly string[], rows: readonly IndexRow[], roots: Roots): string[] {
  const unknown = unknownPaths(texts, rows).filter((path) => !endsRange(path, texts) && mayRead(path, roots));
  return unknown
    .filter((path) => !unknown.some((other) => other !== path && isInside(path, other)))
    .slice(0, MAX_NAMED_FOLDERS)
    .map((path) => `${path} is not indexed, so it has no rows here.`);
}

/** How much a scan has read. */
function soFar(job: Job | undefined): string {
  const { done, total, unit } = job?.progress ?? { done: 0 };
  if (done === 0) return '';
  return ` (${countText(done)}${total === undefined ? '' : ` of about ${countText(total)}`} ${unit ?? 'files'} so far)`;
}

/**
 * Folders that a query asks about and that are not indexed: those around the paths it names, or else the folders that
 * the caller may read. A whole file system is scanned only on request.
 */
async function unscannedFolders(
  texts: readonly string[],
  rows: readonly IndexRow[],
  { roots, caller }: SqlContext,
): Promise<readonly string[]> {
  const allowed = (path: string) => roots.folders.some((folder) => isInside(path, folder));
  const covered = (path: string) => rows.some(({ root }) => isInside(path, root));
  const outermost = (folders: readonly string[]) => {
    const others = folders.filter((one) => !folders.some((other) => other !== one && isInside(one, other)));
    return [...new Set(others)].slice(0, MAX_SCANS);
  };
  // An index of a folder inside is not enough: it covers only a part of `/usr/%`.
  const named = namedFolders(texts).map(existingFolder);
  const missing = named.filter((folder) => allowed(folder) && !covered(folder));
  if (missing.length > 0) return outermost(missing);
  if (texts.some((text) => text.startsWith('/'))) return [];
  const here = await roots.resolve(caller.cwd ?? '.').catch(() => undefined);
  const folders = [...(here === undefined ? [] : [here]), ...roots.folders].map(existingFolder);
  const found = folders.filter((folder) => folder !== '/' && allowed(folder) && !covered(folder));
  return outermost(found);
}

/** The folder itself, or the nearest existing one above the path. */
function existingFolder(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder || path === '/' ? path : existingFolder(dirname(path));
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

/** Paths that no index covers. */
function unknownPaths(texts: readonly string[], rows: readonly IndexRow[]): readonly string[] {
  const known = (path: string) => rows.some(({ root }) => isInside(path, root) || isInside(root, path));
  return namedFolders(texts).filter((path) => !known(path));
}
