import { countOf, momentText } from '../../contract/format.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { localClock, localDay } from '../../contract/zone.ts';
import type { EventType, Usage } from '../model/event.ts';
import type { SessionRow } from '../store/session-row.ts';

/** A time as answers show it, to the second; logs without times have zeros. */
export function iso(ms: number): string {
  return ms > 0 ? momentText(ms) : 'unknown';
}

/** What is needed to write a time: the current time, and the reader's zone. */
export type Clock = Pick<TextStyle, 'now' | 'zone'>;

/** `07-14 21:40` in the reader's zone; with the year if it is not the current one. */
export function clock(isoTime: string, { now, zone }: Clock): string {
  if (isoTime === 'unknown') return '-';
  const day = localDay(Date.parse(isoTime), zone);
  return `${withoutYear(day, localDay(now, zone))} ${hourOf(isoTime, { zone })}`;
}

/** A time for people, as short as possible: `21:40` today, `07-14` this year, `2025-07-14` before. */
export function shortTime(isoTime: string, { now, zone }: Clock): string {
  if (isoTime === 'unknown') return '-';
  const [day, today] = [localDay(Date.parse(isoTime), zone), localDay(now, zone)];
  return day === today ? hourOf(isoTime, { zone }) : withoutYear(day, today);
}

/** `21:40` in the reader's zone. */
export function hourOf(isoTime: string, { zone }: Pick<Clock, 'zone'>): string {
  return isoTime === 'unknown' ? '-' : localClock(Date.parse(isoTime), zone);
}

/** The day of a time in the reader's zone. */
export function dayOf(isoTime: string, { zone }: Pick<Clock, 'zone'>): string {
  return isoTime === 'unknown' ? '-' : localDay(Date.parse(isoTime), zone);
}

function withoutYear(day: string, today: string): string {
  return day.slice(0, -6) === today.slice(0, -6) ? day.slice(-5) : day;
}

/** At most `max` characters on one line, whole code points. */
export function snip(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  return `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** At most `max` characters with line breaks kept; says how many bytes are missing, as the contract does. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}…[+${Buffer.byteLength(text) - Buffer.byteLength(head)} bytes]`;
}

export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}

/** The number of a turn, step or call; the index stores -1 for events outside of any. */
export function placeNumber(number: number): number | undefined {
  return number < 0 ? undefined : number;
}

interface Place {
  readonly turn_index?: number | undefined;
  readonly step_index?: number | undefined;
  readonly event_index?: number | undefined;
}

/** `e9 t1.2`: an event, and the turn and step it belongs to. */
export function placeText({ event_index, turn_index, step_index }: Place): string {
  const step = step_index === undefined ? '' : `.${step_index}`;
  return [
    ...(event_index === undefined ? [] : [`e${event_index}`]),
    ...(turn_index === undefined ? [] : [`t${turn_index}${step}`]),
  ].join(' ');
}

/** ` (3 failed)`, or nothing if none did. */
export function failedText(failed: number): string {
  return failed === 0 ? '' : ` (${failed} failed)`;
}

/** `2 edits, 1 read`: what a session did with a file. */
export function touchText({ edits, reads }: { readonly edits: number; readonly reads: number }): string {
  return [
    ...(edits === 0 ? [] : [countOf(edits, 'edit')]),
    ...(reads === 0 ? [] : [countOf(reads, 'read')]),
  ].join(', ');
}

const KINDS: Readonly<Partial<Record<EventType, string>>> = {
  message: 'says',
  reasoning: 'thinks',
  tool_call: 'call',
  tool_result: 'result',
  token_usage: 'tokens',
  notification: 'note',
};

/** A type of event in one short word. */
export function kindOf(type: string): string {
  return Object.entries(KINDS).find(([name]) => name === type)?.[1] ?? type;
}

/** Tokens of a part of a session; undefined if its log has none, or only a total. */
export function countedTokens(
  { contextTokens }: Pick<SessionRow, 'contextTokens'>,
  tokens: number,
): number | undefined {
  return tokens > 0 || contextTokens > 0 ? tokens : undefined;
}

/** Tokens grouped by price; cache writes count as input. */
export function tokenSplit({ input, cacheWrite, tool, cached, output }: Usage) {
  return {
    input_tokens: input + cacheWrite + tool || undefined,
    cached_tokens: cached || undefined,
    output_tokens: output || undefined,
  };
}

/** A model's name without vendor and date. */
export function modelText(model: string): string {
  return model.replace(/^claude-/, '').replace(/-\d{8}$/, '');
}
