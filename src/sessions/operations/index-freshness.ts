import type { Freshness } from '../log-reading.ts';
import type { Sessions } from '../sessions.ts';

const MAX_WAIT_MS = 1_500;

/** Waits briefly for logs that are being read, so that new text is found; says how far reading is if it continues. */
export async function freshness(
  sessions: Sessions,
): Promise<{ readonly indexing?: Omit<Freshness, 'fresh'> }> {
  const { fresh, ...progress } = await sessions.reading.settled(MAX_WAIT_MS);
  return fresh ? {} : { indexing: progress };
}
