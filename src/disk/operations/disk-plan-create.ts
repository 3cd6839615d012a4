import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callPlanRun } from '../calls.ts';
import { indexHandle, planHandle } from '../handles.ts';
import { requireLocal } from '../indexes/index-access.ts';
import type { DiskServices } from '../services.ts';
import { rowsOfIds } from '../tree/row-spans.ts';
import { selection_id } from './input-fields.ts';
import { planCard, planCardSchema, planText } from './plan-card.ts';
import { visibleSelection } from './visible.ts';

export const diskPlanCreate = operation<DiskServices>()({
  name: 'disk_plan_create',
  toolset: undefined,
  readOnly: false,
  summary: 'Plan to move a selection to the trash: a dry run that says what it would free. Nothing is moved.',
  input: z.strictObject({ selection_id }),
  data: planCardSchema,
  http: 'POST /api/resource-sets/{selection_id}/plan',
  command: { words: 'disk plan', positional: ['selection_id'], examples: ['pinhole disk plan s5'] },

  async run({ selection_id }, ctx) {
    const { disk } = ctx;
    const selection = await visibleSelection(ctx, selection_id);
    const open = await disk.indexes.open(indexHandle(selection.index));
    requireLocal(open.tree);
    const plan = await disk.plans.make(open, rowsOfIds(open.tree, selection.nodes), ctx.signal);
    const stored = await disk.plans.create(selection.id, selection.index, plan);
    const handle = planHandle(stored.id);
    return single(planCard(stored), {
      next: [callPlanRun({ plan_id: handle })],
      link: ctx.url(pageLinks.plan(handle)),
    });
  },

  text: planText,
});
