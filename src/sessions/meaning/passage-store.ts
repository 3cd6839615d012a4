import type { Database, SqlRow, SqlValue } from '../../store/database.ts';
import { type Passage, similarity } from './rank-sessions.ts';

/** A passage as stored: a long message has several parts. */
export interface StoredPassage extends Omit<Passage, 'session'> {
  readonly part: number;
}

export interface Times {
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Where the passages of sessions and their vectors are stored. */
export interface PassageStore {
  /** Must be called before the others, with the length of all vectors. */
  begin(dimensions: number): Promise<void>;
  /** How many events of each session have been read with this model. */
  read(model: string): Promise<ReadonlyMap<string, number>>;
  /** Replaces the passages of a session, starting at an event. */
  write(
    session: { readonly id: string; readonly events: number },
    from: number,
    model: string,
    passages: readonly StoredPassage[],
  ): Promise<void>;
  forget(session: string): Promise<void>;
  newest(limit: number): Promise<readonly Passage[]>;
  /** The passages nearest to a vector, among all of them. */
  nearest(vector: Float32Array, times: Times, limit: number): Promise<readonly Passage[]>;
  close(): Promise<void>;
}

/** An extra column, with vectors in the form in which the database itself compares them. */
export interface VectorColumn {
  readonly name: string;
  readonly value: (passage: StoredPassage) => string;
}

/** How many passages that are not in memory are considered: the ones nearest to the question. */
export const MAX_NEAREST_PASSAGES = 400;

const PASSAGES_PER_READ = 5_000;

/** Passages in a database without support for vectors: each one is compared. */
export function databasePassages(
  db: Database,
  vectors: () => VectorColumn | undefined = () => undefined,
): PassageStore {
  return {
    begin: async () => {},
    async read(model) {
      const rows = await db.all('SELECT session, events FROM read_sessions WHERE model = ?', model);
      return new Map(rows.map((row) => [String(row.session), Number(row.events)]));
    },
    async write({ id, events }, from, model, passages) {
      const more = vectors();
      const columns = ['session', 'event', 'part', 'turn', 'ms', 'words', 'vector', 'factor'];
      if (more !== undefined) columns.push(more.name);
      await db.transaction(async (tx) => {
        await tx.run('DELETE FROM passages WHERE session = ? AND event >= ?', id, from);
        await tx.batch(
          `INSERT OR REPLACE INTO passages (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
          passages.map((passage) => [
            ...valuesOf(id, passage),
            ...(more === undefined ? [] : [more.value(passage)]),
          ]),
        );
        await tx.run(
          'INSERT OR REPLACE INTO read_sessions (session, events, model) VALUES (?, ?, ?)',
          ...[id, events, model],
        );
      });
    },
    async forget(session) {
      for (const table of ['passages', 'read_sessions'])
        await db.run(`DELETE FROM ${table} WHERE session = ?`, session);
    },
    async newest(limit) {
      const rows = await db.all(
        'SELECT * FROM passages ORDER BY ms DESC, session, event, part LIMIT ?',
        limit,
      );
      return rows.flatMap(passageOf);
    },
    async nearest(vector, { sinceMs, untilMs }, limit) {
      let best: { readonly passage: Passage; readonly near: number }[] = [];
      let last: readonly SqlValue[] = ['', -1, -1];
      for (;;) {
        const rows = await db.all(
          `SELECT * FROM passages WHERE (session, event, part) > (?, ?, ?) AND ms BETWEEN ? AND ?
           ORDER BY session, event, part LIMIT ?`,
          ...[...last, sinceMs, untilMs, PASSAGES_PER_READ],
        );
        const some = rows.flatMap(passageOf);
        best = best
          .concat(some.map((passage) => ({ passage, near: similarity(passage, vector) })))
          .sort((a, b) => b.near - a.near)
          .slice(0, limit);
        const end = rows.at(-1);
        if (end === undefined || rows.length < PASSAGES_PER_READ) return best.map(({ passage }) => passage);
        last = [String(end.session), Number(end.event), Number(end.part)];
      }
    },
    close: () => db.close(),
  };
}

function valuesOf(session: string, passage: StoredPassage): readonly SqlValue[] {
  const { event, part, turn, ms, words, vector, factor } = passage;
  return [session, event, part, turn, ms, bytesOf(words), bytesOf(vector), factor];
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array | Int8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Converts a row to a passage; empty if the row is damaged. */
export function passageOf({ session, event, turn, ms, words, vector, factor }: SqlRow): readonly Passage[] {
  if (!(words instanceof Uint8Array && vector instanceof Uint8Array)) return [];
  return [
    {
      ...{ session: String(session), event: Number(event), turn: Number(turn), ms: Number(ms) },
      words: new Uint32Array(aligned(words)),
      vector: new Int8Array(aligned(vector)),
      factor: Number(factor),
    },
  ];
}

/** The bytes of a row may be unaligned. */
const aligned = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;
