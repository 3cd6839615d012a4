import { basename, join } from 'node:path';
import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, countOf, countText, dayText, sizeText } from '../../contract/format.ts';
import { type CallContext, operation, page } from '../../contract/operation.ts';
import { absolutePath } from '../../contract/roots.ts';
import { pageLinks } from '../../page/page-links.ts';
import {
  countsBelow,
  type FolderPage,
  type Item,
  indexedPage,
  itemKey,
  type Key,
  livePage,
} from '../browse/folder-page.ts';
import { countChildren, entryStats, type Kind, readFolder } from '../browse/read-folder.ts';
import { type Shell, type Shells, SORTS } from '../browse/shells.ts';
import type { Disk } from '../disk.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { freshnessText } from '../indexes/freshness.ts';
import { sparseDisk } from '../reports/node-rows.ts';
import { capped, sumSizes } from '../sizes.ts';
import { glance } from './choose.ts';
import { visibleShell } from './kept.ts';
import {
  breadcrumbOf,
  type Crumb,
  type KnownFolder,
  knownFolder,
  type Total,
  totalOf,
  totalText,
  unreadable,
} from './known-folder.ts';
import { nameIsNoText } from './name-is-no-text.ts';

interface Entry {
  readonly node_id?: string | undefined;
  readonly name: string;
  readonly kind: Kind;
  readonly size?: number | undefined;
  /** Only where the file has holes: what it takes on the disk. */
  readonly disk_size?: number | undefined;
  readonly counts?: { readonly files: number; readonly dirs?: number | undefined } | undefined;
  readonly modified_at: string;
  /** The size at the scan, where the file has changed since; totals still hold this one. */
  readonly was?: number | undefined;
}

interface Part {
  readonly entries: number;
  /** Known where the totals of all folders in it are. */
  readonly size?: number | undefined;
}

interface Listing {
  readonly cwd: string;
  /** The folders above it and itself, by handle; where it is in an index. */
  readonly breadcrumb?: readonly Crumb[] | undefined;
  readonly shell: string;
  readonly index_id?: string | undefined;
  readonly indexed: boolean;
  readonly scanned?: string | undefined;
  /** True: the folder changed since the scan and was read anew; totals below it are those of the scan. */
  readonly changed?: boolean | undefined;
  /** True: the system denied the scan to read this folder, so that nothing is known of what it holds. */
  readonly unreadable?: boolean | undefined;
  readonly total?: Total | undefined;
  readonly before?: Part | undefined;
  readonly entries: readonly Entry[];
  readonly rest?: Part | undefined;
}

type Row = Entry & { readonly item: Item };

const ROWS = 20;

export const cdInput = z.strictObject({
  path: z.string().min(1).max(4096).default('.'),
  shell: z.string().max(20).optional(),
  sort: z.enum(SORTS).optional(),
});

export const cd = operation<{ shells: Shells; disk: Disk }>()({
  name: 'cd',
  toolset: 'disk',
  readOnly: true,
  summary:
    'Go to a folder and list its largest entries. The shell handle keeps the place for relative paths.',
  input: cdInput,
  limit: { default: ROWS, max: 100 },
  rows: 'entries',
  columns: ['node_id', 'name', 'kind', 'size', 'disk_size', 'counts', 'modified_at', 'was'],
  aliases: { dir: 'path', directory: 'path', session_id: 'shell', sort_by: 'sort' },
  http: 'GET /api/cd',
  command: {
    words: 'disk cd',
    positional: ['path'],
    examples: ['pinhole disk cd /var/log', 'pinhole disk cd . --sort modified'],
  },

  async run(input, ctx) {
    const { folder, from } = await target(input.path, input.shell, ctx);
    const known = await knownFolder(folder, ctx.disk);
    const live = known?.fresh ? undefined : await readFolder(folder, ctx.signal);
    // Only now: a shell never stands in a place that cannot be read.
    const shell = ctx.after && from ? from : await ctx.shells.move(input.shell, ctx.caller.id, folder);
    const sort = input.sort ?? shell.sort ?? 'size';
    const limit = ctx.limitGiven ? ctx.limit : (shell.limit ?? ctx.limit);
    const after = keyAfter(ctx.after);
    const listed =
      known && live === undefined
        ? indexedPage(known.open.tree, known.folder, sort, after, limit)
        : livePage(live ?? [], known && { tree: known.open.tree, folder: known.folder }, sort, after);
    if (known) ctx.disk.indexes.lookedAt(folder);
    return page<Row, Listing>({
      rows: rowsOf(folder, listed, known, limit, ctx.disk),
      position: ({ item }) => [folder, ...itemKey(item, sort)],
      limit,
      total: listed.entries,
      budget: glance({ ...ctx, limit }, ROWS),
      shape: (rows, more) => ({
        cwd: folder,
        breadcrumb: known && breadcrumbOf(known),
        shell: shell.shell,
        index_id: known && indexHandle(known.open.row.id),
        indexed: known !== undefined,
        scanned: known && freshnessText(known.open.fresh, ctx.now()),
        changed: known && !known.fresh && !known.cut ? true : undefined,
        unreadable: known && live === undefined ? unreadable(known) : undefined,
        total: known && totalOf(known, listed),
        before: listed.before.entries > 0 ? shownPart(listed.before) : undefined,
        entries: rows.map(({ item, ...entry }) => entry),
        rest: more ? shownPart(restOf(listed, rows)) : undefined,
      }),
      links: known
        ? { entry: ctx.url(`/disk/${indexHandle(known.open.row.id)}/{node_id}`) }
        : { self: ctx.url(pageLinks.path(folder)) },
    });
  },

  text(data, { units }) {
    const size = data.total ? `${totalText(data.total, units)}  ` : '';
    const from = data.indexed
      ? `(${data.index_id}, scanned ${data.scanned})`
      : '(not indexed: folders without their totals)';
    const rows = data.entries.map((entry) => [
      ...(data.indexed ? [entry.node_id ?? ''] : []),
      entry.kind === 'dir' ? 'd' : entry.kind === 'symlink' ? 'l' : 'f',
      entry.size === undefined ? '' : sizeText(entry.size, units),
      entry.counts ? countOf(entry.counts.files, 'file') : '',
      oneLine(entry.name) + (entry.kind === 'dir' ? '/' : ''),
      entry.modified_at,
    ]);
    const right = data.indexed ? [2, 3] : [1, 2];
    const rest = data.rest
      ? `\n... ${countText(data.rest.entries)} more${data.rest.size === undefined ? '' : `, ${sizeText(data.rest.size, units)}`}`
      : '';
    const none = data.unreadable ? '(the system denied access to it)' : '(empty)';
    return `${oneLine(data.cwd)}  ${size}${from}  shell ${data.shell}\n${data.entries.length === 0 ? none : columns(rows, right)}${rest}`;
  },
});

