import { realpath } from 'node:fs/promises';
import { fail, systemCode } from '../../contract/errors.ts';
import { isInside } from '../../contract/inside.ts';
import { parseJson } from '../../store/column-values.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { callPlans } from '../calls.ts';
import { handleNumber } from '../handles.ts';
import type { OpenIndex } from '../indexes/index-catalog.ts';
import type { Reports } from '../reports/reports.ts';
import { sumSizes } from '../sizes.ts';
import { type CleanPlan, makePlan, type PlanItem } from './clean-up-plan.ts';
import type { GitIgnores } from './git-state.ts';
import { OwnMoves } from './own-moves.ts';
import { moveToTrash, NotMoved, restore, stillPlanned, trashFor } from './trash.ts';

export type PlanStatus = 'planned' | 'done' | 'undone';

export interface StoredPlan {
  readonly id: number;
  readonly selection: number;
  readonly index: number;
  readonly status: PlanStatus;
  readonly createdAt: number;
  readonly plan: CleanPlan;
  /** How many of its items are in the trash now. */
  readonly moved: number;
}

/** What happened to the items of a plan. */
export interface Outcome {
  readonly moved: number;
  readonly bytes: number;
  readonly failed: readonly { readonly path: string; readonly reason: string }[];
}

export interface CleanUpPlansDeps {
  readonly db: Database;
  readonly now: () => number;
  readonly gitIgnores: GitIgnores;
  readonly reports: Reports;
  /** The data folder, which no plan may move, nor anything in it. */
  readonly home: string;
}

const SELECT_PLANS = `SELECT disk_plans.*, (SELECT COUNT(*) FROM disk_moves
  WHERE plan_id = disk_plans.id AND state IN ('moving', 'moved')) AS moved FROM disk_plans`;

/** Clean-up plans, and the journal with which each move can be undone. */
export class CleanUpPlans {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #deps: CleanUpPlansDeps;

  constructor(deps: CleanUpPlansDeps) {
    this.#deps = deps;
    this.#db = deps.db;
    this.#now = deps.now;
  }

  /** What moving a selection to the trash would do. */
  make(open: OpenIndex, rows: readonly number[], signal: AbortSignal): Promise<CleanPlan> {
    const { gitIgnores, reports } = this.#deps;
    const equalFiles = (sizes: readonly number[]) => reports.equalFiles(open, sizes, signal);
    return makePlan({ tree: open.tree, rows, gitIgnores, equalFiles, signal });
  }

  async create(selection: number, index: number, plan: CleanPlan): Promise<StoredPlan> {
    const { id } = await this.#db.run(
      "INSERT INTO disk_plans (set_id, index_id, status, plan, created_at) VALUES (?, ?, 'planned', ?, ?)",
      ...[selection, index, JSON.stringify(plan), this.#now()],
    );
    return this.#load(id);
  }

  async get(handle: string): Promise<StoredPlan> {
    const row = await this.#db.get(`${SELECT_PLANS} WHERE id = ?`, handleNumber('p', handle));
    return row
      ? toPlan(row)
      : fail('not_found', `No plan '${handle.slice(0, 20)}'.`, { next: callPlans({}) });
  }

