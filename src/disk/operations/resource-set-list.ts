import { z } from 'zod';
import { PinholeError } from '../../contract/errors.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { handleNumber } from '../handles.ts';
import type { DiskServices } from '../services.ts';
import { GLANCE_BYTES } from './glance.ts';
import { selectionCard, selectionRowSchema, selectionText } from './selection-card.ts';
import { maySeeSelection, onlyVisible } from './visible.ts';

const selectionsSchema = z.object({
  selections: z.array(selectionRowSchema.extend({ link: z.string().optional() })),
});

type SelectionRow = ReadonlyData<typeof selectionRowSchema>;

export const resourceSetListInput = z.strictObject({});

export const resourceSetList = operation<DiskServices>()({
  name: 'resource_set_list',
  toolset: 'disk',
  readOnly: true,
  summary: 'Selections, newest first.',
  input: resourceSetListInput,
  limit: { default: 10, max: 100 },
  glance: GLANCE_BYTES,
  data: selectionsSchema,
  rows: 'selections',
  rowLink: '/api/resource-sets/{selection_id}',
  http: 'GET /api/resource-sets',
  command: { words: 'disk selections', examples: ['pinhole disk selections'] },

  async run(_input, ctx) {
    const { selections } = ctx.disk;
    const list = selections.list.bind(selections);
    async function* cards(): AsyncGenerator<SelectionRow> {
      for await (const one of onlyVisible(list, (each) => maySeeSelection(ctx, each), ctx.after)) {
        // A selection whose index is gone must not hide the others.
        const card = await selectionCard(ctx, one, false).catch((error: unknown) => {
          if (!(error instanceof PinholeError)) throw error;
          return undefined;
        });
        if (card !== undefined) yield card;
      }
    }
    return page<SelectionRow, ReadonlyData<typeof selectionsSchema>>({
      rows: cards(),
      position: (card) => handleNumber('s', card.selection_id),
      shape: (shown) => ({ selections: shown }),
      link: ctx.url(pageLinks.disk),
      links: { entries: ctx.url('/api/resource-sets/{selection_id}/entries') },
    });
  },

  text: ({ selections }, style) =>
    selections.length === 0
      ? 'No selections yet.'
      : selections.map((card) => selectionText(card, style)).join('\n'),
});
