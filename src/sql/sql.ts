import type { Code } from '../code/code.ts';
import { commitsDatabase } from '../commits/sql-database.ts';
import { PinholeError } from '../contract/errors.ts';
import { countText } from '../contract/format.ts';
import type { NextCall } from '../contract/next-call.ts';
import type { Disk } from '../disk/disk.ts';
import type { SharedTables } from '../store/sql-table.ts';
import { type DiskPrepared, prepareDisk } from './disk-sources.ts';
import { duplicateFiles } from './duplicate-files.ts';
import { outsideNote, refusedText, type UnreadFolders, unreadFolders, unreadNote } from './folder-gaps.ts';
import { foundEvents, MAX_FOUND_EVENTS } from './found-events.ts';
import { impossibleValues } from './known-values.ts';
import type { Cell, Look, QueryRequest, QueryResult } from './query-messages.ts';
import { cutNote, relativePaths, rootsNote } from './query-notes.ts';
import { createQueryProcesses } from './query-processes.ts';
import { inPathOrder } from './row-order.ts';
import type { SqlContext } from './services.ts';
import { isShared, runShared } from './shared-query.ts';
import { slowMessage } from './slow-query.ts';
import { sourceTrees } from './source-trees.ts';
import { comparedTexts, type Token, tokensOf, withQuotedText } from './statement.ts';
import { subjectsOf } from './subjects.ts';
import { timeLimit } from './time-limit.ts';
import { createTimeSpent, type TimeSpent } from './time-spent.ts';

const TIMEOUT_MS = 30_000;

export interface SqlQuery {
  /** One SELECT each. */
  readonly statements: readonly string[];
  readonly find?: string | undefined;
}

/** The table that one statement gives. */
export interface SqlTableAnswer {
  readonly columns: readonly string[];
  readonly computed: readonly boolean[];
  readonly rows: readonly (readonly Cell[])[];
  readonly plan: readonly string[];
  /** Why there is no table, when other statements have one. */
  readonly error?: string | undefined;
  /** Which of the folders that the statement names were not read. */
  readonly unread?: string | undefined;
}

export interface SqlAnswer {
  /** One per statement, in order. */
  readonly tables: readonly SqlTableAnswer[];
  /** What may make the answer wrong; shown before it. */
  readonly notes: readonly string[];
  readonly next: readonly NextCall[];
}

/** Runs queries over the tables of all subjects. */
export interface Sql {
  query(query: SqlQuery, ctx: SqlContext): Promise<SqlAnswer>;
  close(): Promise<void>;
}

export interface SqlDeps {
  readonly code: Code;
  readonly disk: Disk;
  /** The tables of sessions and commits, if they are in a team's database. */
  readonly shared?: SharedTables | undefined;
}

/** A compiled statement, or what is wrong with it. */
interface Looked {
  readonly query: string;
  readonly reads: Look['reads'];
  readonly tokens: readonly Token[];
  readonly texts: readonly string[];
  /** The texts in its comparisons. */
  readonly compared: readonly string[];
  readonly error?: PinholeError | undefined;
  /** Whether the team's database answers it. */
  readonly shared?: true | undefined;
  /** The folders that it names and has no rows of. */
  readonly unread?: UnreadFolders | undefined;
}

/** Everything that statements need to run. */
type Material = Pick<QueryRequest, 'databases' | 'within' | 'disk' | 'found'> &
  Pick<SqlAnswer, 'notes' | 'next'> &
  Pick<DiskPrepared, 'opened'>;

