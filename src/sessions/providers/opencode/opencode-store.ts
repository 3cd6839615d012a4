import { basename, dirname, join } from 'node:path';
import type { SqlRow } from '../../../store/database.ts';
import { filled, type JsonObject, list, number, object, parseJson, text } from '../../model/log-json.ts';
import { checkTables, type Rows, readForeign } from '../../read/foreign-database.ts';
import { namesIn, readSmall } from '../agent-files.ts';
import type { SessionStore, StoredSession } from '../provider.ts';

/** A message or a part: its id and what it says. */
interface Row {
  readonly id: string;
  readonly data: JsonObject;
}

/** Where messages and their parts are read from: a database, or a folder with one file each. */
interface Source {
  readonly session: JsonObject;
  messages(): readonly Row[];
  parts(message: string): readonly Row[];
  /** How many parts each message has. */
  counts(): ReadonlyMap<string, number>;
}

/** A prompt is complete when it has parts and is this old; the model's message follows it immediately. */
const PROMPT_AGE_MS = 1_000;

/**
 * Reads sessions of opencode, from `opencode.db` or, before version 1.2, from `storage/session/…/<id>.json` with the
 * folders `message` and `part` beside it.
 */
export const opencodeStore: SessionStore = {
  sessions: (file) => (isDatabase(file) ? readForeign(file, sessionsOf) : sessionOfFile(file)),
  *records(file, session, from) {
    const read = (rows?: Rows) => recordsOf(sourceOf(file, session, rows), from);
    yield* isDatabase(file) ? readForeign(file, read) : read();
  },
};

function isDatabase(file: string): boolean {
  return file.endsWith('.db');
}

function sessionsOf(rows: Rows): readonly StoredSession[] {
  checkTables(rows, NEEDED);
  // The last message and its parts change while the model works; everything before is finished.
  return rows(
    `SELECT s.id, s.time_updated AS changed, m.id AS last, m.time_updated AS message_changed,
       (SELECT COUNT(*) FROM message n WHERE n.session_id = s.id) AS messages,
       (SELECT COUNT(*) || ' ' || MAX(p.time_updated) FROM part p WHERE p.message_id = m.id) AS parts
     FROM session s LEFT JOIN message m
       ON m.id = (SELECT n.id FROM message n WHERE n.session_id = s.id ORDER BY n.time_created DESC, n.id DESC LIMIT 1)`,
  ).map((row) => {
    const [parts = '0', changed = '0'] = String(row.parts ?? '').split(' ');
    const times = [Number(row.changed), Number(row.message_changed ?? 0), Number(changed || 0)];
    return {
      id: String(row.id),
      size: Number(row.messages) * 1000 + Number(parts),
      changedMs: Math.max(...times),
    };
  });
}

const NEEDED = {
  session: ['id', 'time_updated', 'directory'],
  message: ['id', 'session_id', 'time_created', 'data'],
  part: ['id', 'message_id', 'data'],
} as const;

function sourceOf(file: string, session: string, rows: Rows | undefined): Source {
  return rows === undefined ? fileSource(file) : databaseSource(rows, session);
}

function databaseSource(rows: Rows, session: string): Source {
  const [found] = rows('SELECT * FROM session WHERE id = ?', session);
  if (found === undefined) throw new Error(`no session ${session}`);
  const parsed = (row: SqlRow): Row => ({
    id: String(row.id),
    data: object(parseJson(String(row.data))),
  });
  return {
    session: withoutNulls(found),
    messages: () =>
      rows('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id', session).map(
        parsed,
      ),
    parts: (message) =>
      rows('SELECT id, data FROM part WHERE message_id = ? ORDER BY id', message).map(parsed),
    counts: () =>
      new Map(
        rows(
          `SELECT m.id, (SELECT COUNT(*) FROM part p WHERE p.message_id = m.id) AS parts
           FROM message m WHERE m.session_id = ?`,
          session,
        ).map((row) => [String(row.id), Number(row.parts)]),
      ),
  };
}

function withoutNulls(row: SqlRow): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

