import { z } from 'zod';
import { at, uint32At } from '../../contract/at.ts';
import { oneLine } from '../../contract/bytes.ts';
import { roomy } from '../../contract/caller.ts';
import { countText, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { nodeHandle } from '../handles.ts';
import { ageOf } from '../indexes/freshness.ts';
import type { DuplicateGroup } from '../reports/find-duplicates.ts';
import { DUPLICATES_MIN_SIZE } from '../reports/reports.ts';
import type { DiskServices } from '../services.ts';
import { sumSizes } from '../sizes.ts';
import { diskOf, pathOf } from '../tree/tree-nodes.ts';
import { size } from './data-fields.ts';
import { explainReport, reportInput, reportScope } from './report-scope.ts';

const groupFields = {
  digest: z.string().describe('first 16 characters of the SHA-256'),
  size,
  count: z.int(),
  wasted: z.int().describe('bytes on the disk that all copies but one take'),
};
const fileFields = { path: z.string(), node_id: z.string() };

const duplicatesSchema = z.object({
  groups: z.array(z.object({ ...groupFields, files: z.array(z.object(fileFields)) })).optional(),
  files: z
    .array(z.object({ ...groupFields, ...fileFields }))
    .optional()
    .describe('instead of groups, in tables and for one group: one row per file'),
  wasted: z.int().describe('bytes on the disk that could be freed, in all groups'),
  min_size: z.int().describe('smaller files were not compared'),
});

type Duplicates = ReadonlyData<typeof duplicatesSchema>;
type EqualFiles = NonNullable<Duplicates['groups']>[number];
type EqualFile = NonNullable<Duplicates['files']>[number];

const MAX_GROUP_FILES = 10;
/** For callers with room; `group` returns all files of one group. */
const MAX_GROUP_FILES_ROOMY = 100;

export const diskDuplicates = operation<DiskServices>()({
  name: 'disk_duplicates',
  toolset: undefined,
  readOnly: true,
  summary: 'Files with equal content below a folder, most wasted space first.',
  input: z.strictObject({
    ...reportInput,
    min_size: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('ignore files smaller than this many bytes'),
    group: z
      .string()
      .regex(/^[0-9a-f]{16}$/, 'group must be the digest of a group, 16 characters')
      .optional()
      .describe('list all files of the group with this digest'),
  }),
  limit: { default: 20, max: 500 },
  data: duplicatesSchema,
  rows: ['groups', 'files'],
  explains: true,
  aliases: { path: 'under', parent: 'under' },
  http: 'GET /api/indexes/{index_id}/reports/duplicates',
  command: { words: 'disk dup', positional: ['under'], examples: ['pinhole disk dup ~ --min-size 1000000'] },

  async run(input, ctx) {
    const started = performance.now();
    const scope = await reportScope(input, ctx);
    const { tree, test } = scope;
    const min_size = input.min_size ?? DUPLICATES_MIN_SIZE;
    const found = await ctx.disk.reports.duplicates(scope.open, scope, min_size, ctx.signal);
    const wasteOf = ({ rows }: DuplicateGroup) => sumSizes(rows.slice(1), (row) => diskOf(tree, row));
    // Duplicates are found once for all filters; a filter keeps the groups in which at least two files pass.
    const passing = test
      ? found.groups
          .map((group) => ({ ...group, rows: group.rows.filter((row) => test(row)) }))
          .filter(({ rows }) => rows.length > 1)
      : found.groups;
    const groups = passing
      .map((group) => ({ group, wasted: wasteOf(group) }))
      .sort((a, b) => b.wasted - a.wasted || at(a.group.rows, 0) - at(b.group.rows, 0));
    const wasted = sumSizes(groups, (group) => group.wasted);
    const fileAt = (row: number) => ({
      path: pathOf(tree, row),
      node_id: nodeHandle(uint32At(tree.id, row)),
    });
    const maxFiles = roomy(ctx.caller) ? MAX_GROUP_FILES_ROOMY : MAX_GROUP_FILES;
    const headOf = ({ digest, size, rows }: DuplicateGroup, wasted: number) => ({
      digest: digest.slice(0, 16),
      size,
      count: rows.length,
      wasted,
    });
    const common = {
      keep: {},
      meta: {
        ...ageOf(scope.open, scope.from, ctx.now()),
        ...(found.truncated ? { truncated: true } : {}),
        files_hashed: found.filesHashed,
        bytes_read: found.bytesRead,
        ...(found.unreadable > 0 ? { unreadable: found.unreadable } : {}),
      },
      explain: () => explainReport(scope, 'equal size, then equal first 4 KiB, then equal SHA-256', started),
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
        shape: (files) => ({ files, wasted, min_size }),
        ...common,
      });
    return page<EqualFiles, Duplicates>({
      rows: groups.map(({ group, wasted }) => ({
        ...headOf(group, wasted),
        files: group.rows.slice(0, maxFiles).map(fileAt),
      })),
      position: ({ digest }) => digest,
      shape: (shown) => ({ groups: shown, wasted, min_size }),
      ...common,
    });
  },

  text({ groups = [], files, wasted, min_size }, { units }) {
    if (files !== undefined)
      return files.map(({ node_id, path }) => `${node_id} ${oneLine(path)}`).join('\n');
    if (groups.length === 0) return `No equal files of ${sizeText(min_size, units)} or more.`;
    const lines = groups.flatMap((group) => [
      `${sizeText(group.wasted, units)} wasted: ${countText(group.count)} × ${sizeText(group.size, units)}  ${group.digest}`,
      ...group.files.map(({ node_id, path }) => `  ${node_id} ${oneLine(path)}`),
    ]);
    return [`${sizeText(wasted, units)} wasted in all`, ...lines].join('\n');
  },
});
