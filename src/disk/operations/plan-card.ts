import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countOf, countText, sizeText } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import type { StoredPlan } from '../clean-up/clean-up-plans.ts';
import { indexHandle, planHandle, selectionHandle } from '../handles.ts';
import { dirs, disk_size, files } from './data-fields.ts';

/** A clean-up plan as lists show it. */
export const planRowSchema = z.object({
  plan_id: z.string(),
  selection_id: z.string(),
  index_id: z.string(),
  status: z.enum(['planned', 'done', 'undone']),
  items: z.int(),
  moved: z.int().optional().describe('how many items are in the trash now, once the plan was run'),
  files,
  dirs,
  disk_size,
  freed: z.int().describe('bytes it really frees: data with hard links elsewhere stays'),
  missing: z.int().optional().describe('nodes of the selection that no longer exist'),
  warnings: z.record(z.string(), z.int()).describe('how many items have each warning'),
});

/** A clean-up plan with its largest items. */
export const planCardSchema = planRowSchema.extend({
  sample: z.array(z.object({ path: z.string(), disk_size, warnings: z.array(z.string()).optional() })),
});

export type PlanCard = ReadonlyData<typeof planCardSchema>;

const MAX_SAMPLE_ITEMS = 10;

export function planCard({ id, selection, index, status, plan, moved }: StoredPlan): PlanCard {
  const warnings: Record<string, number> = {};
  for (const item of plan.items) {
    for (const warning of item.warnings) {
      const kind = warning.replace(/^[\d,]+ (byte|file)s?/, '$1s');
      warnings[kind] = (warnings[kind] ?? 0) + 1;
    }
  }
  if (plan.not_compared) warnings['not enough time to look for other copies of all files'] = 1;
  const largest = [...plan.items].sort((a, b) => b.disk_size - a.disk_size).slice(0, MAX_SAMPLE_ITEMS);
  return {
    plan_id: planHandle(id),
    selection_id: selectionHandle(selection),
    index_id: indexHandle(index),
    status,
    items: plan.items.length,
    moved: status === 'planned' ? undefined : moved,
    files: plan.total.files,
    dirs: plan.total.dirs,
    disk_size: plan.total.disk_size,
    freed: plan.total.freed,
    missing: plan.missing > 0 ? plan.missing : undefined,
    warnings,
    sample: largest.map(({ path, disk_size, warnings }) => ({
      path,
      disk_size,
      warnings: warnings.length > 0 ? warnings : undefined,
    })),
  };
}

export function planText(card: PlanCard, { units }: TextStyle): string {
  return [
    `${card.plan_id} ${card.status}: ${countOf(card.items, 'item')} of ${card.selection_id} (${countOf(card.files, 'file')}, ${countOf(card.dirs, 'folder')}), ${sizeText(card.disk_size, units)} on disk, frees ${sizeText(card.freed, units)} once the trash is emptied`,
    ...(card.moved === undefined
      ? []
      : [`${countText(card.moved)} of ${countOf(card.items, 'item')} in the trash`]),
    ...(card.missing === undefined ? [] : [`${countText(card.missing)} no longer there`]),
    ...Object.entries(card.warnings).map(
      ([warning, count]) => `warning: ${countText(count)} × ${oneLine(warning)}`,
    ),
    ...card.sample.map(
      ({ path, disk_size, warnings }) =>
        `  ${sizeText(disk_size, units)}  ${oneLine(path)}${warnings ? `  (${oneLine(warnings.join('; '))})` : ''}`,
    ),
  ].join('\n');
}
