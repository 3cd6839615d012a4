import { call } from '../data/call.ts';

/** How much is loaded at a time: a result may have megabytes. */
const PORTION_BYTES = 250_000;

/** Where to continue: an offset in one of the events. */
interface Position {
  readonly event: number;
  readonly offset: number;
}

/** The part of a text that has been read from its events. */
export interface ReadText {
  readonly text: string;
  /** How many bytes are left in the current event; later events are not counted. */
  readonly left: number;
  readonly next: Position | undefined;
}

export const UNREAD: ReadText = { text: '', left: 0, next: { event: 0, offset: 0 } };

/** Reads the next portion of the text of the events, one event after the other. */
export async function readMore(
  session: string,
  events: readonly number[],
  before: ReadText,
  signal?: AbortSignal,
): Promise<ReadText> {
  let { text, left, next } = before;
  for (const start = text.length; next !== undefined && text.length - start < PORTION_BYTES / 2; ) {
    const at: Position = next;
    const event_index = events[at.event];
    if (event_index === undefined) break;
    const input = { session_id: session, event_index, offset: at.offset === 0 ? undefined : at.offset };
    const { data } = await call('get_event_details', input, { signal, maxBytes: PORTION_BYTES });
    text += `${at.event > 0 && at.offset === 0 ? '\n' : ''}${data.text ?? ''}`;
    left = data.next_offset === undefined ? 0 : data.total_bytes - data.next_offset;
    next =
      data.next_offset !== undefined
        ? { event: at.event, offset: data.next_offset }
        : at.event + 1 < events.length
          ? { event: at.event + 1, offset: 0 }
          : undefined;
  }
  return { text, left, next };
}