export function openSql(deps: SqlDeps): Sql {
  const processes = createQueryProcesses();

  async function look(query: string, signal: AbortSignal): Promise<Looked> {
    const tokens = tokensOf(query);
    const texts = tokens.flatMap(({ kind, value }) => (kind === 'text' ? [value] : []));
    const compared = comparedTexts(tokens);
    try {
      if (deps.shared !== undefined && isShared(query))
        return { query, reads: {}, tokens, texts, compared, shared: true };
      const { reads } = await processes.look(query, signal);
      return { query, reads, tokens, texts, compared };
    } catch (error) {
      if (!(error instanceof PinholeError)) throw error;
      const [, quoted] = /^No column "(.*)"\. Write/s.exec(error.message) ?? [];
      const meant = quoted === undefined ? undefined : withQuotedText(query, quoted.replaceAll('""', '"'));
      if (meant !== undefined) return look(meant, signal);
      return { query, reads: {}, tokens, texts: [], compared: [], error };
    }
  }

  /** Finds out which folders a statement has no rows of; one that is only about refused folders is an error. */
  async function withUnread(one: Looked, { roots }: SqlContext): Promise<Looked> {
    if (one.error !== undefined || one.shared === true) return one;
    // People may see imported indexes, whose folders are on other machines.
    const imported = async () =>
      (await deps.disk.indexes.list()).flatMap(({ options, root }) =>
        options.imported === true ? [root] : [],
      );
    const first = unreadFolders(one.tokens, one.reads, roots.folders);
    const hasGaps = first.refused.length > 0 || first.missing.length > 0;
    const unread =
      hasGaps && roots.person ? unreadFolders(one.tokens, one.reads, roots.folders, await imported()) : first;
    if (!unread.isRefused) return { ...one, unread };
    return { ...one, unread, error: new PinholeError('path_not_allowed', refusedText(unread)) };
  }

  /** Brings the subjects that the statements read up to date, each of them once. */
  async function prepare(
    looked: readonly Looked[],
    find: string | undefined,
    ctx: SqlContext,
    signal: AbortSignal,
    spent: TimeSpent,
  ): Promise<Material> {
    const names = [...new Set(looked.flatMap(({ reads }) => Object.keys(reads)))];
    const ofCode = looked.filter(({ reads }) => subjectsOf(Object.keys(reads)).has('code'));
    const subjects = subjectsOf(names);
    const wanted = find !== undefined && names.includes('found') ? find : undefined;
    const [sessions, commits, code, disk] = await Promise.all([
      subjects.has('sessions') || wanted !== undefined ? [await ctx.sessions.database(signal, names)] : [],
      subjects.has('commits') ? [await commitsDatabase(ctx)] : [],
      subjects.has('code')
        ? sourceTrees(
            deps.code,
            ofCode.map((one) => one.texts),
            ctx,
            signal,
          )
        : { databases: [], notes: [] },
      subjects.has('disk')
        ? prepareDisk(
            deps.disk,
            looked.flatMap((one) => one.compared),
            ctx,
            spent,
          )
        : { sources: [], opened: [], notes: [], next: [] },
    ]);
    const { found, cut } =
      wanted === undefined ? { found: [], cut: false } : await foundEvents(ctx.sessions, wanted, signal);
    return {
      databases: {
        sessions: sessions.flatMap(({ file }) => file ?? []),
        commits: commits.flatMap(({ file }) => file ?? []),
        code: code.databases.flatMap(({ file }) => file ?? []),
      },
      within: {
        ...(sessions[0]?.within && { sessions: sessions[0].within }),
        ...(commits[0]?.within && { commits: commits[0].within }),
      },
      disk: disk.sources,
      opened: disk.opened,
      found,
      notes: [
        ...sessions.flatMap(({ incomplete }) => incomplete ?? []),
        ...commits.flatMap(({ incomplete }) => incomplete ?? []),
        ...code.notes,
        ...disk.notes,
        ...rootsNote(
          looked,
          disk.opened.map(({ row }) => row.root),
        ),
        ...(cut ? [`find stopped after ${countText(MAX_FOUND_EVENTS)} matches, newest first.`] : []),
        ...(find !== undefined && wanted === undefined
          ? ['No statement reads found, so find did nothing.']
          : []),
        ...(find === undefined && names.includes('found')
          ? ['found is empty: give find, a text or /regex/.']
          : []),
      ],
      next: disk.next,
    };
  }

  return {
    async query({ statements, find }, ctx) {
      const limit = 0.85 * (ctx.caller.timeoutMs ?? TIMEOUT_MS);
      const { signal, stop, timedOut } = timeLimit(ctx.signal, limit);
      const spent = createTimeSpent();
      let running: readonly string[] = [];
      // The engine's own time limit comes a little later, and would not give the reason.
      const tooSlow = (cause: unknown) =>
        new PinholeError('search_timeout', slowMessage(limit, processes.planOf(signal), running), { cause });

      async function run(
        { query, reads, tokens, compared, shared }: Looked,
        { databases, within, disk, found, opened }: Material,
      ): Promise<QueryResult & Pick<SqlAnswer, 'notes'>> {
        running = Object.keys(reads);
        if (shared === true && deps.shared !== undefined)
          return runShared(deps.shared, { query, find, limitMs: limit }, ctx, signal);
        const question = { tokens, compared };
        const { duplicates, notes } =
          reads.duplicates === undefined
            ? { duplicates: [], notes: [] }
            : await spent.on('comparing files', () =>
                duplicateFiles(deps.disk, opened, question, ctx.roots, signal),
              );
        const result = await processes.run(
          {
            query,
            now: ctx.now(),
            zone: ctx.zone,
            settings: { prices: ctx.sessions.prices.table() },
            reads,
            databases,
            within,
            disk,
            found: reads.found === undefined ? [] : found,
            duplicates,
            explain: ctx.caller.explain,
          },
          signal,
        );
        return { ...result, notes };
      }

      try {
        const looked: Looked[] = [];
        for (const one of statements) looked.push(await withUnread(await look(one, signal), ctx));
        const refused = looked.flatMap(({ unread }) => unread?.refused ?? []);
        const outside = refused.length === 0 ? [] : [outsideNote(refused, ctx.roots.folders)];
        if (looked.every(({ error }) => error !== undefined)) throw mistakes(looked, outside);
        const here = looked.filter((one) => one.shared === undefined && one.error === undefined);
        const material = await prepare(here, here.length > 0 ? find : undefined, ctx, signal, spent);
        const tables: SqlTableAnswer[] = [];
        // Comparing files is slow, and must not use up the time of the other statements.
        const inTurn = [...looked.entries()].sort(
          ([, a], [, b]) => Number('duplicates' in a.reads) - Number('duplicates' in b.reads),
        );
        const notes: string[] = [...outside, ...material.notes];
        for (const [at, one] of inTurn) {
          try {
            if (one.error !== undefined) throw one.error;
            if (timedOut()) throw new PinholeError('search_timeout', 'Not run: no time was left.');
            const result = await run(one, material);
            const rows = inPathOrder(one.tokens, result.columns, result.rows);
            tables[at] = { ...result, rows, unread: one.unread && unreadNote(one.unread) };
            notes.push(...result.notes);
            if (result.cut) notes.push(cutNote(result));
            notes.push(...impossibleValues(one.tokens, one.reads));
            if (result.rows.length === 0) notes.push(...relativePaths(one.texts));
          } catch (thrown) {
            const error = timedOut() && !(thrown instanceof PinholeError) ? tooSlow(thrown) : thrown;
            if (statements.length === 1 || !(error instanceof PinholeError)) throw error;
            tables[at] = { columns: [], computed: [], rows: [], plan: [], error: error.message };
          }
        }
        // Where the time went matters only to those who got no answer.
        if (tables.some(({ error }, at) => error !== looked[at]?.error?.message))
          notes.push(...spent.notes());
        return { tables, notes: [...new Set(notes)], next: material.next };
      } catch (error) {
        throw timedOut() && !(error instanceof PinholeError) ? tooSlow(error) : error;
      } finally {
        stop();
      }
    },
    close: () => processes.close(),
  };
}

/** The error if no statement can be run. */
function mistakes(looked: readonly Looked[], outside: readonly string[]): PinholeError {
  const errors = looked.flatMap(({ error }) => error ?? []);
  const [only, ...others] = errors;
  const isRefused = errors.every(({ code }) => code === 'path_not_allowed');
  const numbered = errors.map(({ message }, at) => `Statement ${at + 1}: ${message}`);
  const messages = others.length > 0 ? [...numbered, ...outside] : isRefused ? outside : [only?.message];
  return new PinholeError(isRefused ? 'path_not_allowed' : 'invalid_parameter', messages.join('\n'));
}
