import { z } from 'zod';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { SORTS, UNITS } from '../browse/shells.ts';
import { indexHandle } from '../handles.ts';
import type { DiskServices } from '../services.ts';
import { GLANCE_BYTES } from './glance.ts';
import { shell } from './input-fields.ts';
import { breadcrumbOf, crumbSchema, knownFolder } from './known-folder.ts';
import { visibleShell } from './visible.ts';

const limit = z.int().min(1).max(100).optional();
const shellSchema = z.object({
  shell: z.string(),
  cwd: z.string(),
  index_id: z.string().optional().describe('the index that covers the folder'),
  breadcrumb: z.array(crumbSchema).optional().describe('the nearest folders above it, and itself'),
  units: z.enum(UNITS).optional(),
  limit,
  sort: z.enum(SORTS).optional(),
});

export const sessionPreferences = operation<DiskServices>()({
  name: 'session_preferences',
  toolset: 'disk',
  unlisted: ['limit'],
  readOnly: false,
  summary: 'See or set how a shell shows folders: units, sort, rows.',
  input: z.strictObject({
    shell: shell.describe('a shell, e.g. w8'),
    units: z.enum(UNITS).optional().describe('iec: multiples of 1024; si: multiples of 1000; bytes'),
    limit: limit.describe('how many entries of a folder are listed'),
    sort: z.enum(SORTS).optional().describe('order of the entries'),
  }),
  glance: GLANCE_BYTES,
  data: shellSchema,
  aliases: { session_id: 'shell', default_limit: 'limit', sort_by: 'sort' },
  http: ['GET /api/shells/{shell}', 'PATCH /api/shells/{shell}'],
  command: {
    words: 'disk preferences',
    positional: ['shell'],
    examples: ['pinhole disk preferences w8 --units si'],
  },

  async run({ shell, units, limit, sort }, ctx) {
    const { shells, url } = ctx;
    const now = await visibleShell(ctx, shell);
    const given = { ...(units && { units }), ...(limit && { limit }), ...(sort && { sort }) };
    const known = Object.keys(given).length > 0 ? await shells.prefer(shell, given) : now;
    const folder = await knownFolder(known.cwd, ctx.disk);
    const place = folder && {
      index_id: indexHandle(folder.open.row.id),
      breadcrumb: breadcrumbOf(folder),
    };
    return single<ReadonlyData<typeof shellSchema>>(
      { ...known, ...place },
      { link: url(shortLink(pageLinks.path(known.cwd))) },
    );
  },

  text: ({ shell, cwd, units, limit, sort }) =>
    `${shell}  ${cwd}\nunits ${units ?? 'si'}  sort ${sort ?? 'size'}  limit ${limit ?? 20}`,
});
