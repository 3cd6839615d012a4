import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { operation, page } from '../../contract/operation.ts';
import { columns, dayText, sizeText } from '../../contract/people.ts';
import { visibleRow, visibleSpan } from '../access.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { countsBelow, type Item, indexedPage, itemKey, type Key } from '../listing.ts';
import { totalDisk } from '../rows.ts';
import { SORTS } from '../shells.ts';
import { folderAt } from '../tree/nodes.ts';
import type { DiskServices } from './choose.ts';

interface TreeEntry {
  readonly node_id: string;
  readonly name: string;
  readonly kind: Item['kind'];
  readonly size: number;
  readonly disk_size: number;
  readonly counts?: { readonly files: number; readonly dirs: number } | undefined;
  readonly modified_at: string;
  readonly link: string;
}

export const indexTree = operation<DiskServices>()({
  name: 'disk_tree',
  toolset: undefined,
  readOnly: true,
  summary: 'The entries of a folder as the index has them, for long listings.',
  input: z.strictObject({
    index_id: z.string().max(20),
    parent: z.string().max(20).optional(),
    sort: z.enum(SORTS).default('size'),
  }),
  limit: { default: 50, max: 1000 },
  http: 'GET /api/indexes/{index_id}/tree',

  async run({ index_id, parent, sort }, ctx) {
    const { tree, row } = await ctx.disk.indexes.open(index_id);
    const at = parent === undefined ? visibleSpan(tree, ctx.roots).from : visibleRow(tree, parent, ctx.roots);
    const folder = folderAt(tree, at);
    if (folder < 0) fail('invalid_parameter', `${parent} is not a folder.`);
    const after: Key | undefined = Array.isArray(ctx.after)
      ? [Number(ctx.after[0]), String(ctx.after[1])]
      : undefined;
    const listed = indexedPage(tree, folder, sort, after, ctx.limit);
    const toEntry = (item: Item): TreeEntry => {
      const each = item.row ?? 0;
      const handle = nodeHandle(tree.id[each] ?? 0);
      return {
        node_id: handle,
        name: item.name,
        kind: item.kind,
        size: item.size ?? 0,
        disk_size: totalDisk(tree, each),
        counts: countsBelow(tree, each),
        modified_at: dayText(item.modified),
        link: ctx.url(`/api/indexes/${indexHandle(row.id)}/nodes/${handle}`),
      };
    };
    return page<
      TreeEntry & { item: Item },
      { node_id: string; entries: readonly TreeEntry[]; total_size: number }
    >({
      rows: listed.items.map((item) => ({ ...toEntry(item), item })),
      position: ({ item }) => [...itemKey(item, sort)],
      total: listed.entries,
      shape: (rows) => ({
        node_id: nodeHandle(tree.id[at] ?? 0),
        total_size: tree.dirSize[folder] ?? 0,
        entries: rows.map(({ item, ...entry }) => entry),
      }),
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
