import { basename, join } from 'node:path';
import { z } from 'zod';
import { uint32At } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { columns, countOf, countText, sizeText } from '../../contract/format.ts';
import { type CallContext, operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { absolutePath } from '../../contract/roots.ts';
import { localDay } from '../../contract/zone.ts';
import { pageLinks } from '../../page/page-links.ts';
import {
  countsBelow,
  directEntries,
  type FolderPage,
  type Item,
  indexedPage,
  itemKey,
  type Key,
  livePage,
} from '../browse/folder-page.ts';
import { countChildren, entryStats, linkAt, readFolder } from '../browse/read-folder.ts';
import { type Shell, SORTS, type Sort } from '../browse/shells.ts';
import type { Disk } from '../disk.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { freshnessText } from '../indexes/freshness.ts';
import { sparseDisk } from '../reports/node-rows.ts';
import type { DiskContext, DiskServices } from '../services.ts';
import { capped, sumSizes } from '../sizes.ts';
import { counts, kind } from './data-fields.ts';
import { GLANCE_BYTES } from './glance.ts';
import { shell } from './input-fields.ts';
import { failInvalidUtf8 } from './invalid-utf8-path.ts';
import {
  breadcrumbOf,
  crumbSchema,
  folderTotal,
  folderTotalSchema,
  folderTotalText,
  isUnreadable,
  type KnownFolder,
  knownFolder,
} from './known-folder.ts';
import { visibleShell } from './visible.ts';

const entrySchema = z.object({
  node_id: z.string().optional(),
  name: z.string(),
  kind,
  size: z.int().optional().describe('bytes of content, of a folder with everything below it'),
  disk_size: z.int().optional().describe('bytes allocated on the disk, only for sparse files'),
  counts,
  entries: z.int().optional().describe('how many entries are directly in the folder, if sorted by that'),
  target: z.string().optional().describe('where the link leads'),
  broken: z.literal(true).optional().describe('the target does not exist'),
  modified_at: z.string(),
  link: z.string().optional(),
  was: z
    .int()
    .optional()
    .describe('the size at the scan, if the file has changed since; totals include this size'),
});

const partSchema = z.object({
  entries: z.int(),
  size: z.int().optional().describe('absent if it includes folders whose size is not known'),
});

const listingSchema = z.object({
  cwd: z.string(),
  breadcrumb: z.array(crumbSchema).optional().describe('the nearest folders above it, and itself'),
  shell: z.string(),
  index_id: z.string().optional(),
  indexed: z.boolean(),
  scanned: z.string().optional(),
  changed: z
    .literal(true)
    .optional()
    .describe('changed since the scan, which could not be repeated in time: totals are those of the scan'),
  unreadable: z.literal(true).optional().describe('the scan was denied access, so its entries are not known'),
  total: folderTotalSchema.optional(),
  before: partSchema.optional().describe('entries on earlier pages'),
  entries: z.array(entrySchema),
  rest: partSchema.optional().describe('entries on later pages'),
});

type Listing = ReadonlyData<typeof listingSchema>;
type Entry = Listing['entries'][number];
type Part = NonNullable<Listing['rest']>;
type Row = Entry & { readonly item: Item };

export const cdInput = z.strictObject({
  path: z
    .string()
    .min(1)
    .max(4096)
    .default('.')
    .describe('the folder to go to; relative to the folder of the shell'),
  shell: shell.optional(),
  sort: z.enum(SORTS).optional().describe('order of the entries (default: size)'),
});

export const cd = operation<DiskServices>()({
  name: 'cd',
  toolset: 'disk',
  readOnly: true,
  summary: 'List a folder, largest entries first. The shell handle keeps the place for relative paths.',
  input: cdInput,
  limit: { default: 20, max: 100 },
  glance: GLANCE_BYTES,
  data: listingSchema,
  rows: 'entries',
  rowLink: '/api/indexes/{index_id}/nodes/{node_id}',
  aliases: { dir: 'path', directory: 'path', session_id: 'shell', sort_by: 'sort' },
  http: 'GET /api/cd',
  command: {
    words: 'disk cd',
    positional: ['path'],
    examples: ['pinhole disk cd /var/log', 'pinhole disk cd . --sort modified'],
  },

  async run(input, ctx) {
    const { folder, from } = await targetFolder(input.path, input.shell, ctx);
    const known = await currentFolder(folder, ctx);
    const live = known?.fresh ? undefined : await readFolder(folder, ctx.signal);
    // Only now, so that a shell is never in a folder that cannot be read.
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
      rows: rowsOf(folder, listed, { known, limit, sort, disk: ctx.disk, zone: ctx.zone }),
      position: ({ item }) => [folder, ...itemKey(item, sort, known?.open.tree)],
      limit,
      total: listed.entries,
      shape: (rows, more) => ({
        cwd: folder,
        breadcrumb: known && breadcrumbOf(known),
        shell: shell.shell,
        index_id: known && indexHandle(known.open.row.id),
        indexed: known !== undefined,
        scanned: known && freshnessText(known.open.freshAt(known.row), ctx.now()),
        changed: known && !known.fresh && !known.cut ? true : undefined,
        unreadable: known && live === undefined && isUnreadable(known) ? true : undefined,
        total: known && folderTotal(known, listed),
        before: listed.before.entries > 0 ? shownPart(listed.before) : undefined,
        entries: rows.map(({ item, ...entry }) => entry),
        rest: more ? shownPart(restOf(listed, rows)) : undefined,
      }),
      links: known
        ? {
            entry: ctx.url(`/disk/${indexHandle(known.open.row.id)}/{node_id}`),
            listing: ctx.url(
              `/api/indexes/${indexHandle(known.open.row.id)}/tree?parent=${nodeHandle(uint32At(known.open.tree.id, known.row))}`,
            ),
          }
        : { self: ctx.url(pageLinks.path(folder)) },
    });
  },

  text(data, { units, paint }) {
    const total = data.total ? `${folderTotalText(data.total, units)}  ` : '';
    const count = data.entries.length + (data.before?.entries ?? 0) + (data.rest?.entries ?? 0);
    const head = `${oneLine(data.cwd)}  ${total}${countOf(count, 'entry', 'entries')}  ${[data.index_id, data.shell].filter(Boolean).join(' ')}`;
    const doubt = !data.indexed
      ? '  (not indexed: sizes of folders unknown)'
      : data.changed
        ? `  (totals as of the scan, ${data.scanned})`
        : '';
    const rows = data.entries.map((entry) => [
      ...(data.indexed ? [paint('aside', entry.node_id ?? '')] : []),
      entry.kind === 'dir' ? 'd' : entry.kind === 'symlink' ? 'l' : 'f',
      entry.size === undefined ? '' : paint('size', sizeText(entry.size, units)),
      entry.counts ? countOf(entry.counts.files, 'file') : '',
      entryName(entry),
      entry.modified_at,
    ]);
    const right = data.indexed ? [2, 3] : [1, 2];
    const rest =
      data.rest?.size === undefined
        ? ''
        : `\n${countText(data.rest.entries)} more, ${sizeText(data.rest.size, units)}`;
    const none = data.unreadable ? '(the system denied access)' : '(empty)';
    return `${head}${doubt}\n${data.entries.length === 0 ? none : columns(rows, right)}${rest}`;
  },
});

