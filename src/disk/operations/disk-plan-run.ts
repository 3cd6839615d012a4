import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { callPlanRun } from '../calls.ts';
import type { DiskServices } from '../services.ts';
import { plan_id } from './input-fields.ts';
import { planOutcome, planOutcomeSchema, planOutcomeText } from './plan-outcome.ts';
import { visiblePlan } from './visible.ts';

export const diskPlanRunInput = z.strictObject({
  plan_id,
  confirm: z.int().min(0).optional().describe('the number of items in the plan, to show that you read it'),
});

export const diskPlanRun = operation<DiskServices>()({
  name: 'disk_plan_run',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary: 'Move the items of a plan to the trash. Only for a person; confirm must be the number of items.',
  input: diskPlanRunInput,
  data: planOutcomeSchema,
  http: 'POST /api/plans/{plan_id}/run',
  command: { words: 'disk clean', positional: ['plan_id'], examples: ['pinhole disk clean p1 --confirm 12'] },

  async run({ plan_id, confirm }, ctx) {
    const plan = await visiblePlan(ctx, plan_id);
    const { length } = plan.plan.items;
    if (length === 0) fail('conflict', 'Nothing in this plan exists any more, so there is nothing to move.');
    if (confirm !== length)
      fail('invalid_parameter', `This moves ${countOf(length, 'item')} to the trash. Confirm that number.`, {
        next: callPlanRun({ plan_id, confirm: length }),
        details: { items: length },
      });
    return single(planOutcome(plan, await ctx.disk.plans.carryOut(plan, ctx.roots.folders, ctx.signal)));
  },

  text: planOutcomeText('moved to the trash'),
});
