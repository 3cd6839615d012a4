import type { CallContext } from '../contract/operation.ts';
import type { Shells } from './browse/shells.ts';
import type { Disk } from './disk.ts';

/** What the operations of this subject need. */
export interface DiskServices {
  readonly disk: Disk;
  readonly shells: Shells;
}

export type DiskContext = CallContext & DiskServices;