/** The folder a call means, and the shell it starts from. A cursor carries its folder along. */
async function target(
  path: string,
  handle: string | undefined,
  ctx: CallContext & { shells: Shells; disk: Disk },
): Promise<{ folder: string; from: Shell | undefined }> {
  const { shells, caller, roots, after } = ctx;
  const from = handle === undefined ? await shells.ofCaller(caller.id) : await visibleShell(ctx, handle);
  const wanted = Array.isArray(after) ? String(after[0]) : path;
  const absolute = absolutePath(wanted, from?.cwd ?? caller.cwd);
  const folder = await roots
    .resolve(absolute)
    .catch((error: unknown) => nameIsNoText(error, absolute, ctx.disk));
  return { folder, from };
}

/** Rows for the entries that are shown: files are looked at on the disk, since writing into one tells no folder. */
async function* rowsOf(
  folder: string,
  { items }: FolderPage,
  known: KnownFolder | undefined,
  limit: number,
  disk: Disk,
): AsyncGenerator<Row> {
  const tree = known?.open.tree;
  const now = known?.fresh
    ? await entryStats(
        folder,
        items.slice(0, limit + 1).map(({ name, kind }) => (kind === 'file' ? basename(name) : undefined)),
      )
    : [];
  for (const [i, item] of items.entries()) {
    const { name, kind, row } = item;
    const indexed = tree !== undefined && row !== undefined;
    const counts = indexed
      ? countsBelow(tree, row)
      : kind === 'dir'
        ? await countChildren(join(folder, basename(name)))
        : undefined;
    const seen = now[i];
    const size = seen && capped(seen.size);
    const differs = size !== undefined && size !== item.size;
    if (differs && known) disk.indexes.suspect(known.open, known.row);
    yield {
      node_id: indexed ? nodeHandle(tree.id[row] ?? 0) : undefined,
      name,
      kind,
      size: size ?? item.size,
      was: differs ? item.size : undefined,
      disk_size: indexed ? sparseDisk(tree, row) : undefined,
      counts,
      modified_at: dayText(seen?.mtimeMs ?? item.modified),
      item,
    };
  }
}

/** Without an index folders have no size, and neither has what they are a part of. */
function shownPart({ entries, size, unsized = 0 }: FolderPage['left']): Part {
  return { entries, size: unsized > 0 ? undefined : size };
}

function restOf({ left }: FolderPage, rows: readonly Row[]): FolderPage['left'] {
  const shown = sumSizes(rows, ({ item }) => item.size ?? 0);
  const unsized = (left.unsized ?? 0) - rows.filter(({ item }) => item.size === undefined).length;
  return { entries: left.entries - rows.length, size: Math.max(0, left.size - shown), unsized };
}

function keyAfter(after: CallContext['after']): Key | undefined {
  return Array.isArray(after) ? [Number(after[1]), String(after[2])] : undefined;
}
