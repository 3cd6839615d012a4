import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import { openRebuildable } from '../../store/rebuildable-database.ts';
import { FLAG } from '../model/event-rows.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { MEANING_SCHEMA } from './meaning-schema.ts';
import { passageWords } from './passage-words.ts';
import { type FoundSession, type Passage, rankSessions } from './rank-sessions.ts';

/** Turns text into unit vectors whose dot product says how close two meanings are. */
export interface TextEmbedder {
  readonly name: string;
  passages(texts: readonly string[]): Promise<readonly Float32Array[]>;
  question(text: string): Promise<Float32Array>;
}

export interface MeaningDeps {
  readonly home: string;
  readonly sessions: Sessions;
  readonly embedder: () => Promise<TextEmbedder>;
  readonly log: (line: string) => void;
}

export interface MeaningScope {
  /** The sessions that may be found. */
  readonly sessions: ReadonlySet<string>;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface MeaningAnswer {
  readonly found: readonly FoundSession[];
  /** How many sessions are not read yet. */
  readonly unread: number;
}

const INDEX_FILE = 'meanings.db';
/** A passage, and how many of one message are kept: what matters is said at its beginning. */
const PASSAGE_LENGTH = 1_000;
const MOST_PASSAGES = 3;
const EVENTS_AT_ONCE = 400;
/** How long a question waits for sessions that are read for the first time. */
const MAX_WAIT_MS = 8_000;
/** About 500 bytes each in memory: the newest are kept. */
const MOST_LOADED = 120_000;
/** What nobody asked for so long is dropped from memory. */
const FORGET_MS = 5 * 60_000;

export type SessionMeaning = Awaited<ReturnType<typeof openMeaning>>;

/** Finds sessions by what was meant: by prompts and answers, not by the output of tools. */
export async function openMeaning({ home, sessions, embedder, log }: MeaningDeps) {
  const db = await openRebuildable(join(home, INDEX_FILE), MEANING_SCHEMA, log);
  const closing = new AbortController();
  let model: Promise<TextEmbedder> | undefined;
  let loaded: readonly Passage[] | undefined;
  let running: Promise<void> | undefined;
  let forgetting: NodeJS.Timeout | undefined;
  let unread = 0;

  const opened = () => {
    model ??= embedder();
    return model;
  };

  async function refresh(): Promise<void> {
    const { name, passages } = await opened();
    const rows = await db.all('SELECT session, events FROM read_sessions WHERE model = ?', name);
    const known = new Map(rows.map((row) => [String(row.session), Number(row.events)]));
    const all = await sessions.list.page({}, undefined, 100_000);
    const changed = all.filter(({ id, events }) => known.get(id) !== events);
    unread = changed.length;
    for (const session of changed) {
      closing.signal.throwIfAborted();
      await readSession(db, sessions, session, known.get(session.id) ?? 0, { name, passages });
      loaded = undefined;
      unread--;
      await nextTurn();
    }
    await forgetGone(db, new Set(all.map(({ id }) => id)), known);
  }

  async function load(): Promise<readonly Passage[]> {
    if (loaded !== undefined) return loaded;
    const rows = await db.all('SELECT * FROM passages ORDER BY ms DESC LIMIT ?', MOST_LOADED);
    loaded = rows.flatMap(({ session, event, turn, ms, words, vector, factor }) =>
      words instanceof Uint8Array && vector instanceof Uint8Array
        ? [
            {
              ...{ session: String(session), event: Number(event), turn: Number(turn), ms: Number(ms) },
              // The bytes of a row need not be aligned.
              words: new Uint32Array(words.slice().buffer),
              vector: new Int8Array(vector.slice().buffer),
              factor: Number(factor),
            },
          ]
        : [],
    );
    return loaded;
  }

  return {
    /** Sessions whose prompts and answers mean what is asked, the best first. */
    async search(
      text: string,
      { sessions: visible, sinceMs = 0, untilMs = Number.MAX_SAFE_INTEGER }: MeaningScope,
    ): Promise<MeaningAnswer> {
      running ??= refresh().finally(() => {
        running = undefined;
      });
      const waiting = new AbortController();
      const late = delay(MAX_WAIT_MS, undefined, { ref: false, signal: waiting.signal }).catch(() => {});
      await Promise.race([running, late]);
      waiting.abort();
      const { question } = await opened();
      const passages = (await load()).filter(
        ({ session, ms }) => visible.has(session) && ms >= sinceMs && ms <= untilMs,
      );
      clearTimeout(forgetting);
      forgetting = setTimeout(() => {
        loaded = undefined;
      }, FORGET_MS).unref();
      return { found: rankSessions({ text, vector: await question(text) }, passages), unread };
    },

    /** Drops what is known of a session. */
    async forget(id: string): Promise<void> {
      for (const table of ['passages', 'read_sessions'])
        await db.run(`DELETE FROM ${table} WHERE session = ?`, id);
      loaded = undefined;
    },

    async close(): Promise<void> {
      closing.abort();
      clearTimeout(forgetting);
      await running?.catch(() => {});
      await db.close();
    },
  };
}

/** Reads what was said in a session since it was read before. */
async function readSession(
  db: Database,
  sessions: Sessions,
  session: SessionRow,
  before: number,
  { name, passages }: Pick<TextEmbedder, 'name' | 'passages'>,
): Promise<void> {
  // A log that has become shorter was rewritten.
  const from = session.events < before ? 0 : before;
  const rows: (readonly (string | number | Uint8Array)[])[] = [];
  for (let first = from; first < session.events; first += EVENTS_AT_ONCE) {
    const last = Math.min(session.events, first + EVENTS_AT_ONCE) - 1;
    const said = (await sessions.events.range(session, first, last)).filter(
      ({ type, flags }) =>
        (type === 'user' || type === 'message') && (flags & (FLAG.mirror | FLAG.silent)) === 0,
    );
    if (said.length === 0) continue;
    const texts = await sessions.events.texts(session, first, last);
    const pieces = said.flatMap((event) =>
      partsOf(texts.get(event.index) ?? '').map((text, part) => ({ event, part, text })),
    );
    const vectors = await passages(pieces.map(({ text }) => text));
    for (const [at, { event, part, text }] of pieces.entries()) {
      const { packed, factor } = packVector(vectors[at] ?? new Float32Array(0));
      const words = passageWords(text);
      rows.push([
        ...[session.id, event.index, part, event.turn, event.ms],
        ...[new Uint8Array(words.buffer), packed, factor],
      ]);
    }
  }
  await db.transaction(async (tx) => {
    await tx.run('DELETE FROM passages WHERE session = ? AND event >= ?', session.id, from);
    await tx.batch(
      'INSERT OR REPLACE INTO passages (session, event, part, turn, ms, words, vector, factor) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      rows,
    );
    await tx.run(
      'INSERT OR REPLACE INTO read_sessions (session, events, model) VALUES (?, ?, ?)',
      ...[session.id, session.events, name],
    );
  });
}

/** Sessions whose logs are gone are found no more. */
async function forgetGone(
  db: Database,
  there: ReadonlySet<string>,
  known: ReadonlyMap<string, number>,
): Promise<void> {
  for (const id of known.keys()) {
    if (there.has(id)) continue;
    await db.run('DELETE FROM passages WHERE session = ?', id);
    await db.run('DELETE FROM read_sessions WHERE session = ?', id);
  }
}

function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length && parts.length < MOST_PASSAGES; at += PASSAGE_LENGTH)
    parts.push(text.slice(at, at + PASSAGE_LENGTH));
  return parts.filter((part) => part.trim() !== '');
}

/** A vector as bytes: each value as a share of the largest. */
function packVector(vector: Float32Array): { readonly packed: Uint8Array; readonly factor: number } {
  const largest = vector.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  const packed = Int8Array.from(vector, (value) => (largest === 0 ? 0 : Math.round((127 * value) / largest)));
  return { packed: new Uint8Array(packed.buffer), factor: largest / 127 };
}
