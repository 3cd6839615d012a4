import type { Caller } from '../../contract/caller.ts';
import { redact } from '../../contract/redact.ts';
import { isObject, type JsonObject } from '../model/log-json.ts';
import type { Sessions } from '../sessions.ts';
import type { EventMeta, EventText } from '../store/event-store.ts';
import type { SessionRow } from '../store/session-row.ts';

/** The whole text of an event; in a text answer, the arguments of a call in readable form. */
export async function readableText(
  sessions: Sessions,
  session: SessionRow,
  event: EventMeta,
  { format }: Pick<Caller, 'format'>,
): Promise<EventText> {
  const exact = await sessions.events.text(session, event, false);
  if (format === 'json' || event.type !== 'tool_call') return exact;
  const args = await argumentsOf(sessions, session, event);
  return args === undefined ? exact : { ...exact, text: redact(decoded(args)) };
}

/** The arguments of a call as logged, unredacted; undefined when the log is gone. */
export async function argumentsOf(
  sessions: Sessions,
  session: SessionRow,
  event: EventMeta,
): Promise<JsonObject | undefined> {
  return event.type === 'tool_call' ? (await sessions.events.part(session, event))?.args : undefined;
}

/** Arguments as lines `name: value`; long texts keep their line breaks. */
function decoded(args: JsonObject): string {
  const entries = Object.entries(args);
  const [only] = entries;
  if (entries.length === 1 && typeof only?.[1] === 'string') return only[1];
  return entries
    .map(([name, value]) => {
      const text =
        typeof value === 'string'
          ? value
          : isObject(value) || Array.isArray(value)
            ? JSON.stringify(value)
            : String(value);
      return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
    })
    .join('\n');
}
