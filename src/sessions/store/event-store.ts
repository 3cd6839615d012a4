import { fail } from '../../contract/errors.ts';
import { redact } from '../../contract/redact.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { EVENT_TYPES, type EventType, type Part, type ToolStatus } from '../model/event.ts';
import { isObject, parseRecord } from '../model/json.ts';
import { FLAG } from '../model/rows.ts';
import { READERS } from '../providers/readers.ts';
import { leadingObject } from '../read/document.ts';
import { formatOf, readBytes } from '../read/source.ts';
import { spilledText } from '../read/spilled.ts';
import { int, optional, optionalInt, type SessionRow, statusOf, str } from './rows.ts';
import { indexedTexts } from './texts.ts';

export interface EventMeta {
  readonly index: number;
  readonly type: EventType;
  readonly flags: number;
  readonly label: string;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly offset: number;
  readonly length: number;
  readonly part: number;
  readonly name: string | undefined;
  readonly call: number;
  readonly status: ToolStatus | undefined;
  readonly exitCode: number | undefined;
  readonly bytes: number;
}

export function eventMeta(row: SqlRow): EventMeta {
  return {
    index: int(row.idx),
    type: EVENT_TYPES[int(row.type)] ?? 'notification',
    flags: int(row.flags),
    label: str(row.label),
    turn: int(row.turn),
    step: int(row.step),
    ms: int(row.ms),
    offset: int(row.pos),
    length: int(row.length),
    part: int(row.part),
    name: optional(row.name),
    call: int(row.call),
    status: statusOf(row.status),
    exitCode: optionalInt(row.exit_code),
    bytes: int(row.bytes),
  };
}

export const EVENT_COLUMNS = `e.idx, e.type, e.flags, l.label, e.turn, e.step, e.ms, e.pos, e.length, e.part, e.name,
  e.call, e.status, e.exit_code, e.bytes`;

/** Events of a session between two indexes, both included. */
export async function eventRange(
  db: Database,
  session: number,
  first: number,
  last: number,
): Promise<readonly EventMeta[]> {
  const rows = await db.all(
    `SELECT ${EVENT_COLUMNS} FROM events e LEFT JOIN labels l ON l.id = e.label
     WHERE e.session = ? AND e.idx BETWEEN ? AND ? ORDER BY e.idx`,
    ...[session, first, last],
  );
  return rows.map(eventMeta);
}

/** Events of some steps of a turn, and of the prompt when `from` is -1. */
export async function eventsOfSteps(
  db: Database,
  session: number,
  range: {
    readonly first: number;
    readonly last: number;
    readonly turn: number;
    readonly from: number;
    readonly to: number;
  },
): Promise<readonly EventMeta[]> {
  const rows = await db.all(
    `SELECT ${EVENT_COLUMNS} FROM events e LEFT JOIN labels l ON l.id = e.label
     WHERE e.session = ? AND e.idx BETWEEN ? AND ? AND e.turn = ? AND e.step BETWEEN ? AND ? ORDER BY e.idx`,
    ...[session, range.first, range.last, range.turn, range.from, range.to],
  );
  return rows.map(eventMeta);
}

export async function eventAt(db: Database, session: SessionRow, index: number): Promise<EventMeta> {
  const [event] = await eventRange(db, session.key, index, index);
  if (event === undefined) {
    fail(
      'invalid_event_index',
      `Event ${index} does not exist; session ${session.id.slice(0, 8)} has events 0..${session.events - 1}.`,
      { details: { requested_index: index, max_index: session.events - 1 } },
    );
  }
  return event;
}

export interface CallPair {
  readonly call: number;
  readonly result: number | undefined;
  readonly status: ToolStatus | undefined;
  readonly exitCode: number | undefined;
}

/** A call with the event that answered it. */
export async function pairOf(db: Database, session: number, call: number): Promise<CallPair | undefined> {
  const row = await db.get(
    'SELECT result, status, exit_code FROM tools WHERE session = ? AND call = ?',
    ...[session, call],
  );
  if (row === undefined) return undefined;
  const result = int(row.result);
  return {
    call,
    result: result < 0 ? undefined : result,
    status: statusOf(row.status),
    exitCode: optionalInt(row.exit_code),
  };
}

export interface EventText {
  readonly text: string;
  /** Where the text comes from: the log or its copy, the file of a large output, or the index when both are gone. */
  readonly source: 'log' | 'archive' | 'spilled' | 'index';
}

/** The log of a session, its copy in the archive when the client deleted it, or undefined when there is neither. */
export async function logPath(db: Database, session: number): Promise<string | undefined> {
  const row = await db.get(
    'SELECT CASE WHEN missing = 0 THEN path ELSE kept_at END AS path FROM files WHERE session = ?',
    session,
  );
  return optional(row?.path);
}

/** The record of an event as it stands in the log, redacted. */
export async function rawText(db: Database, session: SessionRow, event: EventMeta): Promise<EventText> {
  const path = await logPath(db, session.key);
  const bytes = recordBytes(path, event);
  if (bytes !== undefined) return { text: redact(bytes.toString('utf8')), source: sourceOf(path) };
  return indexText(db, session, event);
}

/** The whole text of an event, redacted. */
export async function wholeText(db: Database, session: SessionRow, event: EventMeta): Promise<EventText> {
  // A line that could not be read is shown as it is.
  if ((event.flags & FLAG.bad) !== 0) return rawText(db, session, event);
  const path = await logPath(db, session.key);
  const part = await recordPart(db, session, event);
  if (part === undefined) return indexText(db, session, event);
  const spilled =
    part.spilledTo === undefined || path === undefined
      ? undefined
      : spilledText(session.provider, path, part.spilledTo);
  return spilled === undefined
    ? { text: redact(part.text), source: sourceOf(path) }
    : { text: redact(spilled), source: 'spilled' };
}

function sourceOf(path: string | undefined): 'log' | 'archive' {
  return path?.endsWith('.gz') === true ? 'archive' : 'log';
}

/** The event read again from the log, unredacted; undefined when the log no longer holds it. */
export async function recordPart(
  db: Database,
  session: SessionRow,
  event: EventMeta,
): Promise<Part | undefined> {
  const record = await recordObject(db, session, event);
  return record === undefined ? undefined : READERS[session.provider].read(record).parts[event.part];
}

/** The log record of an event, parsed. */
export async function recordObject(
  db: Database,
  session: SessionRow,
  event: EventMeta,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if ((event.flags & FLAG.bad) !== 0) return undefined;
  const path = await logPath(db, session.key);
  const source = recordBytes(path, event)?.toString('utf8');
  if (source === undefined || path === undefined) return undefined;
  const record = parseRecord(formatOf(path) === 'document' ? leadingObject(source) : source);
  return isObject(record) ? record : undefined;
}

function recordBytes(path: string | undefined, event: EventMeta): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readBytes(path, event.offset, event.length);
  } catch {
    return undefined;
  }
}

async function indexText(db: Database, session: SessionRow, event: EventMeta): Promise<EventText> {
  const texts = await indexedTexts(db, session.key, event.index, event.index);
  return { text: texts.get(event.index) ?? '', source: 'index' };
}

/** Whether some session called a tool of exactly this name. */
export async function isTool(db: Database, name: string): Promise<boolean> {
  return (await db.get('SELECT 1 FROM tools WHERE name = ? LIMIT 1', name)) !== undefined;
}