function entryName({ name, kind, target, broken, entries }: Entry): string {
  const lead = target === undefined ? '' : ` -> ${oneLine(target)}${broken ? ' (broken)' : ''}`;
  const count = entries === undefined ? '' : `  ${countOf(entries, 'entry', 'entries')}`;
  return `${oneLine(name)}${kind === 'dir' ? '/' : ''}${lead}${count}`;
}

/** How long a call waits for a rescan. */
const REFRESH_MS = 3_000;

/** The folder as the index knows it; if something in it has changed since the scan, after a rescan. */
async function currentFolder(folder: string, { disk, signal, after }: DiskContext) {
  const known = await knownFolder(folder, disk);
  // Pages of one list are from one scan.
  if (known === undefined || known.fresh || known.cut || after !== undefined) return known;
  disk.indexes.suspect(known.open, known.row);
  const open = await disk.indexes.open(indexHandle(known.open.row.id));
  await disk.indexes.refreshed(open, REFRESH_MS, false, signal);
  return knownFolder(folder, disk);
}

/** The folder to list, and the shell from which the path starts. A cursor includes its folder. */
async function targetFolder(
  path: string,
  handle: string | undefined,
  ctx: DiskContext,
): Promise<{ folder: string; from: Shell | undefined }> {
  const { shells, caller, roots, after } = ctx;
  const from = handle === undefined ? await shells.ofCaller(caller.id) : await visibleShell(ctx, handle);
  const wanted = Array.isArray(after) ? String(after[0]) : path;
  const absolute = absolutePath(wanted, from?.cwd ?? caller.cwd);
  const folder = await roots
    .resolve(absolute)
    .catch((error: unknown) => failInvalidUtf8(error, absolute, ctx.disk));
  return { folder, from };
}

interface RowsFrom {
  readonly known: KnownFolder | undefined;
  readonly limit: number;
  readonly sort: Sort;
  readonly disk: Disk;
  readonly zone: string;
}

/** Rows for the entries that are shown. Files are read from the disk, because writing to one does not change its folder. */
async function* rowsOf(
  folder: string,
  { items }: FolderPage,
  { known, limit, sort, disk, zone }: RowsFrom,
): AsyncGenerator<Row> {
  const tree = known?.open.tree;
  const current = known?.fresh
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
    const seen = current[i];
    const size = seen && capped(seen.size);
    const differs = size !== undefined && size !== item.size;
    if (differs && known) disk.indexes.suspect(known.open, known.row);
    yield {
      node_id: indexed ? nodeHandle(uint32At(tree.id, row)) : undefined,
      name,
      kind,
      size: size ?? item.size,
      was: differs ? item.size : undefined,
      disk_size: indexed ? sparseDisk(tree, row) : undefined,
      counts,
      entries: sort === 'entries' && indexed && kind === 'dir' ? directEntries(tree, row) : undefined,
      ...(kind === 'symlink' ? await linkAt(folder, name) : {}),
      modified_at: localDay(seen?.mtimeMs ?? item.modified, zone),
      item,
    };
  }
}

/** Without an index folders have no size, and neither has a part that includes some. */
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
