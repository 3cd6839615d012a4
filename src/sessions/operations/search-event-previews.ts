import { z } from 'zod';
import { countOf } from '../../contract/format.ts';
import { operation, page, type ReadonlyData, type TextStyle } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { SearchScope } from '../search/candidates.ts';
import type { Hit, SearchWork } from '../search/event-search.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import { freshness } from './index-freshness.ts';
import { searchByMeaning } from './search-by-meaning.ts';
import { type Search, type SearchInput, searchInput, searchOf } from './search-scope.ts';
import { SESSION_ALIASES } from './session-inputs.ts';
import { cut, iso, kindOf, placeNumber, placeText, shortTime, snip } from './session-text.ts';

export const matchSchema = z.object({
  session_id: z.string(),
  event_index: z.int(),
  turn_index: z.int().optional(),
  step_index: z.int().optional(),
  timestamp: z.string(),
  event_type: z.string(),
  tool: z.string().optional(),
  status: z.string().optional().describe('how the call ended if not well'),
  preview: z.string(),
  link: z.string().optional(),
});

const matchesSchema = z.object({
  total: z.int().optional().describe('matches in all pages, if they are few'),
  sessions: z.int().optional().describe('how many sessions have them'),
  order: z.enum(['newest', 'oldest', 'meaning']),
  unread: z.int().optional().describe('sessions that a search by meaning has not read yet'),
  matches: z.array(matchSchema),
});

export type Match = ReadonlyData<typeof matchSchema>;
export type Matches = ReadonlyData<typeof matchesSchema>;

/** Hits are counted for the total up to this number, as long as that takes no noticeable time. */
const MAX_COUNTED_HITS = 1_000;
const MAX_COUNTING_MS = 40;
const MAX_REVERSED_HITS = 20_000;
const MAX_PLAN_QUERY_LENGTH = 400;
const MAX_PREVIEW_LENGTH_IN_TEXT = 200;

export const searchEventPreviews = operation<SessionServices>()({
  name: 'search_event_previews',
  toolset: 'sessions',
  unlisted: ['provider', 'machine', 'person', 'until', 'min_bytes', 'order'],
  readOnly: true,
  explains: true,
  summary: 'Search the text of session events, or list calls by status or tool; newest first.',
  input: searchInput,
  data: matchesSchema,
  limit: { default: 10, max: 50 },
  rows: 'matches',
  rowLink: '/api/agent-sessions/{session_id}/events/{event_index}',
  aliases: { pattern: 'query', q: 'query', text: 'query', project_hash: 'project', ...SESSION_ALIASES },
  http: 'GET /api/agent-events',
  command: {
    words: 'sessions search',
    glance: true,
    positional: ['query'],
    examples: [
      'pinhole sessions search EADDRINUSE',
      'pinhole sessions search "fail(ed|ure)" --regex --since 7d',
      'pinhole sessions search --status failed --tool Bash',
      'pinhole sessions search --meaning "where we chose the cache format"',
    ],
  },

  async run(input, ctx) {
    const { sessions, signal, now, limit, url } = ctx;
    const meta = await freshness(sessions);
    if (input.meaning === true) return searchByMeaning(input, meta, ctx);
    const started = now();
    const search = await searchOf(input, ctx);
    const work: SearchWork = { candidates: 0, read: 0, matching: 0, hits: 0 };
    const { head, rest, total } =
      input.order === 'oldest'
        ? await oldestHits(matchesOf(sessions, search, signal, work))
        : await firstHits(sessions, search, signal, limit, work);
    const inSessions = total === undefined ? undefined : new Set(head.map((hit) => hit.session_id)).size;
    const first = head[0];
    return page<Match, Matches>({
      rows: chain(head, rest),
      position: (match) => [match.session_id, match.event_index],
      total,
      keep: {},
      shape: (matches) => ({ total, sessions: inSessions, order: input.order ?? 'newest', matches }),
      next: first && [callEventDetails({ session_id: first.session_id, event_index: first.event_index })],
      link: url(
        shortLink(
          pageLinks.sessionSearch({ q: input.query ?? '', regex: input.regex, session: input.session_id }),
        ),
      ),
      explain: () => planOf(input, search.scope, work, now() - started),
      meta: { ...meta, ms: now() - started },
    });
  },

  text: matchesText,
});

/**
 * `fb3cff44 e87 t2.3 22:11 result Bash  …text…`; a row of the same session as the row above has a space instead of the
 * id.
 */
