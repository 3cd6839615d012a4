import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { unpackBytes, unpackMarks } from '../ingest/blocks.ts';
import type { EventType } from '../model/event.ts';
import { int } from '../store/rows.ts';
import { type Candidate, candidateBlocks, type SearchScope } from './candidates.ts';
import type { Matcher } from './matcher.ts';
import { previewAround } from './preview.ts';

export interface Hit {
  readonly key: number;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly type: EventType;
  readonly preview: string;
}

/** More events than a session has. */
const MOST_EVENTS = 2 ** 26;
/** Others get their turn after so much work. */
const SLICE_MS = 8;

/** Events whose text matches, newest first, found as they are asked for. */
export async function* searchEvents(
  db: Database,
  matcher: Matcher,
  scope: SearchScope,
  signal: AbortSignal,
): AsyncGenerator<Hit> {
  // Hits of blocks that overlap in time wait here until nothing newer can come.
  let waiting: Hit[] = [];
  // A long text stands in several blocks; its event is one hit.
  const seen = new Set<number>();
  let rested = performance.now();
  for await (const portion of candidateBlocks(db, matcher.blocks, scope)) {
    for (const [index, candidate] of portion.entries()) {
      signal.throwIfAborted();
      if (performance.now() - rested > SLICE_MS) {
        await setImmediate();
        rested = performance.now();
      }
      for (const hit of await hitsIn(db, candidate, matcher, scope)) {
        const name = hit.key * MOST_EVENTS + hit.event;
        if (!seen.has(name)) waiting.push(hit);
        seen.add(name);
      }
      if (waiting.length === 0) continue;
      // What comes in the next portion is not newer than the last block of this one.
      const newestLeft = portion[index + 1]?.maxMs ?? candidate.maxMs;
      waiting.sort(newestFirst);
      const ready = waiting.findIndex((hit) => hit.ms < newestLeft);
      yield* ready < 0 ? waiting : waiting.slice(0, ready);
      waiting = ready < 0 ? [] : waiting.slice(ready);
    }
  }
  yield* waiting;
}

function newestFirst(a: Hit, b: Hit): number {
  return b.ms - a.ms || b.key - a.key || b.event - a.event;
}

async function hitsIn(
  db: Database,
  { id, session: key }: Candidate,
  matcher: Matcher,
  scope: SearchScope,
): Promise<readonly Hit[]> {
  const row = await db.get('SELECT marks, body FROM bodies WHERE block = ?', id);
  if (row === undefined || !(row.body instanceof Uint8Array)) return [];
  const matches = matcher.matches(unpackBytes(row.body));
  if (matches.length === 0) return [];
  const marks = unpackMarks(String(row.marks));
  const hits = new Map<number, Hit>();
  for (const { piece, text, at, length } of matches) {
    const { event, type } = marks[piece] ?? { event: -1, type: 'notification' };
    if (hits.has(event) || (scope.type !== undefined && type !== scope.type)) continue;
    const place = await db.get(
      'SELECT turn, step, ms FROM events WHERE session = ? AND idx = ?',
      ...[key, event],
    );
    const ms = int(place?.ms);
    const outside = ms < (scope.sinceMs ?? 0) || ms > (scope.untilMs ?? Number.POSITIVE_INFINITY);
    if (place === undefined || outside) continue;
    const preview = previewAround(text, at, length);
    hits.set(event, { key, event, turn: int(place.turn), step: int(place.step), ms, type, preview });
  }
  return [...hits.values()];
}