  async list(before: number | undefined, limit: number): Promise<StoredPlan[]> {
    const rows = await this.#db.all(
      `${SELECT_PLANS} WHERE id < ? ORDER BY id DESC LIMIT ?`,
      ...[before ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return rows.map(toPlan);
  }

  /** Moves all items to the trash; what has changed since the plan was made stays where it is. */
  async carryOut(stored: StoredPlan, roots: readonly string[], signal: AbortSignal): Promise<Outcome> {
    // One statement, so that of two simultaneous calls only one begins.
    const { changes } = await this.#db.run(
      "UPDATE disk_plans SET status = 'done', ended_at = ? WHERE id = ? AND status = 'planned'",
      ...[this.#now(), stored.id],
    );
    if (changes === 0) {
      const { status } = await this.#load(stored.id);
      fail('conflict', `This plan is already ${status}. Make a new one.`);
    }
    const own = new OwnMoves();
    return this.#each(stored.plan.items, signal, async (item) => {
      await stillPlanned(item, roots, own, signal);
      const trash = await trashFor(item.path, item.dev);
      await this.#notOurs(item.path, [this.#deps.home, trash.files]);
      let move = 0;
      try {
        const begin = async (trashed: string) => {
          // Recorded before the move, so that a crash never leaves a moved item without a record.
          move = await this.#record(stored.id, item, trashed);
        };
        await own.during(item, () => moveToTrash(item, trash, this.#now(), begin));
      } catch (error) {
        await this.#moveState(move, 'failed');
        throw error;
      }
      await this.#moveState(move, 'moved');
    });
  }

  /** Throws for a path in one of some folders, or around one. */
  async #notOurs(path: string, folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      const real = await realpath(folder).catch(() => folder);
      if (isInside(path, real) || isInside(real, path))
        throw new NotMoved("it is Pinhole's own data or the trash itself, or contains it");
    }
  }

  /** Moves the items of a plan back to their places, the last one first. */
  async undo(stored: StoredPlan, signal: AbortSignal): Promise<Outcome> {
    if (stored.status === 'planned')
      fail('conflict', 'This plan has not been run, so there is nothing to undo.');
    const rows = await this.#db.all(
      "SELECT * FROM disk_moves WHERE plan_id = ? AND state IN ('moving', 'moved') ORDER BY id DESC",
      stored.id,
    );
    const byPath = new Map(stored.plan.items.map((item) => [item.path, item]));
    const moves = rows.flatMap((row) => {
      const item = byPath.get(String(row.original));
      return item === undefined ? [] : [{ ...item, move: Number(row.id), trashed: String(row.trashed) }];
    });
    const outcome = await this.#each(moves, signal, async ({ path, trashed, move, ...item }) => {
      await restore(path, trashed, item);
      await this.#moveState(move, 'undone');
    });
    if (outcome.failed.length === 0) await this.#status(stored.id, 'undone');
    return outcome;
  }

  async #each<Item extends PlanItem>(
    items: readonly Item[],
    signal: AbortSignal,
    act: (item: Item) => Promise<void>,
  ): Promise<Outcome> {
    const failed: { path: string; reason: string }[] = [];
    // A file with several names in the plan counts once.
    const files = new Map<string, number>();
    let moved = 0;
    for (const item of items) {
      if (signal.aborted) {
        failed.push({ path: item.path, reason: 'stopped before this item' });
        continue;
      }
      try {
        await act(item);
        moved++;
        files.set(`${item.dev} ${item.ino}`, item.disk_size);
      } catch (error) {
        const reason =
          error instanceof NotMoved
            ? error.message
            : `the system refused it (${systemCode(error) ?? 'unknown'})`;
        failed.push({ path: item.path, reason });
      }
    }
    const bytes = sumSizes(files.values(), (size) => size);
    return { moved, bytes, failed };
  }

  async #record(plan: number, item: PlanItem, trashed: string): Promise<number> {
    const { id } = await this.#db.run(
      "INSERT INTO disk_moves (plan_id, original, trashed, dev, ino, state, at) VALUES (?, ?, ?, ?, ?, 'moving', ?)",
      ...[plan, item.path, trashed, item.dev, item.ino, this.#now()],
    );
    return id;
  }

  async #moveState(move: number, state: 'moved' | 'failed' | 'undone'): Promise<void> {
    await this.#db.run('UPDATE disk_moves SET state = ? WHERE id = ?', state, move);
  }

  async #status(id: number, status: PlanStatus): Promise<void> {
    await this.#db.run(
      'UPDATE disk_plans SET status = ?, ended_at = ? WHERE id = ?',
      status,
      this.#now(),
      id,
    );
  }

  async #load(id: number): Promise<StoredPlan> {
    return toPlan((await this.#db.get(`${SELECT_PLANS} WHERE id = ?`, id)) ?? {});
  }
}

const STATUSES = ['planned', 'done', 'undone'] as const;
const NO_PLAN: CleanPlan = {
  items: [],
  missing: 0,
  total: { files: 0, dirs: 0, size: 0, disk_size: 0, freed: 0 },
};

function toPlan(row: SqlRow): StoredPlan {
  return {
    id: Number(row.id),
    selection: Number(row.set_id),
    index: Number(row.index_id),
    status: STATUSES.find((status) => status === row.status) ?? 'planned',
    createdAt: Number(row.created_at),
    plan: parseJson<CleanPlan>(row.plan) ?? NO_PLAN,
    moved: Number(row.moved ?? 0),
  };
}
