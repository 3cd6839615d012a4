import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import type { DiskServices } from '../services.ts';
import { plan_id } from './input-fields.ts';
import { planOutcome, planOutcomeSchema, planOutcomeText } from './plan-outcome.ts';
import { visiblePlan } from './visible.ts';

export const diskPlanUndo = operation<DiskServices>()({
  name: 'disk_plan_undo',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary: 'Move the items of a plan back from the trash. Only for a person.',
  input: z.strictObject({ plan_id }),
  data: planOutcomeSchema,
  http: 'POST /api/plans/{plan_id}/undo',
  command: { words: 'disk undo', positional: ['plan_id'], examples: ['pinhole disk undo p1'] },

  async run({ plan_id }, ctx) {
    const plan = await visiblePlan(ctx, plan_id);
    return single(planOutcome(plan, await ctx.disk.plans.undo(plan, ctx.signal)));
  },

  text: planOutcomeText('moved back'),
});
