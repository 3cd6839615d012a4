import type { IndexedFile } from './semantic-segment.ts';

/** `PINHSEG` and the version of this layout. */
export const MAGIC = 'PINHSEG1';
/** Before the header: the magic, and the header's length at byte 8. */
export const PREFIX_BYTES = 16;
const ALIGN = 8;

/** First in a segment file, as JSON; arrays follow, each at a multiple of eight bytes. */
export interface Header {
  readonly model: string;
  readonly dimensions: number;
  readonly files: readonly IndexedFile[];
  /** Name, first byte after the header, bytes. */
  readonly sections: readonly (readonly [name: string, start: number, bytes: number])[];
}

/** The next place at which an array may start. */
export function padded(bytes: number): number {
  return Math.ceil(bytes / ALIGN) * ALIGN;
}
