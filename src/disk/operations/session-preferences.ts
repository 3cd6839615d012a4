import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { type Shell, type Shells, SORTS, UNITS } from '../browse/shells.ts';
import { glance } from './choose.ts';
import { visibleShell } from './kept.ts';

export const sessionPreferences = operation<{ shells: Shells }>()({
  name: 'session_preferences',
  toolset: 'disk',
  readOnly: false,
  summary: 'See or set how a shell shows folders: units, sort, rows.',
  input: z.strictObject({
    shell: z.string().max(20),
    units: z.enum(UNITS).optional(),
    limit: z.int().min(1).max(100).optional(),
    sort: z.enum(SORTS).optional(),
  }),
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
    return single<Shell>(known, { link: url(shortLink(pageLinks.path(known.cwd))), budget: glance(ctx) });
  },

  text: ({ shell, cwd, units, limit, sort }) =>
    `${shell}  ${cwd}\nunits ${units ?? 'iec'}  sort ${sort ?? 'size'}  limit ${limit ?? 20}`,
});
