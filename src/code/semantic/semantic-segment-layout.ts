import type { IndexedFile } from './semantic-segment.ts';

/** `PINHSEG` and the version of this layout. */
export const MAGIC = 'PINHSEG2';
/** Before the header: the magic, and the header's length at byte 8. */
export const PREFIX_BYTES = 16;
const ALIGN_BYTES = 8;

/** The JSON at the start of a segment file; arrays follow, each at a multiple of eight bytes. */
export interface Header {
  readonly model: string;
  readonly dimensions: number;
  readonly files: readonly IndexedFile[];
  /** Name, offset after the header, and length in bytes. */
  readonly sections: readonly (readonly [name: string, start: number, bytes: number])[];
}

/** The next offset at which an array may start. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES;
}
