import type { Operation } from '../../contract/operation.ts';
import type { DiskServices } from '../services.ts';
import { cd } from './cd.ts';
import { diskAges } from './disk-ages.ts';
import { diskCompare } from './disk-compare.ts';
import { diskDuplicates } from './disk-duplicates.ts';
import { diskExport } from './disk-export.ts';
import { diskExtensions } from './disk-extensions.ts';
import { diskFind } from './disk-find.ts';
import { diskGrowth } from './disk-growth.ts';
import { diskImport } from './disk-import.ts';
import { diskIndex } from './disk-index.ts';
import { diskIndexDelete } from './disk-index-delete.ts';
import { diskIndexes } from './disk-indexes.ts';
import { diskLargest } from './disk-largest.ts';
import { diskPlan } from './disk-plan.ts';
import { diskPlanCreate } from './disk-plan-create.ts';
import { diskPlanRun } from './disk-plan-run.ts';
import { diskPlanUndo } from './disk-plan-undo.ts';
import { diskPlans } from './disk-plans.ts';
import { diskSummary } from './disk-summary.ts';
import { diskTree } from './disk-tree.ts';
import { diskTreemap } from './disk-treemap.ts';
import { inspect } from './inspect.ts';
import { queryDelete } from './query-delete.ts';
import { queryGet } from './query-get.ts';
import { queryList } from './query-list.ts';
import { queryRun } from './query-run.ts';
import { resourceSetCreate } from './resource-set-create.ts';
import { resourceSetDelete } from './resource-set-delete.ts';
import { resourceSetEntries } from './resource-set-entries.ts';
import { resourceSetGet } from './resource-set-get.ts';
import { resourceSetList } from './resource-set-list.ts';
import { resourceSetUpdate } from './resource-set-update.ts';
import { sessionPreferences } from './session-preferences.ts';

/** The operations of the disk subject, in the order in which tools are listed. */
export const DISK_OPERATIONS = [
  cd,
  inspect,
  queryRun,
  queryList,
  queryGet,
  resourceSetCreate,
  resourceSetList,
  resourceSetGet,
  resourceSetUpdate,
  resourceSetDelete,
  sessionPreferences,
  diskSummary,
  diskFind,
  diskIndexes,
  diskIndex,
  diskIndexDelete,
  diskTree,
  diskTreemap,
  diskImport,
  diskExport,
  diskLargest,
  diskExtensions,
  diskAges,
  diskDuplicates,
  diskGrowth,
  diskCompare,
  resourceSetEntries,
  queryDelete,
  diskPlanCreate,
  diskPlans,
  diskPlan,
  diskPlanRun,
  diskPlanUndo,
] as const satisfies readonly Operation<DiskServices>[];
