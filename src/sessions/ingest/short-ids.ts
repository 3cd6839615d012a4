import type { Database } from '../../store/database.ts';

const MIN_SHORT_ID_LENGTH = 8;

/** Gives the sessions whose ids begin like this one the shortest ids that still tell them apart. */
export async function shortenIds(tx: Database, id: string): Promise<void> {
  const prefix = id.slice(0, MIN_SHORT_ID_LENGTH);
  const rows = await tx.all(
    'SELECT key, id, short, copy_of FROM sessions WHERE id >= ? AND id < ? ORDER BY id',
    prefix,
    `${prefix}\u{10ffff}`,
  );
  const ids = rows.filter((row) => row.copy_of === null).map((row) => String(row.id));
  for (const row of rows) {
    const own = String(row.id);
    const short = row.copy_of === null ? shortId(own, ids) : own;
    if (row.short !== short)
      await tx.run('UPDATE sessions SET short = ? WHERE key = ?', short, Number(row.key));
  }
}

/** The shortest prefix of an id, of at least 8 characters, that none of the others has. */
export function shortId(id: string, others: readonly string[]): string {
  const shared = Math.max(0, ...others.filter((other) => other !== id).map((other) => common(id, other)));
  const length = Math.max(MIN_SHORT_ID_LENGTH, shared + 1);
  // A hyphen at the end adds nothing: take the character after it too.
  return id.slice(0, id[length - 1] === '-' ? length + 1 : length);
}

function common(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