/** `…/storage/session/<project>/<id>.json`, with `…/storage/message/<session>` and `…/storage/part/<message>`. */
function fileSource(file: string): Source {
  const storage = dirname(dirname(dirname(file)));
  const read = (...parts: readonly string[]) => object(parseJson(readSmall(join(storage, ...parts)) ?? ''));
  const within = (...parts: readonly string[]): readonly Row[] =>
    namesIn(join(storage, ...parts))
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => ({ id: basename(name, '.json'), data: read(...parts, name) }));
  const header = object(parseJson(readSmall(file) ?? ''));
  const id = basename(file, '.json');
  return {
    session: { ...header, id, parent_id: header.parentID, time_created: object(header.time).created },
    messages: () => within('message', id),
    parts: (message) => within('part', message),
    counts: () =>
      new Map(
        namesIn(join(storage, 'message', id)).map((name) => {
          const message = basename(name, '.json');
          return [message, namesIn(join(storage, 'part', message)).length];
        }),
      ),
  };
}

function sessionOfFile(file: string): readonly StoredSession[] {
  const source = fileSource(file);
  if (filled(source.session.id) === undefined) return [];
  const messages = source.messages();
  const last = messages.at(-1);
  const { created, completed } = object(last?.data.time);
  const parts = last === undefined ? [] : source.parts(last.id);
  const times = [
    object(source.session.time).updated,
    created,
    completed,
    ...parts.flatMap(({ data }) => Object.values(object(object(data.state).time ?? data.time))),
  ].map((time) => number(time) ?? 0);
  return [
    {
      id: text(source.session.id) ?? '',
      size: messages.length * 1000 + parts.length,
      changedMs: Math.max(0, ...times),
    },
  ];
}

/**
 * The session, then each message: a prompt is one record; what the model says is one record per part, plus one for the
 * answers of its tools once it has finished. So records never change, and new ones come last.
 */
function recordsOf(source: Source, from: number): readonly JsonObject[] {
  const found: JsonObject[] = from === 0 ? [{ type: 'session', ...source.session }] : [];
  const messages = source.messages();
  const counts = source.counts();
  let number = 1;
  for (const [index, { id, data }] of messages.entries()) {
    const ended = messages[index + 1] !== undefined || object(data.time).completed !== undefined;
    const size = data.role === 'user' ? 1 : (counts.get(id) ?? 0) + 1;
    if (ended && number + size <= from) {
      number += size;
      continue;
    }
    const records =
      data.role === 'user' ? promptRecords(source, id, data, ended) : saidRecords(source, id, data, ended);
    for (const record of records) if (number++ >= from) found.push(record);
    if (records.length < size) break;
  }
  return found;
}

function promptRecords(source: Source, id: string, data: JsonObject, ended: boolean): readonly JsonObject[] {
  const parts = source.parts(id).map((part) => ({ id: part.id, ...part.data }));
  const { summary: _, ...message } = data;
  const age = Date.now() - (number(object(data.time).created) ?? 0);
  if (!ended && (parts.length === 0 || age < PROMPT_AGE_MS)) return [];
  return [{ type: 'prompt', id, message, parts }];
}

function saidRecords(source: Source, id: string, data: JsonObject, ended: boolean): readonly JsonObject[] {
  const records: JsonObject[] = [];
  const parts = source.parts(id);
  let step = 0;
  for (const part of parts) {
    if (part.data.type === 'step-start') step++;
    if (!ended && !isFinal(part.data)) return records;
    records.push({
      type: 'part',
      id: part.id,
      message: id,
      step,
      time: data.time,
      ...meaning(data),
      part: part.data,
    });
  }
  if (ended) {
    const tools = parts.filter(({ data: { type } }) => type === 'tool').map((part) => part.data);
    records.push({ type: 'done', id, message: data, tools });
  }
  return records;
}

/** What the records of parts need to know about their message. */
function meaning({ modelID, providerID, agent, mode }: JsonObject): JsonObject {
  return { modelID, providerID, agent: agent ?? mode };
}

/** Whether a part of an unfinished message is complete, apart from the answer of its tool. */
function isFinal({ type, state, time }: JsonObject): boolean {
  if (type === 'tool') return object(state).status !== 'pending';
  return type === 'text' || type === 'reasoning' ? object(time).end !== undefined : true;
}

/** Titles by session, for those that opencode named later. */
export function opencodeTitles(file: string): ReadonlyMap<string, string> {
  return readForeign(file, (rows) => {
    const named = rows('SELECT id, title FROM session WHERE title IS NOT NULL');
    return new Map(
      list(named).flatMap((row): [string, string][] => {
        const { id, title } = object(row);
        const name = filled(title);
        return typeof id === 'string' && name !== undefined && !UNNAMED.test(name) ? [[id, name]] : [];
      }),
    );
  });
}

/** What opencode calls a session until the model has named it. */
export const UNNAMED = /^(?:New|Child) session - \d/;
