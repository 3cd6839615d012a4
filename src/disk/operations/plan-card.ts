import { oneLine } from '../../contract/bytes.ts';
import { fail } from '../../contract/errors.ts';
import { countOf, countText, sizeText } from '../../contract/format.ts';
import type { CallContext, TextStyle } from '../../contract/operation.ts';
import type { Outcome, StoredPlan } from '../clean-up/clean-up-plans.ts';
import { indexHandle, planHandle, setHandle } from '../handles.ts';

export interface PlanCard {
  readonly plan_id: string;
  readonly selection_id: string;
  readonly index_id: string;
  readonly status: StoredPlan['status'];
  readonly items: number;
  /** Once it was begun: how many of the items are in the trash now. */
  readonly moved?: number | undefined;
  readonly files: number;
  readonly dirs: number;
  readonly disk_size: number;
  /** What it would really free: hard links that stay elsewhere free nothing. */
  readonly freed: number;
  readonly missing?: number | undefined;
  readonly warnings: Readonly<Record<string, number>>;
  readonly sample: readonly {
    readonly path: string;
    readonly disk_size: number;
    readonly warnings?: readonly string[] | undefined;
  }[];
}

const SAMPLE = 10;

export function planCard({ id, set, index, status, plan, moved }: StoredPlan): PlanCard {
  const warnings: Record<string, number> = {};
  for (const item of plan.items) {
    for (const warning of item.warnings) {
      const kind = warning.replace(/^[\d,]+ (byte|file)s?/, '$1s');
      warnings[kind] = (warnings[kind] ?? 0) + 1;
    }
  }
  if (plan.not_compared) warnings['no time to look for all equal files'] = 1;
  const largest = [...plan.items].sort((a, b) => b.disk_size - a.disk_size).slice(0, SAMPLE);
  return {
    plan_id: planHandle(id),
    selection_id: setHandle(set),
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

/** Moving files is for people: an agent may plan, never carry out. */
export function onlyPeople({ caller }: CallContext): void {
  if (caller.door !== 'page' && caller.door !== 'cli') {
    fail('path_not_allowed', 'Only a person may do this, on the page or with: pinhole disk clean PLAN');
  }
}

export interface OutcomeData {
  readonly plan_id: string;
  readonly moved: number;
  readonly disk_size: number;
  readonly failed: number;
  readonly failures?: Outcome['failed'] | undefined;
}

export function outcomeData(plan: StoredPlan, { moved, bytes, failed }: Outcome): OutcomeData {
  return {
    plan_id: planHandle(plan.id),
    moved,
    disk_size: bytes,
    failed: failed.length,
    failures: failed.length > 0 ? failed.slice(0, 20) : undefined,
  };
}

export function outcomeText(verb: string) {
  return ({ plan_id, moved, disk_size, failures = [], failed }: OutcomeData, { units }: TextStyle): string =>
    [
      `${plan_id}: ${countText(moved)} ${verb} (${sizeText(disk_size, units)})${failed > 0 ? `, ${countText(failed)} left alone` : ''}`,
      ...failures.map(({ path, reason }) => `  ${oneLine(path)}: ${oneLine(reason)}`),
    ].join('\n');
}
