/** Shapes of the answers on disks. */

export type Kind = 'dir' | 'file' | 'symlink' | 'other';

export interface Entry {
  readonly node_id?: string;
  readonly name: string;
  readonly kind: Kind;
  readonly size?: number;
  readonly disk_size?: number;
  readonly counts?: { readonly files: number; readonly dirs: number };
  readonly modified_at?: string;
}

export interface Listing {
  readonly cwd: string;
  readonly breadcrumb: readonly string[];
  readonly shell: string;
  readonly index_id?: string;
  readonly node_id?: string;
  readonly scanned?: string;
  readonly entries: readonly Entry[];
  readonly rest?: { readonly entries: number; readonly size: number };
}

export interface IndexCard {
  readonly index_id: string;
  readonly root: string;
  readonly files?: number;
  readonly dirs?: number;
  readonly size?: number;
  readonly disk_size?: number;
  readonly scanned_at?: string;
  readonly generation?: number;
  readonly status?: string;
}
