import { redact } from '../../contract/redact.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { HAPPENED_IN_SQL, type ToolStatus, type TouchAction } from '../model/event.ts';
import { filled, type JsonObject, list, object, text } from '../model/log-json.ts';
import { passageDiff, patchOfFile, shortDiff } from '../model/patch.ts';
import { commandOf } from '../model/tool-kinds.ts';
import { providerWith } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import { type SearchScope, sessionConditions } from '../search/candidates.ts';
import type { Events } from './event-store.ts';
import {
  int,
  optionalInt,
  SESSION_COLUMNS,
  type SessionRow,
  sessionRow,
  statusOf,
  str,
} from './session-row.ts';

export interface FileTouch {
  readonly session: SessionRow;
  readonly path: string;
  readonly event: number;
  readonly turn: number;
  readonly step: number;
  readonly ms: number;
  readonly action: TouchAction;
  /** The path relative to the root of the repository, the same in every checkout. */
  readonly repoPath: string;
  /** Lines that a change added and removed, if known. */
  readonly added: number | undefined;
  readonly removed: number | undefined;
  readonly status: ToolStatus;
  readonly tool: string;
  /** Index of the event that answered the call, or -1. */
  readonly result: number;
  /** The prompt of the turn. */
  readonly prompt: string;
}

/** SQL that is true if the change in touch `t` by call `c` was applied. */
export const APPLIED = `t.action <> 'read' AND c.status IN ${HAPPENED_IN_SQL}`;

export interface TouchFilter {
  readonly reads?: boolean | undefined;
  readonly oldest?: boolean | undefined;
  readonly scope?: SearchScope | undefined;
}

export type TouchPosition = readonly [ms: number, key: number, event: number];

export interface TouchedFile {
  readonly path: string;
  readonly reads: number;
  /** Changes that were applied: neither failed nor rejected. */
  readonly edits: number;
}

export type FileHistory = ReturnType<typeof fileHistory>;

