import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { roomy } from '../../contract/caller.ts';
import { countText, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { nodeHandle } from '../handles.ts';
import { ageOf } from '../indexes/freshness.ts';
import type { DuplicateGroup } from '../reports/find-duplicates.ts';
import { sumSizes } from '../sizes.ts';
import { diskOf, pathOf } from '../tree/tree-nodes.ts';
import type { DiskServices } from './choose.ts';
import { explained, reportInput, reportScope } from './report-input.ts';

interface EqualFiles {
  readonly digest: string;
  readonly size: number;
  readonly count: number;
  /** Allocated bytes that all but one of them take. */
  readonly wasted: number;
  readonly files: readonly { readonly node_id: string; readonly path: string }[];
}

/** One file of a group with what is said of the group: a line of a table. */
interface EqualFile extends Omit<EqualFiles, 'files'> {
  readonly path: string;
  readonly node_id: string;
}

interface Duplicates {
  readonly groups?: readonly EqualFiles[];
  /** Instead of groups: for tables, and for one group. */
  readonly files?: readonly EqualFile[];
  readonly wasted: number;
}

const FILES_SHOWN = 10;
/** For pages; `group` gives all of one. */
const FILES_ROOMY = 100;

export const reportDuplicates = operation<DiskServices>()({
  name: 'disk_duplicates',
  toolset: undefined,
  readOnly: true,
  summary: 'Files of equal content below a folder, most wasted space first.',
  input: z.strictObject({
    index_id: reportInput.index_id,
    under: reportInput.under,
    filter: reportInput.filter,
    min_size: z.int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    group: z
      .string()
      .regex(/^[0-9a-f]{16}$/, 'group must be the digest of a group, 16 characters')
      .optional(),
  }),
  limit: { default: 20, max: 500 },
  rows: ['groups', 'files'],
  columns: ['digest', 'size', 'count', 'wasted', 'path', 'node_id'],
  explains: true,
  aliases: { path: 'under', parent: 'under' },
  http: 'GET /api/indexes/{index_id}/reports/duplicates',
  command: { words: 'disk dup', positional: ['under'], examples: ['pinhole disk dup ~ --min-size 1000000'] },

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const { tree } = scope;
    const found = await ctx.disk.reports.duplicates(scope.open, scope, input.min_size, ctx.signal);
    const wasteOf = ({ rows }: DuplicateGroup) => sumSizes(rows.slice(1), (row) => diskOf(tree, row));
    const { test } = scope;
    // Equal files are found once for all; a filter leaves those groups in which still two of them pass.
    const passing = test
      ? found.groups
          .map((group) => ({ ...group, rows: group.rows.filter((row) => test(row)) }))
          .filter(({ rows }) => rows.length > 1)
      : found.groups;
    const groups = passing
      .map((group) => ({ group, wasted: wasteOf(group) }))
      .sort((a, b) => b.wasted - a.wasted || (a.group.rows[0] ?? 0) - (b.group.rows[0] ?? 0));
    const wasted = sumSizes(groups, (group) => group.wasted);
    const fileAt = (row: number) => ({ path: pathOf(tree, row), node_id: nodeHandle(tree.id[row] ?? 0) });
    const most = roomy(ctx.caller) ? FILES_ROOMY : FILES_SHOWN;
    const headOf = ({ digest, size, rows }: DuplicateGroup, wasted: number) => ({
      digest: digest.slice(0, 16),
      size,
      count: rows.length,
      wasted,
    });
    const common = {
      keep: {},
      meta: {
        ...ageOf(scope.open, ctx.now()),
        ...(found.truncated ? { truncated: true } : {}),
        files_hashed: found.filesHashed,
        bytes_read: found.bytesRead,
        ...(found.unreadable > 0 ? { unreadable: found.unreadable } : {}),
      },
      explain: () => explained(scope, 'equal size, then equal first 4 KiB, then equal SHA-256', started),
    };
    const { group: wanted } = input;
    if (ctx.caller.flat || wanted !== undefined)
      return page<EqualFile, Duplicates>({
        rows: groups
          .filter(({ group }) => wanted === undefined || group.digest.startsWith(wanted))
          .flatMap(({ group, wasted }) =>
            group.rows.map((row) => ({ ...headOf(group, wasted), ...fileAt(row) })),
          ),
        position: ({ node_id }) => node_id,
        shape: (files) => ({ files, wasted }),
        ...common,
      });
    return page<EqualFiles, Duplicates>({
      rows: groups.map(({ group, wasted }) => ({
        ...headOf(group, wasted),
        files: group.rows.slice(0, most).map(fileAt),
      })),
      position: ({ digest }) => digest,
      shape: (shown) => ({ groups: shown, wasted }),
      ...common,
    });
  },

  text({ groups = [], files, wasted }, { units }) {
    if (files !== undefined)
      return files.map(({ node_id, path }) => `${node_id} ${oneLine(path)}`).join('\n');
    if (groups.length === 0) return 'No equal files.';
    const lines = groups.flatMap((group) => [
      `${sizeText(group.wasted, units)} wasted: ${countText(group.count)} × ${sizeText(group.size, units)}  ${group.digest}`,
      ...group.files.map(({ node_id, path }) => `  ${node_id} ${oneLine(path)}`),
    ]);
    return [`${sizeText(wasted, units)} wasted in all`, ...lines].join('\n');
  },
});
