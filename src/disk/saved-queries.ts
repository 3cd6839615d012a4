import { fail } from '../contract/errors.ts';
import { optionalNumber, parseJson } from '../store/column-values.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { callQueryList } from './calls.ts';
import { handleNumber } from './handles.ts';

export const MODES = ['replace', 'append', 'merge'] as const;
/**
 * How a result is stored in a selection: it replaces the nodes there, is appended to them, or is merged, which also
 * drops nodes that are no longer on the disk.
 */
export type Mode = (typeof MODES)[number];

export interface SavedQuery {
  readonly id: number;
  readonly name: string;
  /** The filter as the caller wrote it. */
  readonly filter: unknown;
  readonly index: number | undefined;
  /** The selection that holds its results, once it has run. */
  readonly selection: number | undefined;
  readonly mode: Mode;
  readonly createdAt: number;
  readonly lastRunAt: number | undefined;
}

export interface QueryRun {
  readonly at: number;
  readonly index: number;
  readonly generation: number;
  readonly selection: number;
  readonly matches: number;
  readonly size: number;
  readonly ms: number;
}

const MAX_RUNS_PER_QUERY = 100;

/** Saved queries and the history of their runs, in the main database. */
export class SavedQueries {
  readonly #db: Database;
  readonly #now: () => number;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
  }

  /** Saves a query, or replaces the filter of the query with this name. */
  async save(query: Pick<SavedQuery, 'name' | 'filter' | 'index' | 'mode'>): Promise<SavedQuery> {
    // A filter may arrive as JSON text; it is stored as a value.
    const filter = typeof query.filter === 'string' ? query.filter : JSON.stringify(query.filter);
    const known = await this.named(query.name);
    if (known) {
      await this.#db.run(
        'UPDATE disk_queries SET filter = ?, index_id = ?, mode = ? WHERE id = ?',
        ...[filter, query.index ?? null, query.mode, known.id],
      );
      return this.#load(known.id);
    }
    const { id } = await this.#db.run(
      'INSERT INTO disk_queries (name, filter, index_id, mode, created_at) VALUES (?, ?, ?, ?, ?)',
      ...[query.name, filter, query.index ?? null, query.mode, this.#now()],
    );
    return this.#load(id);
  }

  /** The query with this handle or name. */
  async get(handle: string): Promise<SavedQuery> {
    const row = await this.#db.get('SELECT * FROM disk_queries WHERE id = ?', handleNumber('q', handle));
    const query = row ? toQuery(row) : await this.named(handle);
    return query ?? fail('not_found', `No query '${handle.slice(0, 20)}'.`, { next: callQueryList({}) });
  }

  /** The query with this name, if there is one. */
  async named(name: string): Promise<SavedQuery | undefined> {
    const row = await this.#db.get('SELECT * FROM disk_queries WHERE name = ?', name);
    return row && toQuery(row);
  }

  async list(before: number | undefined, limit: number): Promise<SavedQuery[]> {
    const rows = await this.#db.all(
      'SELECT * FROM disk_queries WHERE id < ? ORDER BY id DESC LIMIT ?',
      ...[before ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return rows.map(toQuery);
  }

  async remove(handle: string): Promise<void> {
    const { id } = await this.get(handle);
    await this.#db.run('DELETE FROM disk_query_runs WHERE query_id = ?', id);
    await this.#db.run('DELETE FROM disk_queries WHERE id = ?', id);
  }

  /** Records a run and the selection that its result went into. */
  async recordRun(query: SavedQuery, run: Omit<QueryRun, 'at'>): Promise<void> {
    const at = this.#now();
    await this.#db.run(
      'UPDATE disk_queries SET last_run_at = ?, set_id = ? WHERE id = ?',
      ...[at, run.selection, query.id],
    );
    await this.#db.run(
      'INSERT INTO disk_query_runs (query_id, at, index_id, generation, set_id, matches, size, ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      ...[query.id, at, run.index, run.generation, run.selection, run.matches, run.size, run.ms],
    );
    await this.#db.run(
      'DELETE FROM disk_query_runs WHERE query_id = ? AND id NOT IN (SELECT id FROM disk_query_runs WHERE query_id = ? ORDER BY id DESC LIMIT ?)',
      ...[query.id, query.id, MAX_RUNS_PER_QUERY],
    );
  }

  /** The latest runs first. */
  async runs(query: SavedQuery, limit: number): Promise<QueryRun[]> {
    const rows = await this.#db.all(
      'SELECT * FROM disk_query_runs WHERE query_id = ? ORDER BY id DESC LIMIT ?',
      ...[query.id, limit],
    );
    return rows.map((row) => ({
      at: Number(row.at),
      index: Number(row.index_id),
      generation: Number(row.generation),
      selection: Number(row.set_id),
      matches: Number(row.matches),
      size: Number(row.size),
      ms: Number(row.ms),
    }));
  }

  async #load(id: number): Promise<SavedQuery> {
    return toQuery((await this.#db.get('SELECT * FROM disk_queries WHERE id = ?', id)) ?? {});
  }
}

function toQuery(row: SqlRow): SavedQuery {
  return {
    id: Number(row.id),
    name: String(row.name),
    filter: parseJson<unknown>(row.filter),
    index: optionalNumber(row.index_id),
    selection: optionalNumber(row.set_id),
    mode: MODES.find((mode) => mode === row.mode) ?? 'replace',
    createdAt: Number(row.created_at),
    lastRunAt: optionalNumber(row.last_run_at),
  };
}
