import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import { callEventDetails } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import { type Match, matchesOf, type SearchInput, scopeOf } from './search-event-previews.ts';
import { cut, freshness, provider, type SessionServices, timeInput } from './shared.ts';

interface FullMatch extends Match {
  readonly payload?: string | undefined;
}

const PAYLOAD = 5_000;

export const searchEvents = operation<SessionServices>()({
  name: 'search_events',
  toolset: 'legacy',
  readOnly: true,
  summary: 'Deprecated: use search_event_previews, then get_event_details.',
  input: z.strictObject({
    pattern: z.string(),
    regex: z.boolean().optional(),
    session_id: z.string().optional(),
    provider: provider.optional(),
    project: z.string().optional(),
    event_type: z.string().optional(),
    since: timeInput.optional(),
    until: timeInput.optional(),
    include_full_payload: z.boolean().optional(),
  }),
  limit: { default: 10, max: 50 },
  rows: 'matches',
  columns: [
    'session_id',
    'event_index',
    'turn_index',
    'step_index',
    'timestamp',
    'event_type',
    'preview',
    'link',
    'payload',
  ],
  unlisted: ['regex', 'since', 'until'],
  aliases: { query: 'pattern', project_hash: 'project' },

  async run({ pattern, include_full_payload, ...rest }, { sessions, caller, signal, now }) {
    const meta = await freshness(sessions);
    const search: SearchInput = { ...rest, query: pattern };
    const scope = await scopeOf(search, sessions, caller, now());
    return page<FullMatch, { matches: readonly FullMatch[] }>({
      rows: withPayload(sessions, matchesOf(sessions, search, scope, signal), include_full_payload === true),
      position: (match) => [match.session_id, match.event_index],
      keep: {},
      shape: (matches) => ({ matches }),
      whole: (match) => callEventDetails({ session_id: match.session_id, event_index: match.event_index }),
      meta,
    });
  },

  text: ({ matches }) =>
    matches.map((match) => `${match.session_id} e${match.event_index}  ${match.preview}`).join('\n'),
});

async function* withPayload(
  sessions: Sessions,
  matches: AsyncIterable<Match>,
  wanted: boolean,
): AsyncGenerator<FullMatch> {
  for await (const match of matches) {
    if (!wanted) {
      yield match;
      continue;
    }
    const session = await sessions.list.find(match.session_id);
    const event = await sessions.events.at(session, match.event_index);
    const { text } = await sessions.events.text(session, event, false);
    yield { ...match, payload: cut(text, PAYLOAD) };
  }
}
