import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { isBroken, unpackBytes, unpackMarks } from '../ingest/blocks.ts';
import type { EventType } from '../model/event.ts';
import { int, optional } from '../store/session-row.ts';
import type { IndexedTexts } from '../store/texts.ts';
import { callCondition, filtersCalls } from './call-filter.ts';
import { type Candidate, candidateBlocks, type SearchScope } from './candidates.ts';
import { previewAround } from './preview.ts';
import type { Match, Matcher } from './text-matcher.ts';

export interface Hit {
  readonly key: number;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly type: EventType;
  /** Of the call that the event belongs to. */
  readonly tool?: string | undefined;
  readonly status?: string | undefined;
  readonly preview: string;
}

/** How many blocks are read at once: few at first, because a common text is in one of those. */
const FIRST_BLOCKS = 16;
const MAX_BLOCKS = 64;

/** The work a search has done so far, for plans and tests. */
export interface SearchWork {
  /** The index query that every block with a match satisfies; undefined when all blocks are read. */
  index?: string | undefined;
  /** Blocks that may contain a match, blocks that were read, and blocks that contained one. */
  candidates: number;
  read: number;
  matching: number;
  hits: number;
}

/** Where a search looks. */
export interface SearchIndex {
  readonly db: Database;
  readonly texts: IndexedTexts;
}

/** Events whose text matches, newest first, found on demand. */
export async function* searchEvents(
  { db, texts }: SearchIndex,
  matcher: Matcher,
  scope: SearchScope,
  signal: AbortSignal,
  work: SearchWork = { candidates: 0, read: 0, matching: 0, hits: 0 },
): AsyncGenerator<Hit> {
  work.index = matcher.blocks;
  // Hits from blocks that overlap in time wait here until nothing newer can come.
  let waiting: Hit[] = [];
  // A long text spans several blocks, but its event is one hit.
  const seen = new Set<string>();
  for await (const portion of candidateBlocks(db, matcher.blocks, scope)) {
    work.candidates += portion.length;
    for (let from = 0, end = 0; from < portion.length; from = end) {
      signal.throwIfAborted();
      if (from > 0) await setImmediate();
      end = from + (work.read < MAX_BLOCKS ? FIRST_BLOCKS : MAX_BLOCKS);
      const blocks = portion.slice(from, end);
      for (const hit of await hitsIn({ db, texts }, blocks, matcher, scope, work)) {
        const name = `${hit.key}:${hit.event}`;
        if (!seen.has(name)) waiting.push(hit);
        seen.add(name);
      }
      work.hits = seen.size;
      if (waiting.length === 0) continue;
      // The next portion is not newer than the last block of this one.
      const newestLeft = portion[end]?.maxMs ?? blocks.at(-1)?.maxMs ?? 0;
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

const bodiesOf = (count: number) =>
  `SELECT block, marks, body FROM bodies WHERE block IN (${Array(count).fill('?').join(', ')})`;
const FIRST_BODIES = bodiesOf(FIRST_BLOCKS);
const MAX_BODIES = bodiesOf(MAX_BLOCKS);

async function hitsIn(
  { db, texts }: SearchIndex,
  blocks: readonly Candidate[],
  matcher: Matcher,
  scope: SearchScope,
  work: SearchWork,
): Promise<readonly Hit[]> {
  const [length, sql] =
    blocks.length <= FIRST_BLOCKS ? [FIRST_BLOCKS, FIRST_BODIES] : [MAX_BLOCKS, MAX_BODIES];
  const numbers = Array.from({ length }, (_, index) => blocks[index]?.id ?? -1);
  const stored = new Map((await db.all(sql, ...numbers)).map((row) => [int(row.block), row]));
  const found: Found[] = [];
  for (const { id, session } of blocks) {
    const row = stored.get(id);
    if (!(row?.body instanceof Uint8Array)) continue;
    const matches = matcher.matches(unpackBytes(row.body));
    work.read++;
    if (matches.length === 0) continue;
    work.matching++;
    const marks = unpackMarks(String(row.marks));
    for (const match of matches) {
      const mark = marks[match.piece];
      if (mark === undefined || !wanted(mark.type, scope)) continue;
      if (isBroken(mark, match.text) && !(await holdsWhole(texts, session, mark.event, matcher))) continue;
      found.push({ key: session, event: mark.event, type: mark.type, match });
    }
  }
  return placed(db, found, scope);
}

/** Checks the whole text: where a piece ends inside a line, a match at its end may not match the whole line. */
async function holdsWhole(
  texts: IndexedTexts,
  key: number,
  event: number,
  { holds }: Matcher,
): Promise<boolean> {
  if (holds === undefined) return true;
  return holds((await texts({ key }, event, event)).get(event) ?? '');
}

/** Token counts are only found on request; otherwise they are noise. */
function wanted(type: EventType, { types }: SearchScope): boolean {
  return types === undefined ? type !== 'token_usage' : types.includes(type);
}

interface Found {
  readonly key: number;
  readonly event: number;
  readonly type: EventType;
  readonly match: Match;
}

/** How many events are looked up at once. */
const EVENTS_AT_ONCE = 64;
const WANTED = `WITH wanted (session, idx) AS (VALUES ${Array(EVENTS_AT_ONCE).fill('(?, ?)').join(', ')})`;

/** Adds the turn, step, time and call of each event; drops events outside the requested time or of other calls. */
async function placed(db: Database, found: readonly Found[], scope: SearchScope): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  const [condition, ...values] = callCondition(scope.calls ?? {});
  const join = filtersCalls(scope.calls ?? {}) ? 'JOIN' : 'LEFT JOIN';
  for (let from = 0; from < found.length; from += EVENTS_AT_ONCE) {
    const some = found.slice(from, from + EVENTS_AT_ONCE);
    const wanted = Array.from({ length: EVENTS_AT_ONCE }, (_, at) => [
      some[at]?.key ?? -1,
      some[at]?.event ?? -1,
    ]);
    const rows = await db.all(
      `${WANTED} SELECT e.session, e.idx, e.turn, e.step, e.ms, c.name, c.status, c.check_failed
       FROM wanted w JOIN events e ON e.session = w.session AND e.idx = w.idx
       ${join} tools c ON c.session = e.session AND c.call = e.call AND ${condition}`,
      ...wanted.flat(),
      ...values,
    );
    const places = new Map(rows.map((row) => [`${int(row.session)}:${int(row.idx)}`, row]));
    for (const { key, event, type, match } of some) {
      const place = places.get(`${key}:${event}`);
      const ms = int(place?.ms);
      const outside = ms < (scope.sinceMs ?? 0) || ms > (scope.untilMs ?? Number.POSITIVE_INFINITY);
      if (place === undefined || outside) continue;
      const preview = previewAround(match.text, match.at, match.length);
      const tool = optional(place.name);
      const status = int(place.check_failed) === 1 ? 'failed' : optional(place.status);
      hits.push({
        key,
        event,
        turn: int(place.turn),
        step: int(place.step),
        ms,
        type,
        tool,
        status,
        preview,
      });
    }
  }
  return hits;
}
