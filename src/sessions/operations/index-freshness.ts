import type { Freshness } from '../log-reading.ts';
import type { Sessions } from '../sessions.ts';

const MAX_WAIT_MS = 1_500;

/** Waits briefly for logs that are being read, so that new text is found; reports progress if reading continues. */
export async function freshness(
  sessions: Sessions,
): Promise<{ readonly indexing?: Omit<Freshness, 'fresh'> }> {
  const { fresh, ...progress } = await sessions.reading.settled(MAX_WAIT_MS);
  return fresh ? {} : { indexing: progress };
}
