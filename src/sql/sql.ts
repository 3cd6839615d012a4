import type { Code } from '../code/code.ts';
import { PinholeError } from '../contract/errors.ts';
import { countText } from '../contract/format.ts';
import type { NextCall } from '../contract/next-call.ts';
import type { Disk } from '../disk/disk.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SqlDatabase } from '../store/sql-table.ts';
import { prepareDisk } from './disk-sources.ts';
import { type Cell, type FoundEvent, MOST_ROWS, type QueryResult } from './query-messages.ts';
import { createQueryProcesses } from './query-processes.ts';
import type { SqlContext } from './services.ts';
import { slowMessage } from './slow-query.ts';
import { tokensOf } from './statement.ts';
import { subjectsOf } from './subjects.ts';

const TIMEOUT_MS = 30_000;
/** SQLite attaches ten files; one of them is the index of sessions. */
const MOST_TREES = 9;
/** Matches of `find` that become rows. */
const MOST_FOUND = 20_000;

export interface SqlQuery {
  readonly query: string;
  readonly find?: string | undefined;
}

export interface SqlAnswer {
  readonly columns: readonly string[];
  readonly whole: readonly boolean[];
  readonly rows: readonly (readonly Cell[])[];
  readonly plan: readonly string[];
  /** What can make the answer wrong, to be read before it. */
  readonly notes: readonly string[];
  readonly next: readonly NextCall[];
}

/** Runs queries over the tables of all subjects. */
export interface Sql {
  query(query: SqlQuery, ctx: SqlContext): Promise<SqlAnswer>;
  close(): Promise<void>;
}

export interface SqlDeps {
  readonly sessions: Sessions;
  readonly code: Code;
  readonly disk: Disk;
}

export function openSql(deps: SqlDeps): Sql {
  const processes = createQueryProcesses();

  /** The symbols of the caller's current folder first: there are fewer places than there can be source trees. */
  async function codeDatabases(ctx: SqlContext, stop: AbortSignal): Promise<readonly SqlDatabase[]> {
    const here = await ctx.roots.resolve(ctx.caller.cwd ?? '.').catch(() => undefined);
    const roots = [...new Set([...(here === undefined ? [] : [here]), ...ctx.roots.folders])];
    const found = await deps.code.symbols.databases(roots, stop);
    if (found.length <= MOST_TREES) return found;
    const incomplete = `Only ${MOST_TREES} of ${found.length} source trees are in this answer.`;
    return found
      .slice(0, MOST_TREES)
      .map((database, i) => (i === 0 ? { ...database, incomplete } : database));
  }

  async function matches(find: string, signal: AbortSignal) {
    const [, regex] = /^\/(.+)\/$/s.exec(find) ?? [];
    const found: FoundEvent[] = [];
    const ids = new Map<number, string>();
    const hits = deps.sessions.search.find({ text: regex ?? find, regex: regex !== undefined }, {}, signal);
    for await (const { key, event, turn, ms, type, preview } of hits) {
      if (found.length >= MOST_FOUND) return { found, cut: true };
      const session = ids.get(key) ?? (await deps.sessions.list.shortIdOf(key));
      ids.set(key, session);
      found.push({ session, event, turn, ms, type, text: preview });
    }
    return { found, cut: false };
  }

  return {
    async query({ query, find }, ctx) {
      const limit = 0.85 * (ctx.caller.timeoutMs ?? TIMEOUT_MS);
      const { signal, stop, timedOut } = timeLimit(ctx.signal, limit);
      let names: readonly string[] = [];
      try {
        const { reads } = await processes.look(query, signal);
        names = Object.keys(reads);
        const subjects = subjectsOf(names);
        const texts = tokensOf(query).flatMap(({ kind, value }) => (kind === 'text' ? [value] : []));
        const [sessions, code, disk] = await Promise.all([
          subjects.has('sessions') || find !== undefined ? [await deps.sessions.database(signal, names)] : [],
          subjects.has('code') ? codeDatabases(ctx, signal) : [],
          subjects.has('disk') ? prepareDisk(deps.disk, texts, ctx) : { sources: [], notes: [], next: [] },
        ]);
        const { found, cut } = find === undefined ? { found: [], cut: false } : await matches(find, signal);
        const result = await processes.run(
          {
            query,
            now: ctx.now(),
            zone: ctx.zone,
            reads,
            databases: {
              sessions: sessions.map(({ file }) => file),
              code: code.map(({ file }) => file),
            },
            disk: disk.sources,
            found,
            explain: ctx.caller.explain,
          },
          signal,
        );
        const notes = [
          ...[...sessions, ...code].flatMap(({ incomplete }) => incomplete ?? []),
          ...disk.notes,
          ...(cut ? [`find stopped after ${countText(MOST_FOUND)} matches, newest first.`] : []),
          ...(result.cut ? [cutNote(result)] : []),
          ...(result.rows.length === 0 ? relativePaths(texts) : []),
        ];
        return { ...result, notes, next: disk.next };
      } catch (error) {
        // The time limit of the engine comes a little later, and would not say why.
        if (timedOut())
          throw new PinholeError('search_timeout', slowMessage(limit, processes.planOf(signal), names), {
            cause: error,
          });
        throw error;
      } finally {
        stop();
      }
    },
    close: () => processes.close(),
  };
}

/** A signal that is aborted with another one or when the time is over. */
function timeLimit(outer: AbortSignal, ms: number) {
  const controller = new AbortController();
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    controller.abort(new Error('time limit'));
  }, ms);
  const abort = () => controller.abort(outer.reason);
  if (outer.aborted) abort();
  outer.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    timedOut: () => over,
    stop() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
    },
  };
}

/** Nothing is found below a relative path. */
function relativePaths(texts: readonly string[]): string[] {
  const path = texts.find((text) => /^[\w.@-]+\/[\w./@%-]*$/.test(text));
  return path === undefined
    ? []
    : [`Paths are absolute: try path like '%/${path.replace(/%+$/, '')}%', or repo_path of edits.`];
}

function cutNote({ rows }: QueryResult): string {
  const why = rows.length === MOST_ROWS ? '' : ', which have 16 MB';
  return `Only the first ${countText(rows.length)} rows were read${why}. Aggregate, or add conditions.`;
}
