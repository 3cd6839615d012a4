import type { Database, SqlRow } from '../../store/database.ts';
import { keptPerSession } from '../analyze/kept-per-session.ts';
import { HAPPENED_IN_SQL } from '../model/event.ts';
import { FLAG } from '../model/event-rows.ts';
import { filled, list, object, parseJson } from '../model/log-json.ts';
import type { Events } from '../store/event-store.ts';
import { int, optional, optionalInt, type SessionRow, str } from '../store/session-row.ts';
import { changedTogether, mentionsIn, merged } from './related-files.ts';

/** The part of a session that is recalled: what the last compaction dropped, and what came after it. */
export interface RecallWindow {
  readonly first: number;
  readonly last: number;
  /** How many compactions there were, and the event of the last one. */
  readonly compactions: number;
  readonly compactedAt: number | undefined;
}

/** Something that was said, with the event that says it. */
export interface Said {
  readonly event: number;
  readonly turn: number;
  readonly text: string;
}

export interface RecalledFile {
  readonly path: string;
  readonly edits: number;
  readonly reads: number;
  /** The last event that touched it. */
  readonly event: number;
}

export interface RecalledRun {
  readonly event: number;
  readonly program: string;
  readonly command: string;
  readonly status: string;
  readonly exitCode: number | undefined;
  readonly isCheck: boolean;
}

/** What happened in a part of a session; each list is newest first. */
export interface RecallFacts {
  readonly window: RecallWindow;
  readonly prompts: readonly Said[];
  readonly replies: readonly Said[];
  readonly files: readonly RecalledFile[];
  /** The last run of each program. */
  readonly runs: readonly RecalledRun[];
  /** Unfinished items of the last to-do list. */
  readonly todos: readonly Said[];
  /** Files that were mentioned or found, or that other sessions changed together with the touched ones. */
  readonly related: readonly string[];
  /** Programs that other sessions of the project ran most often. */
  readonly usual: readonly string[];
}

/** A file that was read counts as if it had been edited this many events earlier. */
const READ_LATER = 60;
/** How many events are searched for mentions of files. */
const MAX_MENTION_EVENTS = 400;
const MAX_RELATED_FILES = 80;
/** The sessions of the project that began before a time, except the given one. */
const EARLIER =
  'SELECT key FROM sessions WHERE project_hash = ? AND start_ms < ? AND key <> ? ORDER BY start_ms DESC LIMIT 60';

