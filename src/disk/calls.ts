import { callTo } from '../contract/next-call.ts';
import type { cdInput } from './operations/cd.ts';
import type { indexListInput } from './operations/index-list.ts';
import type { planRunInput } from './operations/plan.ts';
import type { queryListInput } from './operations/query-list.ts';
import type { queryRunInput } from './operations/query-run.ts';
import type { resourceSetListInput } from './operations/resource-set-list.ts';

/** The calls that answers and errors about disks suggest. */
export const callCd = callTo<typeof cdInput>('cd');
export const callDiskIndexes = callTo<typeof indexListInput>('disk_indexes');
export const callQueryRun = callTo<typeof queryRunInput>('query_run');
export const callQueryList = callTo<typeof queryListInput>('query_list');
export const callSelectionList = callTo<typeof resourceSetListInput>('resource_set_list');
export const callPlanRun = callTo<typeof planRunInput>('disk_plan_run');
