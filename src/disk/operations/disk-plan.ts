import { z } from 'zod';
import { operation, single } from '../../contract/operation.ts';
import type { DiskServices } from '../services.ts';
import { plan_id } from './input-fields.ts';
import { planCard, planCardSchema, planText } from './plan-card.ts';
import { visiblePlan } from './visible.ts';

export const diskPlan = operation<DiskServices>()({
  name: 'disk_plan',
  toolset: undefined,
  readOnly: true,
  summary: 'A clean-up plan.',
  input: z.strictObject({ plan_id }),
  data: planCardSchema,
  http: 'GET /api/plans/{plan_id}',
  command: { words: 'disk plan show', positional: ['plan_id'], examples: ['pinhole disk plan show p1'] },
  run: async ({ plan_id }, ctx) => single(planCard(await visiblePlan(ctx, plan_id))),
  text: planText,
});
