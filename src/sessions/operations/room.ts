/** What the envelope around the data takes: pagination, the next call, links and counts. */
const ENVELOPE_BYTES = 420;

/**
 * The bytes of JSON that an operation may fill when it cuts its answer itself: inside one long text, or into columns.
 * The contract fills answers row by row and cannot do that. `taken` is what the rest of the data needs.
 */
export function roomFor(budget: number, taken = 0): number {
  return budget - ENVELOPE_BYTES - taken;
}