/** Reads what a session was about. */
export function recallStore(db: Database, events: Events) {
  /** The part of a session to recall, as of an event. */
  async function windowOf(session: SessionRow, before = session.events): Promise<RecallWindow> {
    const rows = await db.all(
      `SELECT idx FROM events WHERE session = ? AND idx < ? AND flags & ${FLAG.compaction} <> 0 ORDER BY idx`,
      ...[session.key, before],
    );
    const marks = rows.map(({ idx }) => int(idx));
    return {
      first: marks.at(-2) ?? 0,
      last: before - 1,
      compactions: marks.length,
      compactedAt: marks.at(-1),
    };
  }

  /** What happened in a part of a session; read again only if the session, or an earlier one of its project, changed. */
  async function facts(session: SessionRow, window: RecallWindow): Promise<RecallFacts> {
    const [, ...earlier] = await earlierThan(session, window.last);
    const others = await db.get(
      `SELECT COUNT(*) AS sessions, SUM(events) AS events FROM sessions WHERE key IN (${EARLIER})`,
      ...earlier,
    );
    return kept(session, window, [int(others?.sessions), int(others?.events)]);
  }

  const kept = keptPerSession(
    (session: SessionRow, window: RecallWindow, _earlier: readonly number[]): Promise<RecallFacts> =>
      readFacts(session, window),
  );

  async function readFacts(session: SessionRow, window: RecallWindow): Promise<RecallFacts> {
    const place = [session.key, window.first, window.last] as const;
    // Files and programs may be needed again after several compactions.
    const upTo = [session.key, window.last] as const;
    const turns = await db.all(
      'SELECT idx, event, prompt FROM turns WHERE session = ? AND event <= ? ORDER BY idx DESC LIMIT 40',
      ...[session.key, window.last],
    );
    // A prompt from before this part still counts if there was none since.
    const inside = turns.filter((row, at) => int(row.event) >= window.first || at === 0);
    const messages = await db.all(
      `SELECT idx, turn FROM events WHERE session = ? AND idx BETWEEN ? AND ? AND type = 1 AND flags & ${FLAG.mirror | FLAG.silent} = 0
       ORDER BY idx DESC LIMIT 12`,
      ...place,
    );
    const touched = await db.all(
      `SELECT * FROM (
         SELECT t.path, MAX(t.repo_path) AS repo_path, SUM(t.action = 'read') AS reads, SUM(t.action <> 'read') AS edits,
           MAX(t.event) AS event, MAX(CASE WHEN t.action <> 'read' THEN t.event ELSE -1 END) AS edited
         FROM touches t LEFT JOIN tools c ON c.session = t.session AND c.call = t.event
         WHERE t.session = ? AND t.event <= ? AND COALESCE(c.status, 'ok') IN ${HAPPENED_IN_SQL}
         GROUP BY t.path) AS files
       ORDER BY MAX(edited, event - ${READ_LATER}) DESC, path LIMIT 200`,
      ...upTo,
    );
    const ran = await db.all(
      `SELECT call, program, command, status, exit_code, check_kind FROM tools
       WHERE session = ? AND call IN (
         SELECT MAX(call) FROM tools
         WHERE session = ? AND call <= ? AND command IS NOT NULL AND program IS NOT NULL GROUP BY program)
       ORDER BY call DESC LIMIT 60`,
      ...[session.key, ...upTo],
    );
    return {
      window,
      prompts: inside.map((row) => ({ event: int(row.event), turn: int(row.idx), text: str(row.prompt) })),
      replies: await saidIn(session, messages),
      files: touched.map((row) => ({
        path: str(row.path),
        edits: int(row.edits),
        reads: int(row.reads),
        event: int(row.event),
      })),
      runs: ran.map((row) => ({
        event: int(row.call),
        program: str(row.program),
        command: str(row.command),
        status: str(row.status),
        exitCode: optionalInt(row.exit_code),
        isCheck: optional(row.check_kind) !== undefined,
      })),
      todos: await todos(session, window),
      related: await relatedFiles(session, window, touched),
      usual: await usualPrograms(session, window),
    };
  }

  /** Programs that many earlier sessions of the project ran, the most common first. */
  async function usualPrograms(session: SessionRow, { last }: RecallWindow): Promise<readonly string[]> {
    const rows = await db.all(
      `SELECT t.program, COUNT(DISTINCT t.session) AS n FROM tools t
       WHERE t.program IS NOT NULL AND t.started_ms < ? AND t.session IN (${EARLIER}) GROUP BY t.program ORDER BY n DESC, t.program LIMIT 60`,
      ...(await earlierThan(session, last)),
    );
    return rows.map(({ program }) => str(program));
  }

  /** Files that were mentioned or found but not touched, or that the project's sessions change together with these. */
  async function relatedFiles(
    session: SessionRow,
    { first, last }: RecallWindow,
    touched: readonly SqlRow[],
  ): Promise<readonly string[]> {
    const texts = await events.texts(session, Math.max(first, last - MAX_MENTION_EVENTS), last);
    const folder = session.cwd ?? session.projectPath;
    const own = touched.map(({ path }) => str(path));
    const changed = await db.all(
      `SELECT DISTINCT t.session, t.repo_path FROM touches t
       WHERE t.action <> 'read' AND t.repo IS NOT NULL AND t.ms < ? AND t.session IN (${EARLIER})`,
      ...(await earlierThan(session, last)),
    );
    const together = changedTogether(
      new Set(touched.map(({ repo_path }) => str(repo_path))),
      changed.map((row) => ({ session: int(row.session), path: str(row.repo_path) })),
    );
    return merged([mentionsIn(texts, last, folder, own), together]).slice(0, MAX_RELATED_FILES);
  }

  /** The time of an event, and the values of `EARLIER`. */
  async function earlierThan(session: SessionRow, event: number) {
    const at = await db.get('SELECT ms FROM events WHERE session = ? AND idx = ?', session.key, event);
    return [int(at?.ms), session.projectHash ?? '', int(at?.ms), session.key] as const;
  }

  async function saidIn(session: SessionRow, rows: readonly SqlRow[]): Promise<readonly Said[]> {
    const said: Said[] = [];
    for (const row of rows) {
      const event = int(row.idx);
      const words = (await events.texts(session, event, event)).get(event) ?? '';
      if (words.trim() !== '') said.push({ event, turn: int(row.turn), text: words });
    }
    return said;
  }

  /** What is left to do on the last to-do list of the session. */
  async function todos(session: SessionRow, { last }: RecallWindow): Promise<readonly Said[]> {
    const rows = await db.all(
      `SELECT call, turn FROM tools WHERE session = ? AND call <= ? AND kind = 'plan' AND status = 'ok'
       ORDER BY call DESC LIMIT 5`,
      ...[session.key, last],
    );
    for (const row of rows) {
      const event = int(row.call);
      const shown = (await events.texts(session, event, event)).get(event) ?? '';
      const items = itemsOf(shown.slice(shown.indexOf('{')));
      // Some calls of this kind contain a plan in prose.
      if (items.length > 0)
        return items.flatMap(({ text: item, done }) =>
          done ? [] : [{ event, turn: int(row.turn), text: item }],
        );
    }
    return [];
  }

  return { windowOf, facts };
}

/** The items of a to-do list: `{"todos":[{"content":…,"status":…}]}` or `{"plan":[{"step":…}]}`. */
function itemsOf(json: string): readonly { readonly text: string; readonly done: boolean }[] {
  const said = object(parseJson(json));
  return [...list(said.todos), ...list(said.plan)].flatMap((item) => {
    const { content, step, status } = object(item);
    const words = filled(content) ?? filled(step);
    return words === undefined ? [] : [{ text: words, done: status === 'completed' }];
  });
}
