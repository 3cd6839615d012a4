import { z } from 'zod';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { handleNumber } from '../handles.ts';
import type { DiskServices } from '../services.ts';
import { type PlanCard, planCard, planRowSchema, planText } from './plan-card.ts';
import { maySeePlan, onlyVisible } from './visible.ts';

const plansSchema = z.object({
  plans: z.array(planRowSchema.extend({ link: z.string().optional() })),
});

export const diskPlansInput = z.strictObject({});

export const diskPlans = operation<DiskServices>()({
  name: 'disk_plans',
  toolset: undefined,
  readOnly: true,
  summary: 'Clean-up plans, newest first.',
  input: diskPlansInput,
  limit: { default: 10, max: 100 },
  data: plansSchema,
  rows: 'plans',
  rowLink: '/api/plans/{plan_id}',
  http: 'GET /api/plans',
  command: { words: 'disk plans', examples: ['pinhole disk plans'] },

  async run(_input, ctx) {
    const { plans } = ctx.disk;
    async function* cards() {
      const visible = onlyVisible(plans.list.bind(plans), (plan) => maySeePlan(ctx, plan), ctx.after);
      for await (const plan of visible) yield planCard(plan);
    }
    return page<PlanCard, ReadonlyData<typeof plansSchema>>({
      rows: cards(),
      position: (card) => handleNumber('p', card.plan_id),
      shape: (cards) => ({ plans: cards.map(({ sample, ...card }) => card) }),
    });
  },

  text: ({ plans }, style) =>
    plans.length === 0
      ? 'No plans yet.'
      : plans.map((card) => planText({ ...card, sample: [] }, style)).join('\n'),
});
