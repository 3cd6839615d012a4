import type { cd } from '../../../src/disk/operations/cd.ts';
import type { indexGet } from '../../../src/disk/operations/index-list.ts';
import type { indexTree } from '../../../src/disk/operations/index-tree.ts';
import type { inspect } from '../../../src/disk/operations/inspect.ts';
import type { planGet, planRun } from '../../../src/disk/operations/plan.ts';
import type { queryGet } from '../../../src/disk/operations/query-get.ts';
import type { queryList } from '../../../src/disk/operations/query-list.ts';
import type { reportDuplicates } from '../../../src/disk/operations/report-duplicates.ts';
import type { reportExtensions } from '../../../src/disk/operations/report-groups.ts';
import type { reportGrowth } from '../../../src/disk/operations/report-growth.ts';
import type { reportLargest } from '../../../src/disk/operations/report-largest.ts';
import type { resourceSetList } from '../../../src/disk/operations/resource-set-list.ts';
import type { diskTreemap } from '../../../src/disk/operations/treemap.ts';
import type { DataOf } from '../data/types.ts';

export type Listing = DataOf<typeof cd>;
export type TreePage = DataOf<typeof indexTree>;
export type IndexCard = DataOf<typeof indexGet>;
export type NodeDetail = DataOf<typeof inspect>;
export type Kind = NodeDetail['kind'];
export type LargestPage = DataOf<typeof reportLargest>;
export type NodeRow = LargestPage['files'][number];
export type GroupPage = DataOf<typeof reportExtensions>;
export type Group = GroupPage['groups'][number];
export type DuplicatesPage = DataOf<typeof reportDuplicates>;
export type EqualFiles = NonNullable<DuplicatesPage['groups']>[number];
export type GrowthPage = DataOf<typeof reportGrowth>;
export type GrownFolder = GrowthPage['folders'][number];
export type TreemapData = DataOf<typeof diskTreemap>;
export type SetCard = DataOf<typeof resourceSetList>['sets'][number];
export type QueryCard = DataOf<typeof queryList>['queries'][number];
export type QueryDetail = DataOf<typeof queryGet>;
export type PlanCard = DataOf<typeof planGet>;
export type PlanOutcome = DataOf<typeof planRun>;

/** An entry of a folder, as the index has it or as the disk does. */
export type Entry = Pick<Listing['entries'][number], 'name' | 'kind' | 'node_id' | 'size'> & {
  readonly disk_size?: number | undefined;
  readonly counts?: { readonly files: number } | undefined;
};
