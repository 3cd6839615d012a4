import { z } from 'zod';
import { oneLine } from '../../contract/bytes.ts';
import { countText, sizeText } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import type { Outcome, StoredPlan } from '../clean-up/clean-up-plans.ts';
import { planHandle } from '../handles.ts';
import { disk_size } from './data-fields.ts';

/** What running or undoing a plan did. */
export const planOutcomeSchema = z.object({
  plan_id: z.string(),
  moved: z.int(),
  disk_size,
  failed: z.int(),
  failures: z.array(z.object({ path: z.string(), reason: z.string() })).optional(),
});

type PlanOutcome = ReadonlyData<typeof planOutcomeSchema>;

const MAX_LISTED_FAILURES = 20;

export function planOutcome(plan: StoredPlan, { moved, bytes, failed }: Outcome): PlanOutcome {
  return {
    plan_id: planHandle(plan.id),
    moved,
    disk_size: bytes,
    failed: failed.length,
    failures: failed.length > 0 ? failed.slice(0, MAX_LISTED_FAILURES) : undefined,
  };
}

/** Writes outcomes as text; `done` says what happened to the items, such as "moved back". */
export function planOutcomeText(done: string) {
  return ({ plan_id, moved, disk_size, failures = [], failed }: PlanOutcome, { units }: TextStyle): string =>
    [
      `${plan_id}: ${countText(moved)} ${done} (${sizeText(disk_size, units)})${failed > 0 ? `, ${countText(failed)} left alone` : ''}`,
      ...failures.map(({ path, reason }) => `  ${oneLine(path)}: ${oneLine(reason)}`),
    ].join('\n');
}
