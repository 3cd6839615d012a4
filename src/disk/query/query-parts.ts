import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { uint8At } from '../../contract/at.ts';
import { fail } from '../../contract/errors.ts';
import { countText } from '../../contract/format.ts';
import { absolutePath, isInside } from '../../contract/roots.ts';
import { callIndex, callJobProgress } from '../../jobs/calls.ts';
import { indexHandle } from '../handles.ts';
import { mayReadIndex, mayReadSome, spanOfRow, visibleSpans } from '../indexes/index-access.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import type { IndexRow } from '../indexes/index-rows.ts';
import { chooseIndex } from '../operations/chosen-index.ts';
import { NOT_ENTERED } from '../scan/node-kinds.ts';
import type { DiskContext } from '../services.ts';
import type { Span } from '../tree/row-spans.ts';
import { folderAt, parentRow, pathOf, rowOfPath } from '../tree/tree-nodes.ts';

/** A folder that a query is about, in the index that covers it. */
export interface QueryPart {
  readonly open: OpenIndex;
  readonly span: Span;
  /** The row of the folder that paths and depths count from. */
  readonly base: number;
  /** The path of that folder. */
  readonly path: string;
}

interface Asked {
  readonly indexId: string | undefined;
  readonly paths: readonly string[] | undefined;
  /** Whether files in folders that nobody watches are checked as well. */
  readonly thorough: boolean;
}

/** How long a call waits for a rescan of an index, or for the first scan of a folder. */
const REFRESH_MS = 3_000;
const THOROUGH_MS = 12_000;
const FIRST_SCAN_MS = 8_000;

/** The folders that a query is about: those it names, those of the index it names, or everything that is indexed. */
export async function queryParts(
  ctx: DiskContext,
  { indexId, paths, thorough }: Asked,
): Promise<QueryPart[]> {
  const refreshed = (open: OpenIndex) =>
    ctx.disk.indexes.refreshed(open, thorough ? THOROUGH_MS : REFRESH_MS, thorough, ctx.signal);
  if (paths !== undefined) {
    const parts: QueryPart[] = [];
    for (const path of paths) parts.push(await partAt(ctx, path, refreshed));
    return outermost(parts);
  }
  const opened = indexId === undefined ? await allIndexes(ctx) : [await chooseIndex(ctx, indexId, undefined)];
  const parts: QueryPart[] = [];
  for (const one of opened) {
    const open = await refreshed(one);
    for (const span of visibleSpans(open.tree, ctx.roots)) parts.push(partOf(open, span));
  }
  return parts;
}

function partOf(open: OpenIndex, span: Span): QueryPart {
  const { tree } = open;
  const base = folderAt(tree, span.from) < 0 ? parentRow(tree, span.from) : span.from;
  return { open, span, base, path: pathOf(tree, base) };
}

async function partAt(
  ctx: DiskContext,
  given: string,
  refreshed: (open: OpenIndex) => Promise<OpenIndex>,
): Promise<QueryPart> {
  const { disk, shells, caller, roots } = ctx;
  const shell = await shells.ofCaller(caller.id);
  const absolute = absolutePath(given, shell?.cwd ?? caller.cwd);
  const path = await roots.resolve(absolute);
  const known = await disk.indexes.covering(path);
  const open = known === undefined ? await firstScan(ctx, path) : await refreshed(known);
  const row = rowOfPath(open.tree, path);
  if (row < 0)
    fail(
      'node_not_found',
      `'${path}' is not in the index of '${open.tree.meta.root}': excluded, or too deep.`,
    );
  return partOf(open, spanOfRow(open.tree, row));
}

/** Indexes a folder that no index covers, and waits for it. */
async function firstScan({ disk, roots, signal }: DiskContext, path: string): Promise<OpenIndex> {
  const root = (await lstat(path)).isDirectory() ? path : dirname(path);
  const { indexes } = disk;
  const options = { followSymlinks: false, oneFileSystem: true, exclude: [], full: false };
  const { job, indexId } = await indexes.startIndex({ root, allowed: roots.folders, ...options });
  const { status, error, progress } = await indexes.finished(job, FIRST_SCAN_MS, signal);
  if (status === 'done') return indexes.open(indexId);
  if (status === 'failed') fail('job_failed', error ?? `'${root}' could not be indexed.`);
  const done = progress === undefined ? '' : `, ${countText(progress.done)} ${progress.unit} so far`;
  return fail('index_not_found', `'${root}' is being indexed${done}. Ask again when that is done.`, {
    next: callJobProgress({ job_id: job.id }),
  });
}

/** Every index that the caller may read, without those that another one includes. */
async function allIndexes(ctx: DiskContext): Promise<OpenIndex[]> {
  const { disk, roots, shells, caller } = ctx;
  const rows = (await disk.indexes.list()).filter((row) => mayReadSome(row, roots));
  const place = (await shells.ofCaller(caller.id))?.cwd ?? caller.cwd;
  // An index of this place that is still being built must not be answered for by one of another place.
  const unfinished = rows.findLast(
    (row) => row.generation === 0 && (place === undefined || isInside(place, row.root)),
  );
  const ready = rows.filter((row) => row.generation > 0);
  const here = place !== undefined && ready.some((row) => isInside(place, row.root));
  if (unfinished !== undefined && !here) return [await whenBuilt(ctx, unfinished)];
  if (ready.length === 0) {
    if (place === undefined) fail('index_not_found', 'Nothing is indexed yet.', { next: callIndex({}) });
    return [await firstScan(ctx, await roots.resolve(place))];
  }
  const opened: OpenIndex[] = [];
  // A root comes before everything below it.
  for (const row of ready.sort((a, b) => a.root.length - b.root.length)) {
    if (!opened.some((other) => includes(other, row, ctx)))
      opened.push(await disk.indexes.open(indexHandle(row.id)));
  }
  return opened;
}

async function whenBuilt({ disk, signal }: DiskContext, row: IndexRow): Promise<OpenIndex> {
  const job = await disk.indexes.scanOf(row);
  if (job !== undefined) await disk.indexes.finished(job, FIRST_SCAN_MS, signal);
  return disk.indexes.open(indexHandle(row.id));
}

function includes({ tree, row }: OpenIndex, { root, options }: IndexRow, { roots }: DiskContext): boolean {
  if (row.options.imported === true || options.imported === true || !mayReadIndex(row, roots)) return false;
  const at = isInside(root, row.root) ? rowOfPath(tree, root) : -1;
  return at >= 0 && (uint8At(tree.kind, at) & NOT_ENTERED) === 0;
}

/** Leaves out folders inside another one. */
function outermost(parts: readonly QueryPart[]): QueryPart[] {
  return parts.filter(
    (part, i) =>
      !parts.some(
        (other, k) =>
          k !== i &&
          other.open.row.id === part.open.row.id &&
          other.span.from <= part.span.from &&
          other.span.to >= part.span.to &&
          (k < i || other.span.from !== part.span.from),
      ),
  );
}
