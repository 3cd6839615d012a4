import { callTo } from '../contract/next-call.ts';
import type { cdInput } from './operations/cd.ts';
import type { diskIndexesInput } from './operations/disk-indexes.ts';
import type { diskPlanRunInput } from './operations/disk-plan-run.ts';
import type { diskPlansInput } from './operations/disk-plans.ts';
import type { inspectInput } from './operations/inspect.ts';
import type { queryListInput } from './operations/query-list.ts';
import type { queryRunInput } from './operations/query-run.ts';
import type { resourceSetListInput } from './operations/resource-set-list.ts';

/** The calls that answers and errors about disks suggest. */
export const callCd = callTo<typeof cdInput>('cd');
export const callInspect = callTo<typeof inspectInput>('inspect');
export const callDiskIndexes = callTo<typeof diskIndexesInput>('disk_indexes');
export const callQueryRun = callTo<typeof queryRunInput>('query_run');
export const callQueryList = callTo<typeof queryListInput>('query_list');
export const callSelectionList = callTo<typeof resourceSetListInput>('resource_set_list');
export const callPlans = callTo<typeof diskPlansInput>('disk_plans');
export const callPlanRun = callTo<typeof diskPlanRunInput>('disk_plan_run');
