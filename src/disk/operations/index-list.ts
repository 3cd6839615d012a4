import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { agoText, columns, countOf, sizeText } from '../../contract/format.ts';
import { operation, page, single } from '../../contract/operation.ts';
import { handleNumber, indexHandle } from '../handles.ts';
import { mayReadIndex, mayReadSome, visibleSpans } from '../indexes/index-access.ts';
import type { IndexRow } from '../indexes/index-rows.ts';
import type { ErrorCounts } from '../scan/node-kinds.ts';
import { selectionTotal } from '../tree/row-spans.ts';
import { pathOf } from '../tree/tree-nodes.ts';
import type { DiskContext, DiskServices } from './choose.ts';
import { visibleIndex } from './kept.ts';

type Context = Pick<DiskContext, 'disk' | 'roots'>;

type Status = 'ready' | 'scanning' | 'not_scanned';

interface IndexCard {
  readonly index_id: string;
  readonly root: string;
  /** True: the index holds more than may be read here; root and totals are of what may. */
  readonly partial?: boolean | undefined;
  /** All roots of what may be read, where there are several. */
  readonly parts?: readonly string[] | undefined;
  /** True: it came from another program or machine; its files are not here. */
  readonly imported?: boolean | undefined;
  /** Down to which depth files and folders are known; sizes are of everything. */
  readonly depth_limit?: number | undefined;
  /** `not_scanned`: its only scan was cancelled or failed. */
  readonly status: Status;
  readonly generation: number;
  readonly scanned_at?: string | undefined;
  readonly files: number;
  readonly dirs: number;
  readonly size: number;
  readonly disk_size: number;
  readonly errors?: ErrorCounts | undefined;
  /** Files whose content was not looked at again by the last rescan, and when all were. */
  readonly files_not_rechecked?: number | undefined;
  readonly verified_at?: string | undefined;
}

/** A card of the part of an index that the caller may read; undefined where there is none. */
async function visibleCard({ disk, roots }: Context, row: IndexRow): Promise<IndexCard | undefined> {
  if (mayReadIndex(row, roots)) return indexCard(row, await statusOf(disk, row));
  if (row.generation === 0) return undefined;
  const { tree } = await disk.indexes.open(indexHandle(row.id));
  const spans = visibleSpans(tree, roots);
  const [first] = spans;
  if (first === undefined) return undefined;
  const { files, dirs, size, disk_size } = selectionTotal(tree, spans);
  return {
    ...indexCard(row, 'ready'),
    root: pathOf(tree, first.from),
    parts: spans.length > 1 ? spans.map(({ from }) => pathOf(tree, from)) : undefined,
    partial: true,
    files,
    dirs,
    size,
    disk_size,
    errors: undefined,
    files_not_rechecked: undefined,
  };
}

async function statusOf({ indexes }: Context['disk'], row: IndexRow): Promise<Status> {
  if (row.generation > 0) return 'ready';
  return (await indexes.scanOf(row)) === undefined ? 'not_scanned' : 'scanning';
}

function indexCard(row: IndexRow, status: Status): IndexCard {
  const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
  return {
    index_id: indexHandle(row.id),
    root: row.root,
    imported: row.options.imported === true ? true : undefined,
    depth_limit: row.options.depthLimit,
    status,
    generation: row.generation,
    scanned_at: iso(row.scannedAt),
    files: row.files,
    dirs: row.dirs,
    size: row.size,
    disk_size: row.diskSize,
    errors: Object.keys(row.errors).length > 0 ? row.errors : undefined,
    files_not_rechecked: row.filesUnchecked > 0 ? row.filesUnchecked : undefined,
    verified_at: iso(row.verifiedAt),
  };
}

function depthText({ depth_limit }: IndexCard): string {
  return depth_limit === undefined ? '' : `  (to depth ${depth_limit})`;
}

export const indexListInput = z.strictObject({});

export const indexList = operation<DiskServices>()({
  name: 'disk_indexes',
  toolset: undefined,
  readOnly: true,
  summary: 'Folders whose sizes are indexed.',
  input: indexListInput,
  limit: { default: 50, max: 200 },
  rows: 'indexes',
  columns: [
    'index_id',
    'root',
    'status',
    'generation',
    'scanned_at',
    'files',
    'dirs',
    'size',
    'disk_size',
    'errors',
    'files_not_rechecked',
    'verified_at',
    'partial',
    'parts',
    'imported',
    'depth_limit',
  ],
  http: 'GET /api/indexes',
  command: { words: 'disk indexes', examples: ['pinhole disk indexes'] },

  async run(_input, ctx) {
    const last = typeof ctx.after === 'number' ? ctx.after : 0;
    const rows = (await ctx.disk.indexes.list()).filter(
      (row) => row.id > last && mayReadSome(row, ctx.roots),
    );
    async function* cards() {
      for (const row of rows) {
        const card = await visibleCard(ctx, row);
        if (card !== undefined) yield card;
      }
    }
    return page<IndexCard, { indexes: readonly IndexCard[] }>({
      rows: cards(),
      position: (card) => handleNumber('i', card.index_id),
      shape: (indexes) => ({ indexes }),
    });
  },

  text: ({ indexes }, { units, now }) =>
    indexes.length === 0
      ? 'No folder is indexed yet; pinhole index PATH does it.'
      : columns(
          indexes.map((card) => [
            card.index_id,
            sizeText(card.disk_size, units),
            countOf(card.files, 'file'),
            card.scanned_at === undefined
              ? card.status.replace('_', ' ')
              : agoText(Date.parse(card.scanned_at), now),
            oneLine(card.root) + (card.imported ? '  (imported)' : '') + depthText(card),
          ]),
          [1, 2],
        ),
});

export const indexGet = operation<DiskServices>()({
  name: 'disk_index',
  toolset: undefined,
  readOnly: true,
  summary: 'One index: its root, totals, age and errors.',
  input: z.strictObject({ index_id: z.string().max(20) }),
  http: 'GET /api/indexes/{index_id}',

  async run({ index_id }, ctx) {
    const card = await visibleCard(ctx, await visibleIndex(ctx, index_id));
    if (card === undefined) fail('index_not_found', `There is no index '${index_id}' here.`);
    return single(card);
  },

  text: (card, { units }) =>
    `${card.index_id} ${oneLine(card.root)}  ${sizeText(card.disk_size, units)} on disk  ${countOf(card.files, 'file')}, ${countOf(card.dirs, 'folder')}`,
});

export const indexDelete = operation<DiskServices>()({
  name: 'disk_index_delete',
  toolset: undefined,
  readOnly: false,
  summary: 'Drop an index. Files are not touched; it can be made again.',
  input: z.strictObject({ index_id: z.string().max(20) }),
  http: 'DELETE /api/indexes/{index_id}',
  command: {
    words: 'disk index delete',
    positional: ['index_id'],
    examples: ['pinhole disk index delete i3'],
  },

  async run({ index_id }, ctx) {
    if (!mayReadIndex(await visibleIndex(ctx, index_id), ctx.roots))
      fail(
        'path_not_allowed',
        `${index_id} holds more than may be read here. A person runs: pinhole allow PATH`,
      );
    await ctx.disk.indexes.remove(index_id);
    return single({ index_id, deleted: true });
  },

  text: ({ index_id }) => `${index_id} is dropped.`,
});
