import { z } from 'zod';
import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { bar } from '../../contract/bar.ts';
import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { columns, countOf, countText, sizeText } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { callInspect } from '../calls.ts';
import { indexHandle, nodeHandle } from '../handles.ts';
import { freshnessText } from '../indexes/freshness.ts';
import { filteredTotals } from '../reports/filtered-totals.ts';
import { type NodeRow, nodeRow, totalDisk, totalSize } from '../reports/node-rows.ts';
import { isDir } from '../scan/node-kinds.ts';
import type { DiskServices } from '../services.ts';
import { sharedSize, sumSizes } from '../sizes.ts';
import { childRows, diskOf, folderAt, nameOf, pathOf } from '../tree/tree-nodes.ts';
import { depth_limit, dirs, disk_size, errors, files, size } from './data-fields.ts';
import { explainReport, reportInput, reportScope } from './report-scope.ts';

/** The disk sizes of `largest`, `rest` and `own` add up to that of the folder plus `shared`. */
const summarySchema = z.object({
  path: z.string(),
  index_id: z.string(),
  scanned: z.string(),
  size,
  disk_size,
  files,
  dirs,
  depth_limit,
  largest: z.array(z.object({ node_id: z.string(), name: z.string(), disk_size })),
  rest: z.object({ entries: z.int(), disk_size }).optional(),
  own: z.int().optional().describe('bytes that the folder itself takes'),
  shared: z.int().optional().describe('bytes in several entries (hard links) that count once in the total'),
  errors,
});

type Summary = ReadonlyData<typeof summarySchema>;

const MAX_LISTED_ENTRIES = 15;

const BAR_WIDTH = 20;

export const diskSummary = operation<DiskServices>()({
  name: 'disk_summary',
  toolset: undefined,
  readOnly: true,
  summary: 'What takes the space in a folder, at a glance.',
  input: z.strictObject(reportInput),
  data: summarySchema,
  aliases: { path: 'under' },
  explains: true,
  rows: 'largest',
  http: 'GET /api/indexes/{index_id}/summary',
  command: { words: 'disk', positional: ['under'], examples: ['pinhole disk', 'pinhole disk /var'] },

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const { tree, open } = scope;
    const index_id = indexHandle(open.row.id);
    const folder = folderAt(tree, scope.from);
    if (folder < 0) failNotFolder(nodeRow(tree, scope.from, ctx.zone), index_id);
    const filtered = scope.test && (await filteredTotals(scope));
    const diskAt = (row: number) => {
      const sub = folderAt(tree, row);
      return filtered === undefined || sub < 0 ? totalDisk(tree, row) : float64At(filtered.disk, sub);
    };
    const children = [...childRows(tree, folder)].filter(
      (row) => filtered === undefined || filtered.has(row),
    );
    const top = [...children]
      .sort((a, b) => diskAt(b) - diskAt(a) || totalSize(tree, b) - totalSize(tree, a) || a - b)
      .slice(0, MAX_LISTED_ENTRIES);
    const disk = float64At(filtered?.disk ?? tree.dirDisk, folder);
    const sum = (rows: readonly number[]) => sumSizes(rows, diskAt);
    const own = filtered === undefined ? diskOf(tree, uint32At(tree.dirRow, folder)) : 0;
    const entries = sum(children);
    const data: Summary = {
      path: pathOf(tree, uint32At(tree.dirRow, folder)),
      index_id,
      scanned: freshnessText(open.freshAt(scope.from), ctx.now()),
      size: float64At(filtered?.size ?? tree.dirSize, folder),
      disk_size: disk,
      files: uint32At(filtered?.files ?? tree.dirAllFiles, folder),
      dirs: uint32At(tree.dirDirs, folder),
      depth_limit: tree.meta.options.depthLimit,
      largest: top.map((row) => ({
        node_id: nodeHandle(uint32At(tree.id, row)),
        name: nameOf(tree, row) + (isDir(uint8At(tree.kind, row)) ? '/' : ''),
        disk_size: diskAt(row),
      })),
      rest:
        children.length > top.length
          ? { entries: children.length - top.length, disk_size: entries - sum(top) }
          : undefined,
      own: own > 0 ? own : undefined,
      shared: sharedSize(entries + own, disk),
      errors: uint32At(tree.dirErrors, folder) > 0 ? tree.meta.errors : undefined,
    };
    return single(data, {
      explain: () => explainReport(scope, 'the entries of one folder by disk_size', started),
    });
  },

  text(data, { units, terminal, paint }) {
    const { disk_size, largest, rest, shared, errors } = data;
    const most = Math.max(1, largest[0]?.disk_size ?? 0);
    const row = (id: string, name: string, bytes: number) => [
      paint('aside', id),
      paint('size', sizeText(bytes, units)),
      `${Math.round((100 * bytes) / Math.max(1, disk_size))} %`,
      ...(terminal ? [paint('bar', bar(bytes / most, BAR_WIDTH, terminal))] : []),
      name,
    ];
    const rows = largest.map((each) => row(each.node_id, oneLine(each.name), each.disk_size));
    if (rest) rows.push(row('...', `${countText(rest.entries)} more`, rest.disk_size));
    const failed = Object.entries(errors ?? {}).map(([kind, count]) => `${count} ${kind}`);
    return [
      `${oneLine(data.path)}  ${paint('size', sizeText(disk_size, units))} on disk, ${sizeText(data.size, units)} in ${countOf(data.files, 'file')}, ${countOf(data.dirs, 'folder')}${data.depth_limit === undefined ? '' : ` (to depth ${data.depth_limit})`}  (${data.index_id}, scanned ${data.scanned})`,
      columns(rows, [1, 2]),
      ...(shared === undefined
        ? []
        : [`${sizeText(shared, units)} is in several of these (hard links) and counts once`]),
      ...(failed.length > 0 ? [`could not read: ${failed.join(', ')}`] : []),
    ].join('\n');
  },
});

function failNotFolder({ node_id, path, kind, size, disk_size }: NodeRow, index_id: string): never {
  fail(
    'invalid_parameter',
    `'${path}' is a ${kind === 'other' ? 'special file' : kind} (${sizeText(size)}, ${sizeText(disk_size)} on disk), not a folder.`,
    { next: callInspect({ node_id, index_id }) },
  );
}
