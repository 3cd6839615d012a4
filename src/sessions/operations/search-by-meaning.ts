import { fail } from '../../contract/errors.ts';
import { type CallContext, type Page, page } from '../../contract/operation.ts';
import { pageLinks, shortLink } from '../../page/page-links.ts';
import { callEventDetails } from '../calls.ts';
import type { FoundSession } from '../meaning/rank-sessions.ts';
import type { SessionServices } from '../services.ts';
import type { Match, Matches } from './search-event-previews.ts';
import { type SearchInput, searchOf } from './search-scope.ts';
import { cut, iso, placeNumber } from './session-text.ts';

/** How many sessions are filtered before ranking. */
const MAX_SESSIONS = 100_000;
const MAX_PREVIEW_LENGTH = 300;
/** Passages shown per session; the best passage of the next session says more than a third one. */
const MAX_SHOWN_PER_SESSION = 2;

/**
 * The sessions whose prompts and answers match the question in meaning, the best first, each with its best passages.
 */
export async function searchByMeaning(
  input: SearchInput,
  meta: Readonly<Record<string, unknown>> | undefined,
  ctx: CallContext & SessionServices,
): Promise<Page<never, Matches>> {
  const { sessions, meaning, url } = ctx;
  const text = input.query?.trim() ?? '';
  const calls = [input.status, input.tool, input.check, input.min_bytes, input.event_type];
  if (text === '' || input.regex === true || calls.some((filter) => filter !== undefined))
    fail('invalid_parameter', 'meaning takes a query in plain words, and no regex or filters on calls.');
  const { scope } = await searchOf({ ...input, query: text }, ctx);
  const { provider, project, machine, person, sinceMs, untilMs } = scope;
  const listed = await sessions.list.page(
    { provider, project, machine, person, sinceMs, untilMs },
    undefined,
    MAX_SESSIONS,
  );
  const visible = listed.filter(
    ({ key }) =>
      scope.excludeKeys?.includes(key) !== true &&
      (scope.sessionKey === undefined || scope.sessionKey === key),
  );
  const { found, unread } = await meaning.search(text, {
    sessions: new Set(visible.map(({ id }) => id)),
    ...{ sinceMs, untilMs },
  });
  const [first] = found;
  return page<Match, Matches>({
    rows: rows(found, ctx),
    position: ({ session_id, event_index }) => [session_id, event_index],
    keep: {},
    shape: (matches) => ({ order: 'meaning', unread: unread === 0 ? undefined : unread, matches }),
    next: first && [
      callEventDetails({
        session_id: await sessions.list.shortId(first.session),
        event_index: first.passages[0]?.event ?? 0,
      }),
    ],
    link: url(shortLink(pageLinks.sessionSearch({ q: text, regex: undefined, session: input.session_id }))),
    meta,
  });
}

async function* rows(found: readonly FoundSession[], { sessions }: SessionServices): AsyncGenerator<Match> {
  for (const { session: id, passages } of found) {
    const session = await sessions.list.find(id);
    const session_id = await sessions.list.shortId(id);
    const shown = new Set<number>();
    for (const { event, turn, ms } of passages) {
      // Several passages of one long message may be among the best.
      if (shown.has(event) || shown.size === MAX_SHOWN_PER_SESSION) continue;
      shown.add(event);
      const meta = await sessions.events.at(session, event);
      const text = (await sessions.events.texts(session, event, event)).get(event) ?? '';
      yield {
        session_id,
        event_index: event,
        turn_index: placeNumber(turn),
        timestamp: iso(ms),
        event_type: meta.type,
        preview: cut(text.trim().replace(/\s+/g, ' '), MAX_PREVIEW_LENGTH),
      };
    }
  }
}
