import { z } from 'zod';
import { uint8At, uint32At } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { countOf, sizeText } from '../../contract/format.ts';
import type { CallContext, ReadonlyData, TextStyle } from '../../contract/operation.ts';
import { localDay } from '../../contract/zone.ts';
import { linkTargets } from '../filter/link-targets.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { sparseDisk, totalDisk, totalSize } from '../reports/node-rows.ts';
import { TopRows } from '../reports/top-rows.ts';
import { KIND, KIND_MASK, KIND_NAMES, kindName } from '../scan/node-kinds.ts';
import { sharedSize, sumSizes } from '../sizes.ts';
import { type SelectionTotal, selectionTotal, spansOf } from '../tree/row-spans.ts';
import { entryCounts, folderAt, pathOf } from '../tree/tree-nodes.ts';
import type { QueryPart } from './query-parts.ts';

export const MATCH_SORTS = ['size', 'disk_size', 'count', 'entries', 'modified', 'name'] as const;
export type MatchSort = (typeof MATCH_SORTS)[number];

export const matchSchema = z.object({
  node_id: z.string(),
  path: z.string().describe('relative to root; a full path if there are several roots'),
  kind: z.enum(KIND_NAMES),
  size: z.int().describe('bytes of content, with everything below'),
  disk_size: z.int().optional().describe('bytes allocated on the disk, if sorted by them or sparse'),
  modified_at: z.string().optional().describe('if sorted by it'),
  entries: z.int().optional().describe('entries directly in the folder, if sorted by them'),
  files: z.int().optional().describe('files below the folder, if sorted by count'),
  target: z.string().optional().describe('where the link leads'),
  broken: z.literal(true).optional().describe('the target does not exist'),
  index_id: z.string().optional().describe('if there are several roots'),
  link: z.string().optional(),
});

export type Match = ReadonlyData<typeof matchSchema>;

/** The rows of one part that passed a filter. */
export interface PartMatches {
  readonly part: QueryPart;
  readonly rows: Uint32Array;
}

/** A match in its place of the sorted list. */
export interface ListedMatch {
  readonly match: Match;
  readonly index_id: string;
  /** How many come before it, and the sizes up to and including it. */
  readonly place: number;
  readonly sizes: number;
}

export interface MatchList {
  readonly rows: AsyncIterable<ListedMatch>;
  readonly total: SelectionTotal;
  readonly matches: number;
  /** The sizes of all matches, and how much of that counts more than once. */
  readonly sizes: number;
  readonly overlap: number | undefined;
}

/** More than this are not listed: nobody pages that far. */
const MAX_LISTED = 5_000;

interface Found {
  readonly part: QueryPart;
  readonly row: number;
  readonly value: number;
}

/** All matches, sorted by what is shown, as they are pulled. */
export function matchList(
  found: readonly PartMatches[],
  sort: MatchSort,
  ctx: Pick<CallContext, 'signal' | 'zone'>,
): MatchList {
  const totals = found.map(({ part: { open }, rows }) => selectionTotal(open.tree, spansOf(open.tree, rows)));
  const add = (of: keyof SelectionTotal) => sumSizes(totals, (total) => total[of]);
  const total = {
    files: add('files'),
    dirs: add('dirs'),
    size: add('size'),
    disk_size: add('disk_size'),
    freed: add('freed'),
  };
  const sizes = sumSizes(found, ({ part, rows }) => sumSizes(rows, (row) => totalSize(part.open.tree, row)));
  return {
    rows: listed(sorted(found, sort), sort, found.length > 1, ctx),
    total,
    matches: found.reduce((sum, { rows }) => sum + rows.length, 0),
    sizes,
    overlap: sharedSize(sizes, total.size),
  };
}

function sorted(found: readonly PartMatches[], sort: MatchSort): Found[] {
  const all = found.flatMap(({ part, rows }): Found[] => {
    const value = sortValue(part, sort);
    const top = new TopRows(Math.min(rows.length, MAX_LISTED));
    for (const row of rows) top.add(value(row), row);
    return top.sorted().map((one) => ({ part, ...one }));
  });
  if (sort !== 'name') return all.sort((a, b) => b.value - a.value);
  const named = all.map((one) => ({ one, path: pathOf(one.part.open.tree, one.row) }));
  return named.sort((a, b) => (a.path < b.path ? -1 : 1)).map(({ one }) => one);
}

