import { z } from 'zod';
import { PinholeError } from '../../contract/errors.ts';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { handleNumber } from '../handles.ts';
import { type DiskServices, glance } from './choose.ts';
import { maySeeSet, onlyVisible } from './kept.ts';
import { type SetCard, setCard, setText } from './set-card.ts';

type Card = Omit<SetCard, 'sample' | 'rest' | 'overlap' | 'gone'>;

const ROWS = 10;

export const resourceSetListInput = z.strictObject({});

export const resourceSetList = operation<DiskServices>()({
  name: 'resource_set_list',
  toolset: 'disk',
  readOnly: true,
  summary: 'Selections, newest first.',
  input: resourceSetListInput,
  limit: { default: ROWS, max: 100 },
  rows: 'sets',
  columns: [
    'selection_id',
    'name',
    'index_id',
    'counts',
    'total_size',
    'total_disk_size',
    'freed',
    'updated_at',
  ],
  http: 'GET /api/resource-sets',
  command: { words: 'disk sets', examples: ['pinhole disk sets'] },

  async run(_input, ctx) {
    const { sets } = ctx.disk;
    async function* cards(): AsyncGenerator<Card> {
      for await (const set of onlyVisible(sets.list.bind(sets), (one) => maySeeSet(ctx, one), ctx.after)) {
        // A set of an index that is gone does not hide the others.
        const card = await setCard(ctx, set, false).catch((error: unknown) => {
          if (!(error instanceof PinholeError)) throw error;
          return undefined;
        });
        if (card !== undefined) yield card;
      }
    }
    return page<Card, { sets: readonly Card[] }>({
      rows: cards(),
      position: (card) => handleNumber('s', card.selection_id),
      budget: glance(ctx, ROWS),
      shape: (shown) => ({ sets: shown }),
      link: ctx.url(pageLinks.disk),
    });
  },

  text: ({ sets }, style) =>
    sets.length === 0 ? 'No sets yet.' : sets.map((card) => setText(card, style)).join('\n'),
});
