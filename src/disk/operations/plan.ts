import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import { operation, page, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callPlanRun } from '../calls.ts';
import { handleNumber, indexHandle, planHandle } from '../handles.ts';
import { requireLocal } from '../indexes/index-access.ts';
import { rowsOfIds } from '../tree/row-spans.ts';
import type { DiskServices } from './choose.ts';
import { maySeePlan, onlyVisible, visiblePlan, visibleSet } from './kept.ts';
import { onlyPeople, outcomeData, outcomeText, type PlanCard, planCard, planText } from './plan-card.ts';

const plan_id = z.string().max(20);

export const planCreate = operation<DiskServices>()({
  name: 'disk_plan_create',
  toolset: undefined,
  readOnly: false,
  summary: 'Plan to move a selection to the trash: a dry run that says what it would free. Nothing is moved.',
  input: z.strictObject({ selection_id: z.string().max(20) }),
  http: 'POST /api/resource-sets/{selection_id}/plan',
  command: { words: 'disk plan', positional: ['selection_id'], examples: ['pinhole disk plan s5'] },

  async run({ selection_id }, ctx) {
    const { disk } = ctx;
    const set = await visibleSet(ctx, selection_id);
    const open = await disk.indexes.open(indexHandle(set.index));
    requireLocal(open.tree);
    const plan = await disk.plans.make(open, rowsOfIds(open.tree, set.nodes), ctx.signal);
    const stored = await disk.plans.create(set.id, set.index, plan);
    const handle = planHandle(stored.id);
    return single(planCard(stored), {
      next: [callPlanRun({ plan_id: handle })],
      link: ctx.url(pageLinks.plan(handle)),
    });
  },

  text: planText,
});

export const planGet = operation<DiskServices>()({
  name: 'disk_plan',
  toolset: undefined,
  readOnly: true,
  summary: 'A clean-up plan.',
  input: z.strictObject({ plan_id }),
  http: 'GET /api/plans/{plan_id}',
  command: { words: 'disk plan show', positional: ['plan_id'], examples: ['pinhole disk plan show p1'] },
  run: async ({ plan_id }, ctx) => single(planCard(await visiblePlan(ctx, plan_id))),
  text: planText,
});

export const planList = operation<DiskServices>()({
  name: 'disk_plans',
  toolset: undefined,
  readOnly: true,
  summary: 'Clean-up plans, newest first.',
  input: z.strictObject({}),
  limit: { default: 10, max: 100 },
  rows: 'plans',
  columns: [
    'plan_id',
    'selection_id',
    'index_id',
    'status',
    'items',
    'moved',
    'files',
    'dirs',
    'disk_size',
    'freed',
    'missing',
    'warnings',
  ],
  http: 'GET /api/plans',
  command: { words: 'disk plans', examples: ['pinhole disk plans'] },

  async run(_input, ctx) {
    const { plans } = ctx.disk;
    async function* cards() {
      const visible = onlyVisible(plans.list.bind(plans), (plan) => maySeePlan(ctx, plan), ctx.after);
      for await (const plan of visible) yield planCard(plan);
    }
    return page<PlanCard, { plans: readonly Omit<PlanCard, 'sample'>[] }>({
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

export const planRunInput = z.strictObject({ plan_id, confirm: z.int().min(0).optional() });

export const planRun = operation<DiskServices>()({
  name: 'disk_plan_run',
  toolset: undefined,
  readOnly: false,
  summary: 'Move what a plan names to the trash. Only for a person; confirm must be the number of items.',
  input: planRunInput,
  http: 'POST /api/plans/{plan_id}/run',
  command: { words: 'disk clean', positional: ['plan_id'], examples: ['pinhole disk clean p1 --confirm 12'] },

  async run({ plan_id, confirm }, ctx) {
    onlyPeople(ctx);
    const plan = await visiblePlan(ctx, plan_id);
    const { length } = plan.plan.items;
    if (length === 0) fail('conflict', 'Nothing in this plan is there any more; there is nothing to move.');
    if (confirm !== length) {
      fail(
        'invalid_parameter',
        `This moves ${countOf(length, 'item')} to the trash; to confirm, say confirm ${length} (--confirm ${length}).`,
        { details: { items: length } },
      );
    }
    return single(outcomeData(plan, await ctx.disk.plans.carryOut(plan, ctx.roots.folders, ctx.signal)));
  },

  text: outcomeText('moved to the trash'),
});

export const planUndo = operation<DiskServices>()({
  name: 'disk_plan_undo',
  toolset: undefined,
  readOnly: false,
  summary: 'Move what a plan moved to the trash back to its place. Only for a person.',
  input: z.strictObject({ plan_id }),
  http: 'POST /api/plans/{plan_id}/undo',
  command: { words: 'disk undo', positional: ['plan_id'], examples: ['pinhole disk undo p1'] },

  async run({ plan_id }, ctx) {
    onlyPeople(ctx);
    const plan = await visiblePlan(ctx, plan_id);
    return single(outcomeData(plan, await ctx.disk.plans.undo(plan, ctx.signal)));
  },

  text: outcomeText('moved back'),
});
