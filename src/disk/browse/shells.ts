import { fail } from '../../contract/errors.ts';
import { DAY_MS } from '../../contract/time.ts';
import { optionalNumber, optionalText } from '../../store/column-values.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { callCd } from '../calls.ts';

export const SORTS = ['size', 'name', 'modified', 'entries'] as const;
export type Sort = (typeof SORTS)[number];
export const UNITS = ['iec', 'si', 'bytes'] as const;
export type Units = (typeof UNITS)[number];

/** A current folder with a few preferences, with a short id such as `w8`. */
export interface Shell {
  readonly shell: string;
  readonly cwd: string;
  readonly units?: Units | undefined;
  readonly limit?: number | undefined;
  readonly sort?: Sort | undefined;
}

export type ShellPreferences = Pick<Shell, 'units' | 'limit' | 'sort'>;

export interface Shells {
  get(shell: string): Promise<Shell>;
  /** The shell that a caller used last, if any. */
  ofCaller(caller: string): Promise<Shell | undefined>;
  /** Changes the folder of a shell, or opens a shell for a caller who has none. */
  move(shell: string | undefined, caller: string, cwd: string): Promise<Shell>;
  prefer(shell: string, preferences: ShellPreferences): Promise<Shell>;
}

const EXPIRY_MS = 90 * DAY_MS;

export function databaseShells(db: Database, now: () => number): Shells {
  const lastOf = new Map<string, string>();

  const find = async (shell: string): Promise<Shell> => {
    const id = /^w\d{1,15}$/.test(shell) ? Number(shell.slice(1)) : 0;
    const row = await db.get('SELECT * FROM shells WHERE id = ?', id);
    return row
      ? toShell(row)
      : fail('not_found', `No shell '${shell.slice(0, 20)}'. Leave shell out to open a new one.`, {
          next: callCd({}),
        });
  };

  return {
    get: find,
    async ofCaller(caller) {
      const shell = lastOf.get(caller);
      return shell === undefined ? undefined : find(shell);
    },
    async move(shell, caller, cwd) {
      const known = shell ?? lastOf.get(caller);
      if (known === undefined) {
        await db.run('DELETE FROM shells WHERE seen_at < ?', now() - EXPIRY_MS);
        const { id } = await db.run(
          'INSERT INTO shells (cwd, created_at, seen_at) VALUES (?, ?, ?)',
          cwd,
          now(),
          now(),
        );
        lastOf.set(caller, `w${id}`);
        return { shell: `w${id}`, cwd };
      }
      await db.run('UPDATE shells SET cwd = ?, seen_at = ? WHERE id = ?', cwd, now(), Number(known.slice(1)));
      lastOf.set(caller, known);
      return find(known);
    },
    async prefer(shell, preferences) {
      const { units, limit, sort } = { ...(await find(shell)), ...preferences };
      await db.run(
        'UPDATE shells SET units = ?, row_limit = ?, sort = ?, seen_at = ? WHERE id = ?',
        ...[units ?? null, limit ?? null, sort ?? null, now(), Number(shell.slice(1))],
      );
      return find(shell);
    },
  };
}

/** The units for sizes in a shell, or in the shell that a caller used last. */
export async function unitsOf(
  shells: Shells,
  caller: string,
  shell: string | undefined,
): Promise<Units | undefined> {
  const known = shell === undefined ? shells.ofCaller(caller) : shells.get(shell);
  return (await known.catch(() => undefined))?.units;
}

function toShell(row: SqlRow): Shell {
  return {
    shell: `w${row.id}`,
    cwd: String(row.cwd),
    units: UNITS.find((unit) => unit === row.units),
    limit: optionalNumber(row.row_limit),
    sort: SORTS.find((sort) => sort === optionalText(row.sort)),
  };
}
