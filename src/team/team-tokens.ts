import { createHash, randomBytes } from 'node:crypto';
import { fail } from '../contract/errors.ts';
import { int, optionalInt, str } from '../sessions/store/session-row.ts';
import type { SqlRow } from '../store/database.ts';
import type { PostgresDatabase } from '../store/postgres.ts';

export const SCOPES = ['read', 'collect', 'admin'] as const;
export type TokenScope = (typeof SCOPES)[number];

/** Somebody to whom the team gave a token. */
export interface TokenHolder {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** The projects whose sessions they may see; undefined for all. */
  readonly projects: readonly string[] | undefined;
}

export interface ListedToken extends TokenHolder {
  readonly createdMs: number;
  readonly usedMs: number | undefined;
  readonly revokedMs: number | undefined;
}

export type TeamTokens = ReturnType<typeof teamTokens>;

/** Distinguishes a team's tokens from other secrets, for people and for scanners. */
const PREFIX = 'pinhole_';
/** Names are shown in lists and in the audit. */
const NAME = /^[\w.@-]{1,64}$/;
/** The time of last use is stored to this precision. */
const USED_EVERY_MS = 60_000;

/** The tokens of a team. The database has only their hashes: a token is shown once, when it is created. */
export function teamTokens(db: PostgresDatabase, now: () => number = Date.now) {
  return {
    /** Creates a token and returns its text. The name of a revoked token can be reused. */
    async create({ name, scopes, projects }: TokenHolder): Promise<string> {
      if (!NAME.test(name))
        fail(
          'invalid_parameter',
          `'${name}' is not a name for a token. Use up to 64 letters, digits and . _ @ -`,
        );
      const token = newText();
      await db.run('DELETE FROM tokens WHERE name = ? AND revoked_ms IS NOT NULL', name);
      const { changes } = await db.run(
        'INSERT OR IGNORE INTO tokens (name, hash, scopes, projects, created_ms) VALUES (?, ?, ?, ?, ?)',
        ...[
          name,
          hashOf(token),
          scopes.join(' '),
          projects === undefined ? null : JSON.stringify(projects),
          now(),
        ],
      );
      if (changes === 0)
        fail('conflict', `There is a token '${name}' already. Rotate it, or choose another name.`);
      return token;
    },

    /** Replaces the text of a token; the old one stops working at once. */
    async rotate(name: string): Promise<string> {
      const token = newText();
      const { changes } = await db.run(
        'UPDATE tokens SET hash = ?, created_ms = ?, used_ms = NULL WHERE name = ? AND revoked_ms IS NULL',
        ...[hashOf(token), now(), name],
      );
      return changes === 0 ? unknown(name) : token;
    },

    async revoke(name: string): Promise<void> {
      const { changes } = await db.run(
        'UPDATE tokens SET revoked_ms = ? WHERE name = ? AND revoked_ms IS NULL',
        ...[now(), name],
      );
      if (changes === 0) unknown(name);
    },

    async list(): Promise<readonly ListedToken[]> {
      const rows = await db.all('SELECT * FROM tokens ORDER BY name');
      return rows.map((row) => ({
        ...holder(row),
        createdMs: int(row.created_ms),
        usedMs: optionalInt(row.used_ms),
        revokedMs: optionalInt(row.revoked_ms),
      }));
    },

    /** Who holds a token; undefined if we did not issue it, or revoked it. */
    async holderOf(token: string): Promise<TokenHolder | undefined> {
      if (!token.startsWith(PREFIX)) return undefined;
      const row = await db.get('SELECT * FROM tokens WHERE hash = ? AND revoked_ms IS NULL', hashOf(token));
      if (row === undefined) return undefined;
      if (now() - int(row.used_ms) > USED_EVERY_MS)
        await db.run('UPDATE tokens SET used_ms = ? WHERE name = ?', now(), str(row.name));
      return holder(row);
    },
  };
}

function newText(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** Tokens are long and random, so a plain hash cannot be reversed. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function holder(row: SqlRow): TokenHolder {
  const scopes = str(row.scopes).split(' ');
  return {
    name: str(row.name),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    projects: typeof row.projects === 'string' ? JSON.parse(row.projects) : undefined,
  };
}

function unknown(name: string): never {
  return fail('not_found', `There is no token '${name}', or it was revoked. See: pinhole team token list`);
}
