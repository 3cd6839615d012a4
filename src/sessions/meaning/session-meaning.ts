import { join } from 'node:path';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { openRebuildable } from '../../store/rebuildable-database.ts';
import { FLAG } from '../model/event-rows.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { MEANING_SCHEMA } from './meaning-schema.ts';
import {
  databasePassages,
  MAX_NEAREST_PASSAGES,
  type PassageStore,
  type StoredPassage,
  type Times,
} from './passage-store.ts';
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
  /** Where passages are stored; a file in the data folder by default. */
  readonly store?: PassageStore | undefined;
  /** How many passages are held in memory; for tests. */
  readonly most?: number | undefined;
}

export interface MeaningScope {
  /** The sessions to search. */
  readonly sessions: ReadonlySet<string>;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface MeaningAnswer {
  readonly found: readonly FoundSession[];
  /** How many sessions have not been read yet. */
  readonly unread: number;
}

const INDEX_FILE = 'meanings.db';
/** The length of a passage, and how many are kept per message: the important things are said at the beginning. */
const PASSAGE_LENGTH = 1_000;
const MAX_PASSAGES_PER_MESSAGE = 3;
const EVENTS_AT_ONCE = 400;
/** How long a question waits for sessions that are being read for the first time. */
const MAX_WAIT_MS = 8_000;
/** The newest are kept. Each takes about 500 bytes of memory. */
const MAX_LOADED_PASSAGES = 120_000;
/** Passages are dropped from memory when unused for this long. */
const FORGET_MS = 5 * 60_000;

export type SessionMeaning = Awaited<ReturnType<typeof openMeaning>>;

/** Finds sessions by meaning: by their prompts and answers, not by the output of tools. */
export async function openMeaning({
  home,
  sessions,
  embedder,
  log,
  store: given,
  most = MAX_LOADED_PASSAGES,
}: MeaningDeps) {
  const store = given ?? databasePassages(await openRebuildable(join(home, INDEX_FILE), MEANING_SCHEMA, log));
  const closing = new AbortController();
  let model: Promise<TextEmbedder> | undefined;
  let loaded: readonly Passage[] | undefined;
  let running: Promise<void> | undefined;
  let forgetting: NodeJS.Timeout | undefined;
  /** Undefined until the sessions have been checked once. */
  let unread: number | undefined;
  /** What had been read when the passages were loaded; other nodes read sessions too. */
  let readBefore = '';

  const opened = () => {
    model ??= embedder();
    return model;
  };

  async function refresh(): Promise<void> {
    const { name, passages, question } = await opened();
    await store.begin((await question('any')).length);
    const known = await store.read(name);
    const readNow = `${known.size} ${[...known.values()].reduce((sum, events) => sum + events, 0)}`;
    if (readNow !== readBefore) loaded = undefined;
    readBefore = readNow;
    const all = await sessions.list.page({}, undefined, 100_000);
    const changed = all.filter(({ id, events }) => known.get(id) !== events);
    unread = changed.length;
    for (const session of changed) {
      closing.signal.throwIfAborted();
      await readSession(store, sessions, session, known.get(session.id) ?? 0, { name, passages });
      loaded = undefined;
      unread = (unread ?? 0) - 1;
      await nextTurn();
    }
    const there = new Set(all.map(({ id }) => id));
    // Sessions whose logs are gone are no longer found.
    for (const id of known.keys()) if (!there.has(id)) await store.forget(id);
  }

  /** The passages in memory, plus those of the others that are near to the question. */
  async function candidates(vector: Float32Array, times: Times): Promise<readonly Passage[]> {
    loaded ??= await store.newest(most);
    if (loaded.length < most) return loaded;
    const here = new Set(loaded.map(({ session, event }) => `${session} ${event}`));
    const near = await store.nearest(vector, times, MAX_NEAREST_PASSAGES);
    return [...loaded, ...near.filter(({ session, event }) => !here.has(`${session} ${event}`))];
  }

  return {
    /** Sessions whose prompts and answers match the meaning of the question, the best first. */
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
      const vector = await question(text);
      const passages = (await candidates(vector, { sinceMs, untilMs })).filter(
        ({ session, ms }) => visible.has(session) && ms >= sinceMs && ms <= untilMs,
      );
      clearTimeout(forgetting);
      forgetting = setTimeout(() => {
        loaded = undefined;
      }, FORGET_MS).unref();
      return { found: rankSessions({ text, vector }, passages), unread: unread ?? visible.size };
    },

    /** Deletes what is known about a session. */
    async forget(id: string): Promise<void> {
      await store.forget(id);
      loaded = undefined;
    },

    async close(): Promise<void> {
      closing.abort();
      clearTimeout(forgetting);
      await running?.catch(() => {});
      await store.close();
    },
  };
}

/** Reads what was said in a session since it was last read. */
async function readSession(
  store: PassageStore,
  sessions: Sessions,
  session: SessionRow,
  before: number,
  { name, passages }: Pick<TextEmbedder, 'name' | 'passages'>,
): Promise<void> {
  // A log that became shorter was rewritten.
  const from = session.events < before ? 0 : before;
  const made: StoredPassage[] = [];
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
      const { index, turn, ms } = event;
      const words = passageWords(text);
      made.push({ event: index, part, turn, ms, words, ...packVector(vectors[at] ?? new Float32Array(0)) });
    }
  }
  await store.write(session, from, name, made);
}

function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length && parts.length < MAX_PASSAGES_PER_MESSAGE; at += PASSAGE_LENGTH)
    parts.push(text.slice(at, at + PASSAGE_LENGTH));
  return parts.filter((part) => part.trim() !== '');
}

/** A vector as bytes: each value as a share of the largest. */
function packVector(values: Float32Array): Pick<Passage, 'vector' | 'factor'> {
  const largest = values.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  const vector = Int8Array.from(values, (value) => (largest === 0 ? 0 : Math.round((127 * value) / largest)));
  return { vector, factor: largest / 127 };
}
