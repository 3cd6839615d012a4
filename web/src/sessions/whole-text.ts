import { call } from '../data/client.ts';
import type { EventDetails } from './types.ts';

/** Bytes that are shown at a time: a result may have megabytes. */
const PORTION = 250_000;

/** Where reading goes on: a place in one of the events. */
interface Next {
  readonly event: number;
  readonly offset: number;
}

/** What was read of the text of some events. */
export interface ReadText {
  readonly text: string;
  /** Bytes of the event that is being read; what is left of others is not counted. */
  readonly left: number;
  readonly next: Next | undefined;
}

export const UNREAD: ReadText = { text: '', left: 0, next: { event: 0, offset: 0 } };

/** Reads on: a portion more of the text of the events, one after the other. */
export async function readOn(
  base: string,
  events: readonly number[],
  before: ReadText,
  stop?: AbortSignal,
): Promise<ReadText> {
  let { text, left, next } = before;
  for (const start = text.length; next !== undefined && text.length - start < PORTION / 2; ) {
    const at: Next = next;
    const query = `max_bytes=${PORTION}${at.offset === 0 ? '' : `&offset=${at.offset}`}`;
    const { data } = await call<EventDetails>(
      'GET',
      `${base}/events/${events[at.event]}?${query}`,
      stop === undefined ? {} : { signal: stop },
    );
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
