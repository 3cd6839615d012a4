import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { columns, dayText, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { countsBelow, type Item, indexedPage, itemKey, type Key } from '../browse/folder-page.ts';
import { SORTS } from '../browse/shells.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { filteredTotals } from '../reports/filtered-totals.ts';
import { totalDisk } from '../reports/node-rows.ts';
import { folderAt } from '../tree/tree-nodes.ts';
import type { DiskServices } from './choose.ts';
import { explained, reportScope } from './report-input.ts';

interface TreeEntry {
  readonly node_id: string;
  readonly name: string;
  readonly kind: Item['kind'];
  readonly size: number;
  readonly disk_size: number;
  /** Below a folder; with a filter the files that pass it, and so are the sizes. */
  readonly counts?: { readonly files: number; readonly dirs?: number | undefined } | undefined;
  readonly modified_at: string;
  readonly link: string;
}

interface TreeListing {
  readonly node_id: string;
  readonly total_size: number;
  readonly total_disk_size: number;
  readonly total_files: number;
  readonly entries: readonly TreeEntry[];
}

export const indexTree = operation<DiskServices>()({
  name: 'disk_tree',
  toolset: undefined,
  readOnly: true,
  summary: 'The entries of a folder as the index has them, for long listings.',
  input: z.strictObject({
    index_id: z.string().max(20),
    parent: z.string().max(20).optional(),
    filter: z.unknown().optional(),
    sort: z.enum(SORTS).default('size'),
  }),
  limit: { default: 50, max: 1000 },
  rows: 'entries',
  columns: ['node_id', 'name', 'kind', 'size', 'disk_size', 'counts', 'modified_at', 'link'],
  explains: true,
  http: 'GET /api/indexes/{index_id}/tree',

  async run({ index_id, parent, sort, filter }, ctx) {
    const started = performance.now();
    const scope = await reportScope({ index_id, under: parent, filter }, ctx);
    const { tree, from: at } = scope;
    const { row } = scope.open;
    const folder = folderAt(tree, at);
    if (folder < 0) fail('invalid_parameter', `${parent} is not a folder.`);
    const after: Key | undefined = Array.isArray(ctx.after)
      ? [Number(ctx.after[0]), String(ctx.after[1])]
      : undefined;
    const filtered = scope.test && (await filteredTotals(scope));
    const listed = indexedPage(tree, folder, sort, after, ctx.limit, filtered);
    const toEntry = (item: Item): TreeEntry => {
      const each = item.row ?? 0;
      const handle = nodeHandle(tree.id[each] ?? 0);
      const sub = filtered === undefined ? -1 : folderAt(tree, each);
      return {
        node_id: handle,
        name: item.name,
        kind: item.kind,
        size: item.size ?? 0,
        disk_size: filtered && sub >= 0 ? (filtered.disk[sub] ?? 0) : totalDisk(tree, each),
        counts: filtered && sub >= 0 ? { files: filtered.files[sub] ?? 0 } : countsBelow(tree, each),
        modified_at: dayText(item.modified),
        link: ctx.url(`/api/indexes/${indexHandle(row.id)}/nodes/${handle}`),
      };
    };
    return page<TreeEntry & { item: Item }, TreeListing>({
      rows: listed.items.map((item) => ({ ...toEntry(item), item })),
      position: ({ item }) => [...itemKey(item, sort)],
      total: listed.entries,
      shape: (rows) => ({
        node_id: nodeHandle(tree.id[at] ?? 0),
        total_size: (filtered?.size ?? tree.dirSize)[folder] ?? 0,
        total_disk_size: (filtered?.disk ?? tree.dirDisk)[folder] ?? 0,
        total_files: (filtered?.files ?? tree.dirAllFiles)[folder] ?? 0,
        entries: rows.map(({ item, ...entry }) => entry),
      }),
      explain: () => explained(scope, `the entries of one folder by ${sort}`, started),
    });
  },

  text: ({ entries }, { units }) =>
    entries.length === 0
      ? '(empty)'
      : columns(
          entries.map((entry) => [
            entry.node_id,
            sizeText(entry.disk_size, units),
            oneLine(entry.name) + (entry.kind === 'dir' ? '/' : ''),
          ]),
          [1],
        ),
});
