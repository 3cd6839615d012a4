import type { DataOf } from '../data/operations.ts';
import type { Filter } from './filter-words.ts';

export type NodeDetail = DataOf<'inspect'>;
export type Kind = NodeDetail['kind'];
export type NodeRow = DataOf<'disk_largest'>['files'][number];
export type Group = DataOf<'disk_extensions'>['groups'][number];
export type DuplicateGroup = NonNullable<DataOf<'disk_duplicates'>['groups']>[number];
export type TreemapData = DataOf<'disk_treemap'>;
export type PlanOutcome = DataOf<'disk_plan_run'>;

/** An entry of a folder, from an index or from the disk. */
export type Entry = Pick<DataOf<'cd'>['entries'][number], 'name' | 'kind' | 'node_id' | 'size'> & {
  readonly disk_size?: number | undefined;
  readonly counts?: { readonly files: number } | undefined;
};

/** What every tab of an index shows: a folder, through a filter. */
export interface FolderScope {
  readonly index: string;
  /** Undefined for the root of the index. */
  readonly node: string | undefined;
  readonly path: string;
  readonly filter: Filter | undefined;
}
