import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { ageOf } from '../indexes/freshness.ts';
import { scopeSpan } from '../indexes/index-access.ts';
import { type NodeRow, nodeRow, nodeRowSchema } from '../reports/node-rows.ts';
import type { DiskServices } from '../services.ts';
import { chooseIndex, namedOrCurrent } from './chosen-index.ts';
import { chosen_index_id, filter, under } from './input-fields.ts';

const foundSchema = z.object({ nodes: z.array(nodeRowSchema) });

export const diskFind = operation<DiskServices>()({
  name: 'disk_find',
  toolset: undefined,
  readOnly: true,
  summary: 'Find files by name, size, age and more, in tree order.',
  input: z.strictObject({
    name: z.string().max(1000).optional().describe('glob for the name, e.g. *.log'),
    regex: z.string().max(1000).optional().describe('regular expression for the name'),
    ext: z.array(z.string().max(32)).max(50).optional().describe('extensions without the dot'),
    kind: z.string().max(20).optional().describe('file, dir, symlink or other'),
    size: z.string().max(40).optional().describe("e.g. '>100MB' or '1kB..2MB'"),
    modified: z
      .string()
      .max(60)
      .optional()
      .describe("an age, e.g. '<7d' or '>1y', or a date, e.g. '>2026-01-31'"),
    owner: z.string().max(64).optional().describe('name or number of the user who owns it'),
    filter,
    index_id: chosen_index_id,
    under,
  }),
  limit: { default: 50, max: 1000 },
  data: foundSchema,
  rows: 'nodes',
  explains: true,
  aliases: { path: 'under' },
  http: 'GET /api/indexes/{index_id}/find',
  command: {
    words: 'disk find',
    positional: ['name'],
    examples: [
      "pinhole disk find '*.log' --size '>100MB' --modified '>30d'",
      "pinhole disk find --regex '^core\\.\\d+$'",
    ],
  },

  async run({ regex, filter, index_id, under, ...tests }, ctx) {
    const given = Object.fromEntries(
      Object.entries(tests).filter(([name, value]) => value !== undefined && name !== 'limit'),
    );
    const parts = [
      ...(Object.keys(given).length > 0 ? [given] : []),
      ...(regex === undefined ? [] : [{ name: { regex } }]),
      ...(filter === undefined ? [] : [filter]),
    ];
    const [only] = parts;
    const combined = parts.length > 1 ? { all: parts } : only;
    if (combined !== undefined) ctx.disk.filters.parse(combined);
    const folder = await namedOrCurrent(ctx, { index_id, under });
    const open = await chooseIndex(ctx, index_id, folder);
    const span = await scopeSpan(open.tree, folder, ctx.roots);
    const found = await ctx.disk.filters.find(open, span, combined, ctx.signal);
    function* rows(): Generator<NodeRow> {
      for (const row of found.rows) yield nodeRow(open.tree, row, ctx.zone);
    }
    return page<NodeRow, ReadonlyData<typeof foundSchema>>({
      rows: rows(),
      position: ({ node_id }) => node_id,
      shape: (nodes) => ({ nodes }),
      total: found.rows.length,
      keep: {},
      meta: { ms: found.ms, ...ageOf(open, span.from, ctx.now()) },
      explain: () => ({ filter: combined, steps: found.plan, matches: found.rows.length, ms: found.ms }),
    });
  },

  text: ({ nodes }, { units, paint }) =>
    nodes.length === 0
      ? 'Nothing found.'
      : columns(
          nodes.map((row) => [
            paint('aside', row.node_id),
            paint('size', sizeText(row.size, units)),
            row.modified_at,
            oneLine(row.path) + (row.kind === 'dir' ? '/' : ''),
          ]),
          [1],
        ),
});
