import { z } from 'zod';
import { float64At, uint32At } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { localDay } from '../../contract/zone.ts';
import { countsBelow, type Item, indexedPage, itemKey, type Key } from '../browse/folder-page.ts';
import { SORTS } from '../browse/shells.ts';
import { callInspect } from '../calls.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { filteredTotals } from '../reports/filtered-totals.ts';
import { totalDisk } from '../reports/node-rows.ts';
import type { DiskServices } from '../services.ts';
import { folderAt } from '../tree/tree-nodes.ts';
import { counts, disk_size, kind, size } from './data-fields.ts';
import { filter, index_id, node_id } from './input-fields.ts';
import { explainReport, reportScope } from './report-scope.ts';

const treeSchema = z.object({
  node_id: z.string(),
  total_size: z.int(),
  total_disk_size: z.int(),
  total_files: z.int(),
  entries: z.array(
    z.object({
      node_id: z.string(),
      name: z.string(),
      kind,
      size,
      disk_size,
      counts: counts.describe('below a folder; with a filter, only the files that pass it'),
      modified_at: z.string(),
      link: z.string(),
    }),
  ),
});

type TreeListing = ReadonlyData<typeof treeSchema>;
type TreeEntry = TreeListing['entries'][number];

export const diskTree = operation<DiskServices>()({
  name: 'disk_tree',
  toolset: undefined,
  readOnly: true,
  summary: 'The entries of a folder as the index has them, for long listings.',
  input: z.strictObject({
    index_id,
    parent: node_id.optional().describe('list the entries of this folder, e.g. n4f2 (default: the root)'),
    filter,
    sort: z.enum(SORTS).default('size').describe('order of the entries'),
  }),
  limit: { default: 50, max: 1000 },
  data: treeSchema,
  rows: 'entries',
  explains: true,
  http: 'GET /api/indexes/{index_id}/tree',

  async run({ index_id, parent, sort, filter }, ctx) {
    const started = performance.now();
    const scope = await reportScope({ index_id, under: parent, filter }, ctx);
    const { tree, from: at } = scope;
    const folder = folderAt(tree, at);
    if (folder < 0)
      fail('invalid_parameter', `${parent} is not a folder.`, {
        next: callInspect({ index_id, node_id: nodeHandle(uint32At(tree.id, at)) }),
      });
    const after: Key | undefined = Array.isArray(ctx.after)
      ? [Number(ctx.after[0]), String(ctx.after[1])]
      : undefined;
    const filtered = scope.test && (await filteredTotals(scope));
    const listed = indexedPage(tree, folder, sort, after, ctx.limit, filtered);
    const toEntry = (item: Item): TreeEntry => {
      const row = item.row ?? 0;
      const handle = nodeHandle(uint32At(tree.id, row));
      const sub = folderAt(tree, row);
      return {
        node_id: handle,
        name: item.name,
        kind: item.kind,
        size: item.size ?? 0,
        disk_size: filtered && sub >= 0 ? float64At(filtered.disk, sub) : totalDisk(tree, row),
        counts: filtered && sub >= 0 ? { files: uint32At(filtered.files, sub) } : countsBelow(tree, row),
        modified_at: localDay(item.modified, ctx.zone),
        link: ctx.url(`/api/indexes/${indexHandle(scope.open.row.id)}/nodes/${handle}`),
      };
    };
    return page<TreeEntry & { item: Item }, TreeListing>({
      rows: listed.items.map((item) => ({ ...toEntry(item), item })),
      position: ({ item }) => [...itemKey(item, sort)],
      total: listed.entries,
      shape: (rows) => ({
        node_id: nodeHandle(uint32At(tree.id, at)),
        total_size: float64At(filtered?.size ?? tree.dirSize, folder),
        total_disk_size: float64At(filtered?.disk ?? tree.dirDisk, folder),
        total_files: uint32At(filtered?.files ?? tree.dirAllFiles, folder),
        entries: rows.map(({ item, ...entry }) => entry),
      }),
      explain: () => explainReport(scope, `the entries of one folder by ${sort}`, started),
    });
  },

  text: ({ entries }, { units, paint }) =>
    entries.length === 0
      ? '(empty)'
      : columns(
          entries.map((entry) => [
            paint('aside', entry.node_id),
            paint('size', sizeText(entry.disk_size, units)),
            oneLine(entry.name) + (entry.kind === 'dir' ? '/' : ''),
          ]),
          [1],
        ),
});
