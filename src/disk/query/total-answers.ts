import { page } from '../../contract/operation.ts';
import type { CompiledFilter } from '../filter/compile-filter.ts';
import type { Filter } from '../filter/filter-schema.ts';
import type { FolderChange } from '../reports/folder-changes.ts';
import type { DiskContext } from '../services.ts';
import { sumSizes } from '../sizes.ts';
import { type EqualFiles, equalFileGroups } from './equal-files.ts';
import { growthRows } from './growth-rows.ts';
import { type MatchGroup, matchGroups, type TotalledBy } from './match-groups.ts';
import type { MatchSort } from './match-list.ts';
import type { QueryAnswer } from './query-answer.ts';
import type { QueryPart } from './query-parts.ts';
import { headOf, metaOf, type Query } from './running-query.ts';
import { whyNothing } from './why-nothing.ts';

interface CompiledPart {
  readonly part: QueryPart;
  readonly compiled: (CompiledFilter & { readonly truncated: boolean }) | undefined;
}

async function compiledParts(
  { parts, filter }: Query,
  { disk, signal }: DiskContext,
): Promise<CompiledPart[]> {
  const compiled: CompiledPart[] = [];
  for (const part of parts) {
    const span = { ...part.span, base: part.base };
    compiled.push({ part, compiled: await disk.filters.compile(part.open, span, filter, signal) });
  }
  return compiled;
}

const isCut = (parts: readonly CompiledPart[]) => parts.some(({ compiled }) => compiled?.truncated === true);

export interface Totals {
  readonly by: TotalledBy;
  readonly depth: number | undefined;
  readonly sort: MatchSort | undefined;
  readonly minSize: number;
}

/** Totals by extension, folder, owner or age. */
export async function groupsAnswer(query: Query, { by, depth, sort, minSize }: Totals, ctx: DiskContext) {
  const { filter } = query;
  const parsed = filter === undefined ? undefined : ctx.disk.filters.parse(filter);
  const parts = await compiledParts(query, ctx);
  const wholeFolders = parsed !== undefined && asksForFolders(parsed);
  const all = await matchGroups(parts, { by, depth, wholeFolders, now: ctx.now(), signal: ctx.signal });
  const groups = sortedGroups(all, sort).filter(({ size }) => size >= minSize);
  const files = all.reduce((sum, group) => sum + group.files, 0);
  const note = files === 0 ? await whyNothing(ctx, query.parts, filter) : undefined;
  const head = headOf(query, ctx.now(), note);
  return page<MatchGroup, QueryAnswer>({
    rows: groups,
    position: ({ label }) => label,
    total: groups.length,
    keep: {},
    shape: (shown) => ({
      ...head,
      counts: { matches: groups.length, files, dirs: 0 },
      total_size: sumSizes(all, ({ size }) => size),
      total_disk_size: sumSizes(all, ({ disk_size }) => disk_size),
      grouped_by: by,
      groups: shown,
    }),
    meta: metaOf(query, ctx.now(), isCut(parts)),
    explain: () => ({ filter, steps: [...(parts[0]?.compiled?.plan ?? []), `summed by ${by}`] }),
  });
}

function sortedGroups(groups: readonly MatchGroup[], sort: MatchSort | undefined): readonly MatchGroup[] {
  if (sort === 'count' || sort === 'entries') return groups.toSorted((a, b) => b.files - a.files);
  if (sort === 'disk_size') return groups.toSorted((a, b) => b.disk_size - a.disk_size);
  if (sort === 'name') return groups.toSorted((a, b) => (a.label < b.label ? -1 : 1));
  return groups;
}

/** Whether a filter is about folders: they count with everything in them then. */
function asksForFolders({ kind, regenerable, entries, all = [], any = [] }: Filter): boolean {
  if (kind?.includes('dir') === true || regenerable === true || entries !== undefined) return true;
  return [...all, ...any].some(asksForFolders);
}

/** Groups of equal files. */
export async function duplicatesAnswer(query: Query, minSize: number, ctx: DiskContext) {
  const { filter } = query;
  const parsed = filter === undefined ? undefined : ctx.disk.filters.parse(filter);
  const parts = await compiledParts(query, ctx);
  const least = parsed === undefined ? minSize : Math.max(minSize, leastSize(parsed));
  const { groups, truncated } = await equalFileGroups(ctx, parts, least === 0 ? undefined : least);
  const head = headOf(query, ctx.now(), groups.length === 0 ? 'No equal files.' : undefined);
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return page<EqualFiles, QueryAnswer>({
    rows: groups,
    position: ({ paths }) => paths[0] ?? '',
    total: groups.length,
    keep: {},
    shape: (shown) => ({
      ...head,
      counts: { matches: groups.length, files: count, dirs: 0 },
      wasted: sumSizes(groups, ({ wasted }) => wasted),
      duplicates: shown,
    }),
    meta: metaOf(query, ctx.now(), truncated || isCut(parts)),
    explain: () => ({
      filter,
      steps: [...(parts[0]?.compiled?.plan ?? []), 'equal size, then equal content'],
    }),
  });
}

/** The size that a file must have at least to pass. */
function leastSize({ size, all = [] }: Filter): number {
  return Math.max(0, size?.min ?? 0, ...all.map(leastSize));
}

/** What changed since a time, or since the last scan that somebody asked for. */
export async function growthAnswer(
  query: Query,
  since: number | undefined,
  depth: number | undefined,
  ctx: DiskContext,
) {
  const changes = await growthRows(ctx, query.parts, since, depth);
  const { folders, total } = changes;
  const note =
    changes.since === undefined
      ? 'There is only one scan so far. This one is the base: ask again after a change.'
      : undefined;
  const head = headOf(query, ctx.now(), note);
  return page<FolderChange, QueryAnswer>({
    rows: folders,
    position: ({ path }) => path,
    total: folders.length,
    keep: {},
    shape: (shown) => ({
      ...head,
      since: changes.since === undefined ? undefined : new Date(changes.since).toISOString(),
      total: changes.since === undefined ? undefined : total,
      growth: shown,
    }),
    meta: metaOf(query, ctx.now(), false),
    explain: () => ({ steps: ['folder totals compared with those of an earlier scan'] }),
  });
}