/** What sessions did to files. */
export function fileHistory(db: Database, providers: readonly Provider[], events: Events) {
  return {
    /** Files that a session read or changed, most touched first; changes count more than reads. */
    async ofSession(session: SessionRow, limit: number): Promise<readonly TouchedFile[]> {
      const rows = await db.all(
        `SELECT path, reads, edits FROM (
           SELECT t.path, SUM(t.action = 'read') AS reads, SUM(${APPLIED}) AS edits FROM touches t
           LEFT JOIN tools c ON c.session = t.session AND c.call = t.event WHERE t.session = ? GROUP BY t.path) f
         WHERE reads + edits > 0 ORDER BY edits * 3 + reads DESC, path LIMIT ?`,
        ...[session.key, limit],
      );
      return rows.map((row) => ({ path: str(row.path), reads: int(row.reads), edits: int(row.edits) }));
    },

    /**
     * What sessions did to a path or to anything below it, after a position. A relative path matches the end of a path,
     * or a folder in it.
     */
    async touches(
      path: string,
      after: TouchPosition | undefined,
      limit: number,
      { reads = true, oldest = false, scope = {} }: TouchFilter = {},
    ): Promise<readonly FileTouch[]> {
      const plain = path.length > 1 ? path.replace(/\/+$/, '') : path;
      const absolute = plain.startsWith('/') || /^[A-Za-z]:/.test(plain);
      const end = likeEscape(plain);
      const where = absolute
        ? { sql: '(t.path = ? OR (t.path >= ? AND t.path < ?))', params: [plain, ...below(plain)] }
        : {
            sql: "(t.path = ? OR t.path LIKE ? ESCAPE '\\' OR t.path LIKE ? ESCAPE '\\')",
            params: [plain, `%/${end}`, `%/${end}/%`],
          };
      const { conditions, params } = sessionConditions(scope, 't.session');
      const first = oldest ? [-1, 0, 0] : [Number.MAX_SAFE_INTEGER, 0, 0];
      const [beyond, order] = oldest ? ['>', 'ASC'] : ['<', 'DESC'];
      const rows = await db.all(
        `SELECT ${SESSION_COLUMNS}, t.path, t.event, t.turn, t.step, t.ms, t.action, t.added, t.removed, t.repo_path,
           c.status, c.name, c.result, u.prompt
         FROM touches t JOIN sessions s ON s.key = t.session
         LEFT JOIN tools c ON c.session = t.session AND c.call = t.event
         LEFT JOIN turns u ON u.session = t.session AND u.idx = t.turn
         WHERE ${where.sql} AND ${conditions.join(' AND ')} ${reads ? '' : "AND t.action <> 'read'"}
           AND t.ms BETWEEN ? AND ? AND (t.ms, t.session, t.event) ${beyond} (?, ?, ?)
         ORDER BY t.ms ${order}, t.session ${order}, t.event ${order} LIMIT ?`,
        ...[...where.params, ...params, scope.sinceMs ?? 0, scope.untilMs ?? Number.MAX_SAFE_INTEGER],
        ...[...(after ?? first), limit],
      );
      return rows.map(touchOf);
    },

    /** Every path below a folder that some session read or changed, or only those that were really changed. */
    async touchedPaths(folder: string, written: boolean): Promise<readonly string[]> {
      const plain = folder.replace(/\/+$/, '');
      const rows = await db.all(
        written
          ? `SELECT DISTINCT t.path FROM touches t LEFT JOIN tools c ON c.session = t.session AND c.call = t.event
             WHERE t.path >= ? AND t.path < ? AND t.action <> 'read' AND coalesce(c.status, '') NOT IN ('failed', 'cancelled')`
          : 'SELECT DISTINCT path FROM touches WHERE path >= ? AND path < ?',
        ...below(plain),
      );
      return rows.map((row) => String(row.path));
    },

    /** The change that a touch made, as a unified diff of at most `lines` lines; undefined if it made none. */
    async diff(touched: FileTouch, lines: number): Promise<string | undefined> {
      if (touched.action === 'read') return undefined;
      const [call] = await events.range(touched.session, touched.event, touched.event);
      const [answer] =
        touched.result < 0 ? [] : await events.range(touched.session, touched.result, touched.result);
      const record = answer === undefined ? undefined : await events.record(touched.session, answer);
      const part = call === undefined ? undefined : await events.part(touched.session, call);
      const diff =
        (record === undefined
          ? undefined
          : providerWith(providers, touched.session.provider)?.recordedDiff?.(record, touched.path)) ??
        (part?.args === undefined ? undefined : argumentDiff(part.args, touched.path));
      return diff === undefined ? undefined : shortDiff(redact(diff), lines);
    },
  };
}

/** The range that contains all paths below a folder. */
function below(folder: string): readonly [string, string] {
  const plain = folder === '/' ? '' : folder;
  return [`${plain}/`, `${plain}0`];
}

function likeEscape(value: string): string {
  return value.replace(/[\\%_]/g, (character) => `\\${character}`);
}

export function touchOf(row: SqlRow): FileTouch {
  const actions: readonly TouchAction[] = ['read', 'write', 'edit', 'delete'];
  return {
    session: sessionRow(row),
    path: str(row.path),
    event: int(row.event),
    turn: int(row.turn),
    step: int(row.step),
    ms: int(row.ms),
    action: actions.find((action) => action === row.action) ?? 'read',
    repoPath: str(row.repo_path),
    added: optionalInt(row.added),
    removed: optionalInt(row.removed),
    status: statusOf(row.status) ?? 'pending',
    tool: str(row.name),
    result: int(row.result ?? -1),
    prompt: str(row.prompt),
  };
}

/** The diff that the arguments of the call describe. */
function argumentDiff(args: JsonObject, path: string): string | undefined {
  const patch = [filled(args.input), filled(args.patch), commandOf(args)].find((value) =>
    value?.includes('*** '),
  );
  if (patch !== undefined) return patchOfFile(patch, path);
  const edits = list(args.edits).map(object);
  const passages = edits.length > 0 ? edits : [args];
  const diffs = passages.flatMap((edit) => {
    const before = text(edit.old_string);
    const after = text(edit.new_string);
    return before === undefined || after === undefined ? [] : [passageDiff(before, after)];
  });
  if (diffs.length > 0) return diffs.join('\n');
  const content = text(args.content);
  return content === undefined ? undefined : passageDiff('', content);
}
