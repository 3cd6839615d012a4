import { byteLength, toJson } from '../../contract/bytes.ts';
import type { Caller } from '../../contract/caller.ts';

type Reader = Pick<Caller, 'format'>;

/** What an answer has besides the data: pagination, the next call, links and counts; text has only the next call. */
const AROUND_JSON = 420;
const AROUND_TEXT = 220;

/**
 * The bytes that an operation may fill when it cuts its answer itself: inside one long text, or into columns. The
 * contract fills answers row by row and cannot do that. `taken` is what the rest of the data needs.
 */
export function roomFor({ format }: Reader, budget: number, taken = 0): number {
  return budget - (format === 'json' ? AROUND_JSON + taken : AROUND_TEXT);
}

/** What a text takes in an answer: JSON escapes some of it. */
export function sizeIn({ format }: Reader, text: string): number {
  return format === 'json' ? byteLength(toJson(text)) - 2 : byteLength(text);
}
