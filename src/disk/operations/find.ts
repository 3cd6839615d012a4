import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { columns, sizeText } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { ageOf } from '../indexes/freshness.ts';
import { scopeSpan } from '../indexes/index-access.ts';
import { type NodeRow, nodeRow } from '../reports/node-rows.ts';
import { chooseIndex, type DiskServices } from './choose.ts';

export const diskFind = operation<DiskServices>()({
  name: 'disk_find',
  toolset: undefined,
  readOnly: true,
  summary: 'Find files by name, size, age and more, in the order of the tree.',
  input: z.strictObject({
    name: z.string().max(1000).optional(),
    regex: z.string().max(1000).optional(),
    ext: z.array(z.string().max(32)).max(50).optional(),
    kind: z.string().max(20).optional(),
    size: z.string().max(40).optional(),
    modified: z.string().max(60).optional(),
    owner: z.string().max(64).optional(),
    filter: z.unknown().optional(),
    index_id: z.string().max(20).optional(),
    under: z.string().max(4096).optional(),
  }),
  limit: { default: 50, max: 1000 },
  rows: 'nodes',
  columns: ['node_id', 'path', 'kind', 'size', 'disk_size', 'modified_at'],
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
    const asked = parts.length > 1 ? { all: parts } : only;
    if (asked !== undefined) ctx.disk.filters.check(asked);
    const open = await chooseIndex(ctx, index_id, under);
    const span = await scopeSpan(open.tree, under, ctx.roots);
    const found = await ctx.disk.filters.find(open, span, asked, ctx.signal);
    function* rows(): Generator<NodeRow> {
      for (const row of found.rows) yield nodeRow(open.tree, row);
    }
    return page<NodeRow, { nodes: readonly NodeRow[] }>({
      rows: rows(),
      position: ({ node_id }) => node_id,
      shape: (nodes) => ({ nodes }),
      total: found.rows.length,
      keep: {},
      meta: { ms: found.ms, ...ageOf(open, ctx.now()) },
      explain: () => ({ filter: asked, steps: found.plan, matches: found.rows.length, ms: found.ms }),
    });
  },

  text: ({ nodes }, { units }) =>
    nodes.length === 0
      ? 'Nothing found.'
      : columns(
          nodes.map((row) => [
            row.node_id,
            sizeText(row.size, units),
            row.modified_at,
            oneLine(row.path) + (row.kind === 'dir' ? '/' : ''),
          ]),
          [1],
        ),
});
