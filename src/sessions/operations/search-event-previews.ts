import { z } from 'zod';
import type { Caller } from '../../contract/caller.ts';
import { fail } from '../../contract/errors.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { timeOf } from '../../contract/time.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import { EVENT_TYPES, type EventType } from '../model/event.ts';
import type { SearchScope } from '../search/candidates.ts';
import type { Hit, SearchWork } from '../search/event-search.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import { freshness } from './index-freshness.ts';
import {
  project,
  projectOf,
  provider,
  providerOf,
  SESSION_ALIASES,
  session_id,
  since,
  until,
} from './session-inputs.ts';
import { clock, cut, iso, placeNumber, placeText } from './session-text.ts';

export const matchSchema = z.object({
  session_id: z.string(),
  event_index: z.int(),
  turn_index: z.int().optional(),
  step_index: z.int().optional(),
  timestamp: z.string(),
  event_type: z.string(),
  preview: z.string(),
  link: z.string().optional(),
});

const matchesSchema = z.object({ matches: z.array(matchSchema) });

export type Match = ReadonlyData<typeof matchSchema>;

/** The type of event that is meant; `ToolCall` is the same as `tool_call`. */
function eventTypeOf(given: string | undefined): EventType | undefined {
  if (given === undefined) return undefined;
  const name = given.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  const known = EVENT_TYPES.find((one) => one === name);
  return known ?? fail('invalid_parameter', `event_type must be one of ${EVENT_TYPES.join(', ')}.`);
}

export const searchEventPreviewsInput = z.strictObject({
  query: z
    .string()
    .describe(
      'text to look for, ignoring case; with event_type tool_call, the exact name of a tool finds its calls',
    ),
  regex: z.boolean().optional().describe('treat the query as a regular expression'),
  session_id: session_id.optional(),
  provider: provider.optional(),
  project: project.optional(),
  event_type: z
    .string()
    .optional()
    .describe(`one of ${EVENT_TYPES.join(', ')}`),
  since: since.optional(),
  until: until.optional(),
});

export type SearchInput = z.infer<typeof searchEventPreviewsInput>;

/** Hits are counted for the total up to this number, as long as that takes no noticeable time. */
const MAX_COUNTED = 200;
const MAX_COUNTING_MS = 15;
const MAX_PLAN_QUERY = 400;

export const searchEventPreviews = operation<SessionServices>()({
  name: 'search_event_previews',
  toolset: 'sessions',
  readOnly: true,
  explains: true,
  summary: 'Search the text of session events.',
  input: searchEventPreviewsInput,
  data: matchesSchema,
  limit: { default: 10, max: 50 },
  rows: 'matches',
  rowLink: '/api/agent-sessions/{session_id}/events/{event_index}',
  aliases: { pattern: 'query', q: 'query', text: 'query', project_hash: 'project', ...SESSION_ALIASES },
  http: 'GET /api/agent-events',
  command: {
    words: 'sessions search',
    positional: ['query'],
    examples: [
      'pinhole sessions search EADDRINUSE',
      'pinhole sessions search "fail(ed|ure)" --regex --since 7d',
    ],
  },

  async run(input, ctx) {
    const { sessions, signal, now, limit, url } = ctx;
    const meta = await freshness(sessions);
    const started = now();
    const scope = await scopeOf(input, sessions, ctx.caller, now());
    const work: SearchWork = { candidates: 0, read: 0, matching: 0, hits: 0 };
    const { head, rest, total } = await firstHits(sessions, input, scope, signal, limit, work);
    const sessionCount = new Set(head.map((hit) => hit.session_id)).size;
    const first = head[0];
    return page<Match, ReadonlyData<typeof matchesSchema>>({
      rows: chain(head, rest),
      position: (match) => [match.session_id, match.event_index],
      total,
      keep: {},
      shape: (matches) => ({ matches }),
      next: first && [callEventDetails({ session_id: first.session_id, event_index: first.event_index })],
      link: url(
        shortLink(pageLinks.sessionSearch({ q: input.query, regex: input.regex, session: input.session_id })),
      ),
      explain: () => planOf(input, scope, work, now() - started),
      meta: { ...meta, ms: now() - started, ...(total === undefined ? {} : { sessions: sessionCount }) },
    });
  },

  text: ({ matches }, { now }) =>
    matches.length === 0
      ? 'No matches.'
      : matches
          .map(
            (match) =>
              `${match.session_id} ${placeText(match)} ${clock(match.timestamp, now)} ${match.event_type}  ${match.preview}`,
          )
          .join('\n'),
});

export async function scopeOf(
  input: SearchInput,
  sessions: Sessions,
  caller: Pick<Caller, 'session' | 'cwd'>,
  now: number,
): Promise<SearchScope> {
  if (input.query === '') fail('invalid_parameter', 'query must not be empty.');
  const session = input.session_id === undefined ? undefined : await sessions.list.find(input.session_id);
  const own =
    session === undefined && caller.session !== undefined ? await keyOf(sessions, caller.session) : undefined;
  const type = eventTypeOf(input.event_type);
  // A search for Read among calls means the tool, not every command with a README.
  const named = type === 'tool_call' && input.regex !== true && (await sessions.events.isTool(input.query));
  return {
    sessionKey: session?.key,
    excludeKeys: own === undefined ? [] : [own],
    provider: providerOf(sessions, input.provider),
    project: projectOf(input.project, caller),
    type,
    tool: named ? input.query : undefined,
    sinceMs: timeOf('since', input.since, now),
    untilMs: timeOf('until', input.until, now),
  };
}

/** The calling session does not find itself; it may not be indexed yet. */
async function keyOf(sessions: Sessions, id: string): Promise<number | undefined> {
  try {
    return (await sessions.list.find(id)).key;
  } catch {
    return undefined;
  }
}

/** Takes enough hits for a page; counts all of them if they are few. */
async function firstHits(
  sessions: Sessions,
  input: SearchInput,
  scope: SearchScope,
  signal: AbortSignal,
  limit: number,
  work: SearchWork,
) {
  const started = performance.now();
  const found = matchesOf(sessions, input, scope, signal, work);
  const head: Match[] = [];
  for (;;) {
    const next = await found.next();
    if (next.done === true) return { head, rest: undefined, total: head.length };
    head.push(next.value);
    const late = head.length > limit && performance.now() - started > MAX_COUNTING_MS;
    if (late || head.length >= MAX_COUNTED) return { head, rest: found, total: undefined };
  }
}

export async function* matchesOf(
  sessions: Sessions,
  input: SearchInput,
  scope: SearchScope,
  signal: AbortSignal,
  work?: SearchWork,
): AsyncGenerator<Match> {
  const ids = new Map<number, string>();
  for await (const hit of sessions.search.find(input.query, input.regex === true, scope, signal, work)) {
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
  const { sinceMs, untilMs, sessionKey, excludeKeys, ...filters } = scope;
  return {
    kind: input.regex === true ? 'regex' : 'substring',
    filters: {
      ...filters,
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
      'look up places and times of the matching events',
    ],
    index: index === undefined ? undefined : cut(index, MAX_PLAN_QUERY),
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