function matchesText({ total, sessions, order, unread, matches }: Matches, style: TextStyle): string {
  if (matches.length === 0) return unread === undefined ? 'No matches.' : `No matches. ${unreadText(unread)}`;
  const counts =
    total === undefined || sessions === undefined
      ? []
      : [`${countOf(total, 'match', 'matches')} in ${countOf(sessions, 'session')}, ${order} first`];
  // First, because the answer may be in one of the unread sessions.
  if (unread !== undefined) counts.unshift(unreadText(unread));
  const rows = matches.map((match, at) => {
    const { session_id, timestamp, event_type, tool, status, preview } = match;
    const session = matches[at - 1]?.session_id === session_id ? '' : style.paint('id', session_id);
    const ended = status === 'ok' || status === undefined ? status : style.paint('problem', status);
    const what = [kindOf(event_type), tool, ended].filter((word) => word !== undefined).join(' ');
    const text =
      tool !== undefined && preview.startsWith(`${tool} `) ? preview.slice(tool.length + 1) : preview;
    return `${session} ${placeText(match)} ${shortTime(timestamp, style)} ${what}  ${snip(text, MAX_PREVIEW_LENGTH_IN_TEXT)}`;
  });
  return [...counts, ...rows].join('\n');
}

const unreadText = (unread: number) =>
  `${countOf(unread, 'session')} not read for meaning yet: ask again in a few seconds.`;

/** All hits, oldest first; if there are too many, only the newest of them, oldest first. */
async function oldestHits(found: AsyncGenerator<Match>) {
  const head: Match[] = [];
  for await (const match of found) {
    head.push(match);
    if (head.length >= MAX_REVERSED_HITS) break;
  }
  return {
    head: head.reverse(),
    rest: undefined,
    total: head.length < MAX_REVERSED_HITS ? head.length : undefined,
  };
}

/** Takes enough hits for a page; counts all of them if there are few. */
async function firstHits(
  sessions: Sessions,
  search: Search,
  signal: AbortSignal,
  limit: number,
  work: SearchWork,
) {
  const started = performance.now();
  const found = matchesOf(sessions, search, signal, work);
  const head: Match[] = [];
  for (;;) {
    const next = await found.next();
    if (next.done === true) return { head, rest: undefined, total: head.length };
    head.push(next.value);
    const late = head.length > limit && performance.now() - started > MAX_COUNTING_MS;
    if (late || head.length >= MAX_COUNTED_HITS) return { head, rest: found, total: undefined };
  }
}

export async function* matchesOf(
  sessions: Sessions,
  { query, scope }: Search,
  signal: AbortSignal,
  work?: SearchWork,
): AsyncGenerator<Match> {
  const ids = new Map<number, string>();
  for await (const hit of sessions.search.find(query, scope, signal, work)) {
    let id = ids.get(hit.key);
    if (id === undefined) {
      id = await sessions.list.shortIdOf(hit.key);
      ids.set(hit.key, id);
    }
    yield matchCard(id, hit);
  }
}

/** How the first page was found, for `format=explain`. */
function planOf(input: SearchInput, scope: SearchScope, { index, ...blocks }: SearchWork, ms: number) {
  const { sinceMs, untilMs, sessionKey, excludeKeys, calls, types, ...filters } = scope;
  return {
    kind: input.query === undefined ? 'filter' : input.regex === true ? 'regex' : 'substring',
    filters: {
      ...filters,
      ...calls,
      type: types?.join(', '),
      session_id: input.session_id,
      since: sinceMs === undefined ? undefined : iso(sinceMs),
      until: untilMs === undefined ? undefined : iso(untilMs),
      without_caller: (excludeKeys?.length ?? 0) > 0 || undefined,
    },
    steps: [
      index === undefined
        ? 'take every block of text, newest first'
        : 'take the blocks of text that the trigram index names, newest first',
      'unpack and search each block until the page is full',
      'look up places, times and calls of the matching events',
    ],
    index: index === undefined ? undefined : cut(index, MAX_PLAN_QUERY_LENGTH),
    blocks,
    ms,
  };
}

function matchCard(id: string, hit: Hit): Match {
  return {
    session_id: id,
    event_index: hit.event,
    turn_index: placeNumber(hit.turn),
    step_index: placeNumber(hit.step),
    timestamp: iso(hit.ms),
    event_type: hit.type,
    tool: hit.tool,
    status: hit.status === 'ok' ? undefined : hit.status,
    preview: hit.preview,
  };
}

async function* chain(
  head: readonly Match[],
  rest: AsyncGenerator<Match> | undefined,
): AsyncGenerator<Match> {
  yield* head;
  if (rest !== undefined) yield* rest;
}
