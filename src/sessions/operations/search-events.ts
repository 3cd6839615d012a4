import { z } from 'zod';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { callEventDetails } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import { freshness } from './index-freshness.ts';
import { type Match, matchesOf, matchSchema } from './search-event-previews.ts';
import { searchInput, searchOf } from './search-scope.ts';
import { cut } from './session-text.ts';

const fullMatchSchema = matchSchema.extend({
  payload: z.string().optional().describe('the whole event, cut if it is very long'),
});

const fullMatchesSchema = z.object({ matches: z.array(fullMatchSchema) });

type FullMatch = ReadonlyData<typeof fullMatchSchema>;

const MAX_PAYLOAD_LENGTH = 5_000;

const { query, ...filters } = searchInput.shape;

export const searchEvents = operation<SessionServices>()({
  name: 'search_events',
  toolset: 'legacy',
  readOnly: true,
  summary: 'Deprecated: use search_event_previews, then get_event_details.',
  input: z.strictObject({
    pattern: query,
    ...filters,
    include_full_payload: z.boolean().optional().describe('whole events instead of previews'),
  }),
  data: fullMatchesSchema,
  limit: { default: 10, max: 50 },
  rows: 'matches',
  unlisted: ['regex', 'machine', 'person', 'since', 'until'],
  aliases: { query: 'pattern', project_hash: 'project' },

  async run({ pattern, include_full_payload, ...rest }, ctx) {
    const { sessions, signal } = ctx;
    const meta = await freshness(sessions);
    const search = await searchOf({ ...rest, query: pattern }, ctx);
    return page<FullMatch, ReadonlyData<typeof fullMatchesSchema>>({
      rows: withPayload(sessions, matchesOf(sessions, search, signal), include_full_payload === true),
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
    yield { ...match, payload: cut(text, MAX_PAYLOAD_LENGTH) };
  }
}
