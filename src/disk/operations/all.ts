import type { Operation } from '../../contract/operation.ts';
import { cd } from './cd.ts';
import type { DiskServices } from './choose.ts';
import { diskCompare } from './compare.ts';
import { diskExport } from './export.ts';
import { diskFind } from './find.ts';
import { diskImport } from './import.ts';
import { indexDelete, indexGet, indexList } from './index-list.ts';
import { indexTree } from './index-tree.ts';
import { inspect } from './inspect.ts';
import { planCreate, planGet, planList, planRun, planUndo } from './plan.ts';
import { queryDelete } from './query-delete.ts';
import { queryGet } from './query-get.ts';
import { queryList } from './query-list.ts';
import { queryRun } from './query-run.ts';
import { reportDuplicates } from './report-duplicates.ts';
import { reportAges, reportExtensions } from './report-groups.ts';
import { reportGrowth } from './report-growth.ts';
import { reportLargest } from './report-largest.ts';
import { resourceSetCreate } from './resource-set-create.ts';
import { resourceSetDelete } from './resource-set-delete.ts';
import { resourceSetEntries } from './resource-set-entries.ts';
import { resourceSetGet } from './resource-set-get.ts';
import { resourceSetList } from './resource-set-list.ts';
import { resourceSetUpdate } from './resource-set-update.ts';
import { sessionPreferences } from './session-preferences.ts';
import { diskSummary } from './summary.ts';
import { diskTreemap } from './treemap.ts';

/** The operations of the disk subject, tools first, in the order in which they are listed. */
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
  indexList,
  indexGet,
  indexDelete,
  indexTree,
  diskTreemap,
  diskImport,
  diskExport,
  reportLargest,
  reportExtensions,
  reportAges,
  reportDuplicates,
  reportGrowth,
  diskCompare,
  resourceSetEntries,
  queryDelete,
  planCreate,
  planList,
  planGet,
  planRun,
  planUndo,
] as const satisfies readonly Operation<DiskServices>[];