/** What rows are ordered by, highest first. */
function sortValue({ open: { tree } }: QueryPart, sort: MatchSort): (row: number) => number {
  if (sort === 'modified') return (row) => uint32At(tree.mtime, row);
  if (sort === 'name') return () => 0;
  if (sort === 'disk_size') return (row) => totalDisk(tree, row);
  if (sort === 'size') return (row) => totalSize(tree, row);
  const counts = sort === 'entries' ? entryCounts(tree) : tree.dirAllFiles;
  return (row) => {
    const folder = folderAt(tree, row);
    return folder < 0 ? -1 : uint32At(counts, folder);
  };
}

const LINKS_AT_ONCE = 50;

async function* listed(
  all: readonly Found[],
  sort: MatchSort,
  several: boolean,
  { signal, zone }: Pick<CallContext, 'signal' | 'zone'>,
): AsyncGenerator<ListedMatch> {
  let sizes = 0;
  for (let start = 0; start < all.length; start += LINKS_AT_ONCE) {
    const some = all.slice(start, start + LINKS_AT_ONCE);
    const targets = await targetsOf(some, signal);
    for (const [i, one] of some.entries()) {
      const match = matchOf(one, sort, zone, several);
      sizes += match.size;
      const link = targets.get(one);
      yield {
        match:
          link === undefined
            ? match
            : { ...match, target: link.target, broken: link.broken ? true : undefined },
        index_id: indexHandle(one.part.open.row.id),
        place: start + i,
        sizes,
      };
    }
  }
}

async function targetsOf(some: readonly Found[], signal: AbortSignal) {
  const targets = new Map<Found, { readonly target: string; readonly broken: boolean }>();
  for (const one of some) {
    const { tree } = one.part.open;
    if ((uint8At(tree.kind, one.row) & KIND_MASK) !== KIND.symlink || tree.meta.options.imported === true)
      continue;
    const target = (await linkTargets(tree, [one.row], signal)).get(one.row);
    if (target !== undefined) targets.set(one, target);
  }
  return targets;
}

function matchOf({ part, row, value }: Found, sort: MatchSort, zone: string, several: boolean): Match {
  const { tree } = part.open;
  const full = pathOf(tree, row);
  const shown = (of: MatchSort) => (sort === of && value >= 0 ? value : undefined);
  return {
    node_id: nodeHandle(uint32At(tree.id, row)),
    path: several ? full : relativeTo(part.path, full),
    kind: kindName(uint8At(tree.kind, row)),
    size: totalSize(tree, row),
    disk_size: shown('disk_size') ?? sparseDisk(tree, row),
    modified_at: sort === 'modified' ? localDay(value * 1000, zone) : undefined,
    entries: shown('entries'),
    files: shown('count'),
  };
}

/** A path below a folder; `.` for the folder itself. */
export function relativeTo(folder: string, path: string): string {
  return path === folder ? '.' : path.slice(folder === '/' ? 1 : folder.length + 1);
}

/** A size in three digits or so, without a space: `146MB`, `5.3GB`. Filters read it as it is written. */
export function terseSize(bytes: number, units: TextStyle['units']): string {
  return sizeText(bytes, units)
    .replace(/^\d{3,}\.\d/, (value) => String(Math.round(Number(value))))
    .replace(/ (?=\p{L}+$)/u, '');
}

/** One line per match: what the list is sorted by, then the path. */
export function matchLines(
  matches: readonly Match[],
  sort: MatchSort | undefined,
  { units }: TextStyle,
): string[] {
  const allBroken = matches.every(({ broken }) => broken === true);
  return matches.map((match) => {
    const path = oneLine(match.path) + (match.kind === 'dir' && match.path !== '.' ? '/' : '');
    if (match.kind === 'symlink')
      return `${path} -> ${oneLine(match.target ?? '?')}${match.broken && !allBroken ? ' (broken)' : ''}`;
    const lead = [
      ...(match.entries === undefined ? [] : [countOf(match.entries, 'entry', 'entries')]),
      ...(match.files === undefined ? [] : [countOf(match.files, 'file')]),
      ...(match.modified_at === undefined ? [] : [match.modified_at]),
      ...(sort === 'disk_size' ? [] : [terseSize(match.size, units)]),
      ...(match.disk_size === undefined
        ? []
        : sort === 'disk_size'
          ? [terseSize(match.disk_size, units)]
          : [`(${terseSize(match.disk_size, units)} on disk)`]),
    ];
    return [...lead, path].join(' ');
  });
}
