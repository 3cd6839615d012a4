import { byteLength, toJson } from '../../contract/bytes.ts';
import type { Caller } from '../../contract/caller.ts';

type Reader = Pick<Caller, 'format'>;

/** Bytes of an answer besides the data: pagination, the next call, links and counts; text has only the next call. */
const BYTES_AROUND_JSON = 420;
const BYTES_AROUND_TEXT = 220;

/**
 * The bytes that an operation may fill when it shortens its answer itself: inside one long text, or in columns. The
 * contract fills answers row by row and cannot do that. `taken` is what the rest of the data needs.
 */
export function roomFor({ format }: Reader, budget: number, taken = 0): number {
  return budget - (format === 'json' ? BYTES_AROUND_JSON + taken : BYTES_AROUND_TEXT);
}

/** The bytes of a text in an answer: JSON escapes some characters. */
export function sizeIn({ format }: Reader, text: string): number {
  return format === 'json' ? byteLength(toJson(text)) - 2 : byteLength(text);
}
