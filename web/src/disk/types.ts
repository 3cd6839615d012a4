/** Shapes of the answers on disks. */

export type Kind = 'dir' | 'file' | 'symlink' | 'other';

export interface Counts {
  readonly files: number;
  readonly dirs: number;
}

export interface Entry {
  readonly node_id?: string;
  readonly name: string;
  readonly kind: Kind;
  readonly size?: number;
  readonly disk_size?: number;
  readonly counts?: Counts;
  readonly modified_at?: string;
}

export interface Listing {
  readonly cwd: string;
  readonly shell: string;
  readonly index_id?: string;
  readonly entries: readonly Entry[];
}

export interface IndexCard {
  readonly index_id: string;
  readonly root: string;
  readonly status: 'ready' | 'scanning';
  readonly generation: number;
  readonly scanned_at?: string;
  readonly files: number;
  readonly dirs: number;
  readonly size: number;
  readonly disk_size: number;
  readonly errors?: Readonly<Record<string, number>>;
}

export interface NodeDetail {
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly disk_size: number;
  readonly modified_at: string;
  readonly changed_at: string;
  readonly permissions: string;
  readonly owner: string;
  readonly hard_links?: number;
  readonly symlink?: string;
  readonly index_id?: string;
  readonly node_id?: string;
  readonly counts?: Counts;
  readonly total?: Counts & { readonly size: number; readonly disk_size: number };
  readonly errors?: number;
  readonly history?: readonly {
    readonly scanned_at: string;
    readonly disk_size: number;
    readonly files: number;
  }[];
  readonly touched_by?: readonly {
    readonly session_id: string;
    readonly action: string;
    readonly timestamp: string;
  }[];
}

export interface NodeRow {
  readonly node_id: string;
  readonly path: string;
  readonly kind: Kind;
  readonly size: number;
  readonly disk_size: number;
  readonly modified_at: string;
}

export interface Group {
  readonly label: string;
  readonly files: number;
  readonly size: number;
  readonly disk_size: number;
}

export interface EqualFiles {
  readonly digest: string;
  readonly size: number;
  readonly count: number;
  readonly wasted: number;
  readonly files: readonly { readonly node_id: string; readonly path: string }[];
}

export interface GrownFolder {
  readonly node_id: string;
  readonly path?: string;
  readonly grown: number;
  readonly disk_size: number;
  readonly files: number;
  readonly new?: boolean;
}

export interface TreemapData {
  readonly index_id: string;
  readonly path: string;
  readonly scanned_at: string;
  readonly extensions: readonly string[];
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly parents: readonly number[];
  readonly sizes: readonly number[];
  readonly kinds: readonly number[];
  readonly times: readonly number[];
}

export interface SetCard {
  readonly selection_id: string;
  readonly name: string;
  readonly index_id: string;
  readonly counts: Counts & { readonly nodes: number; readonly gone?: number };
  readonly total_size: number;
  readonly total_disk_size: number;
  readonly freed: number;
  readonly updated_at: string;
}

export interface QueryCard {
  readonly query_id: string;
  readonly name: string;
  readonly filter_summary?: string;
  readonly filter?: unknown;
  readonly index_id?: string;
  readonly selection_id?: string;
  readonly last_executed_at?: string;
  readonly runs?: readonly {
    readonly at: string;
    readonly selection_id: string;
    readonly matches: number;
    readonly size: number;
    readonly ms: number;
  }[];
}

export interface PlanCard {
  readonly plan_id: string;
  readonly selection_id: string;
  readonly index_id: string;
  readonly status: 'planned' | 'done' | 'undone';
  readonly items: number;
  readonly files: number;
  readonly dirs: number;
  readonly disk_size: number;
  readonly freed: number;
  readonly missing?: number;
  readonly warnings: Readonly<Record<string, number>>;
  readonly sample?: readonly {
    readonly path: string;
    readonly disk_size: number;
    readonly warnings?: readonly string[];
  }[];
}

export interface PlanOutcome {
  readonly moved: number;
  readonly disk_size: number;
  readonly failed: number;
  readonly failures?: readonly { readonly path: string; readonly reason: string }[];
}
