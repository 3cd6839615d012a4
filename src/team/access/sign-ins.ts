import { createHash, randomBytes } from 'node:crypto';
import { str } from '../../sessions/store/session-row.ts';
import type { PostgresDatabase } from '../../store/postgres.ts';

/** The tables for sign-ins; see TEAM_SCHEMA. */
export const SIGN_INS_TABLE = `
CREATE TABLE sign_ins (
  hash TEXT COLLATE "C" PRIMARY KEY,
  kind TEXT COLLATE "C" NOT NULL,
  value TEXT NOT NULL,
  until_ms BIGINT NOT NULL
);
CREATE INDEX sign_ins_until ON sign_ins (until_ms);
`;

/** Where the provider sends a browser back to. */
export const CALLBACK = '/api/sign-in/callback';

/** What must be remembered until the browser returns from the provider. */
export interface BegunSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Where on the page to go afterwards. */
  readonly to: string;
}

export type SignIns = ReturnType<typeof signIns>;

/** Browsers that have signed in, or are about to. Every node knows them, by the hash of their cookie. */
export function signIns(db: PostgresDatabase, now: () => number) {
  return {
    /** Stores a value for a time, under a name that nobody can guess. */
    async keep(kind: 'begun' | 'signed in', value: unknown, forMs: number): Promise<string> {
      const name = randomBytes(32).toString('base64url');
      await db.run('DELETE FROM sign_ins WHERE until_ms < ?', now());
      await db.run(
        'INSERT INTO sign_ins (hash, kind, value, until_ms) VALUES (?, ?, ?, ?)',
        ...[hashOf(name), kind, JSON.stringify(value), now() + forMs],
      );
      return name;
    },
    async find(kind: 'begun' | 'signed in', name: string): Promise<unknown> {
      const row = await db.get(
        'SELECT value FROM sign_ins WHERE hash = ? AND kind = ? AND until_ms > ?',
        ...[hashOf(name), kind, now()],
      );
      return row === undefined ? undefined : JSON.parse(str(row.value));
    },
    /** Returns and deletes the value: of two concurrent requests, only one gets it. */
    async take(kind: 'begun' | 'signed in', name: string): Promise<unknown> {
      const [row] = await db.own(
        'DELETE FROM sign_ins WHERE hash = $1 AND kind = $2 AND until_ms > $3 RETURNING value',
        [hashOf(name), kind, now()],
      );
      return row === undefined ? undefined : JSON.parse(str(row.value));
    },
  };
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}
