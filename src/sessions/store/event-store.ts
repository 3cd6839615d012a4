import { fail } from '../../contract/errors.ts';
import { redact, redactThenCut } from '../../contract/redact.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { EVENT_TYPES, type EventType, type Part, type ToolStatus } from '../model/event.ts';
import { FLAG } from '../model/event-rows.ts';
import { isObject, type JsonObject, parseRecord } from '../model/log-json.ts';
import { providerWith } from '../providers/index.ts';
import type { Provider, SessionStore } from '../providers/provider.ts';
import { leadingObject } from '../read/document.ts';
import { MAX_RECORD_BYTES, RECORD_HEAD_BYTES } from '../read/lines.ts';
import { formatOf, readBytes } from '../read/source.ts';
import { spilledText } from '../read/spilled.ts';
import { int, optional, optionalInt, type SessionRow, statusOf, str } from './session-row.ts';
import type { IndexedTexts } from './texts.ts';

/** Characters shown of a record that is too long to read. */
const MAX_SHOWN_LENGTH = 16_000;

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

function eventMeta(row: SqlRow): EventMeta {
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

const EVENT_COLUMNS = `e.idx, e.type, e.flags, l.label, e.turn, e.step, e.ms, e.pos, e.length, e.part, e.name,
  e.call, e.status, e.exit_code, e.bytes`;

export interface CallPair {
  readonly call: number;
  readonly result: number | undefined;
  readonly status: ToolStatus | undefined;
  readonly exitCode: number | undefined;
}

export interface EventText {
  readonly text: string;
  /** The source of the text: the log or its copy, the file of a large output, or the index when those are gone. */
  readonly source: 'log' | 'archive' | 'spilled' | 'index';
}

/** Some steps of a turn; `from` -1 includes the prompt. */
export interface StepRange {
  readonly first: number;
  readonly last: number;
  readonly turn: number;
  readonly from: number;
  readonly to: number;
}

export type Events = ReturnType<typeof eventStore>;

/** Reads the record of an event when the logs are not files on this machine. */
export type StoredRecords = (session: SessionRow, event: EventMeta) => Promise<string | undefined>;

/** The events of sessions: what the index stores about them, and their texts, which are read from the logs again. */
export function eventStore(
  db: Database,
  providers: readonly Provider[],
  texts: IndexedTexts,
  stored?: StoredRecords,
) {
  /** Events of a session between two indexes, inclusive. */
  async function range(session: SessionRow, first: number, last: number): Promise<readonly EventMeta[]> {
    const rows = await db.all(
      `SELECT ${EVENT_COLUMNS} FROM events e LEFT JOIN labels l ON l.id = e.label
       WHERE e.session = ? AND e.idx BETWEEN ? AND ? ORDER BY e.idx`,
      ...[session.key, first, last],
    );
    return rows.map(eventMeta);
  }

  async function ofSteps(session: SessionRow, steps: StepRange): Promise<readonly EventMeta[]> {
    const rows = await db.all(
      `SELECT ${EVENT_COLUMNS} FROM events e LEFT JOIN labels l ON l.id = e.label
       WHERE e.session = ? AND e.idx BETWEEN ? AND ? AND e.turn = ? AND e.step BETWEEN ? AND ? ORDER BY e.idx`,
      ...[session.key, steps.first, steps.last, steps.turn, steps.from, steps.to],
    );
    return rows.map(eventMeta);
  }

  async function at(session: SessionRow, index: number): Promise<EventMeta> {
    const [event] = await range(session, index, index);
    return (
      event ??
      fail(
        'invalid_event_index',
        `Event ${index} does not exist; session ${session.id.slice(0, 8)} has events 0..${session.events - 1}.`,
        { details: { requested_index: index, max_index: session.events - 1 } },
      )
    );
  }

  /** A call and the event that answered it. */
  async function pairOf(session: SessionRow, call: number): Promise<CallPair | undefined> {
    const row = await db.get(
      'SELECT result, status, exit_code FROM tools WHERE session = ? AND call = ?',
      ...[session.key, call],
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

  /** How many events from an index on are shown for a whole session, and the bytes of their texts. */
  async function bytesFrom(
    session: SessionRow,
    first: number,
  ): Promise<{ readonly events: number; readonly bytes: number }> {
    const row = await db.get(
      'SELECT COUNT(*) AS events, SUM(bytes) AS bytes FROM events WHERE session = ? AND idx >= ? AND flags & ? = 0',
      ...[session.key, first, FLAG.mirror | FLAG.silent],
    );
    return { events: int(row?.events), bytes: int(row?.bytes) };
  }

  /** Whether any session called a tool with exactly this name. */
  async function isTool(name: string): Promise<boolean> {
    return (await db.get('SELECT 1 FROM tools WHERE name = ? LIMIT 1', name)) !== undefined;
  }

  /** Whether an agent gave this id to a call. */
  async function isCall(id: string): Promise<boolean> {
    return (await db.get('SELECT 1 FROM tools WHERE call_id = ? LIMIT 1', id)) !== undefined;
  }

  /** The log of a session or, if the agent deleted it, its copy in the archive; undefined if there is neither. */
  async function logPath(session: SessionRow): Promise<string | undefined> {
    const row = await db.get(
      'SELECT CASE WHEN missing = 0 THEN path ELSE kept_at END AS path FROM files WHERE session = ?',
      session.key,
    );
    return optional(row?.path);
  }

  const storeOf = (session: SessionRow) => providerWith(providers, session.provider)?.store;

  /** The parsed log record of an event; undefined when the log no longer has it. */
  async function record(session: SessionRow, event: EventMeta): Promise<JsonObject | undefined> {
    if ((event.flags & FLAG.bad) !== 0) return undefined;
    if (stored !== undefined) {
      const kept = parseRecord((await stored(session, event)) ?? '');
      return isObject(kept) ? kept : undefined;
    }
    const path = await logPath(session);
    const source = recordBytes(path, event, storeOf(session))?.toString('utf8');
    if (source === undefined || path === undefined) return undefined;
    const parsed = parseRecord(formatOf(path) === 'document' ? leadingObject(source) : source);
    return isObject(parsed) ? parsed : undefined;
  }

  /** The event, read from the log again and unredacted; undefined when the log no longer has it. */
  async function part(session: SessionRow, event: EventMeta): Promise<Part | undefined> {
    const found = await record(session, event);
    return found && providerWith(providers, session.provider)?.read(found).parts[event.part];
  }

  async function fromIndex(session: SessionRow, { index }: EventMeta): Promise<EventText> {
    return { text: (await texts(session, index, index)).get(index) ?? '', source: 'index' };
  }

  async function rawText(session: SessionRow, event: EventMeta): Promise<EventText> {
    if (stored !== undefined) {
      const kept = await stored(session, event);
      return kept === undefined ? fromIndex(session, event) : { text: redact(kept), source: 'log' };
    }
    const path = await logPath(session);
    if (path !== undefined && event.length > MAX_RECORD_BYTES) {
      const head =
        recordBytes(path, { ...event, length: RECORD_HEAD_BYTES }, undefined)?.toString('utf8') ?? '';
      const size = event.length.toLocaleString('en-US');
      const most = MAX_RECORD_BYTES >> 20;
      const note = `[This record has ${size} bytes. Pinhole reads records of up to ${most} MB; this is the beginning.]`;
      return { text: `${note}\n${redactThenCut(head, MAX_SHOWN_LENGTH)}`, source: sourceOf(path) };
    }
    const bytes = recordBytes(path, event, storeOf(session));
    return bytes === undefined
      ? fromIndex(session, event)
      : { text: redact(bytes.toString('utf8')), source: sourceOf(path) };
  }

  /** The whole text of an event, or its record as logged (`raw`); both redacted. */
  async function text(session: SessionRow, event: EventMeta, raw: boolean): Promise<EventText> {
    // A line that is not JSON has no parts to show.
    if (raw || (event.flags & FLAG.bad) !== 0) return rawText(session, event);
    const found = await part(session, event);
    if (found === undefined) return fromIndex(session, event);
    // The index has the full text of an output that was put in a separate file.
    if (stored !== undefined)
      return found.spilledTo === undefined
        ? { text: redact(found.text), source: 'log' }
        : fromIndex(session, event);
    const path = await logPath(session);
    const provider = providerWith(providers, session.provider);
    const spilled =
      found.spilledTo === undefined || path === undefined || provider === undefined
        ? undefined
        : spilledText(provider, path, found.spilledTo);
    return spilled === undefined
      ? { text: redact(found.text), source: sourceOf(path) }
      : { text: redact(spilled), source: 'spilled' };
  }

  return { range, ofSteps, at, pairOf, bytesFrom, isTool, isCall, record, part, text, texts };
}

function sourceOf(path: string | undefined): 'log' | 'archive' {
  return path?.endsWith('.gz') === true ? 'archive' : 'log';
}

function recordBytes(
  path: string | undefined,
  event: EventMeta,
  store: SessionStore | undefined,
): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readBytes(path, event.offset, event.length, store);
  } catch {
    return undefined;
  }
}
