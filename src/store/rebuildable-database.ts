import { rmSync } from 'node:fs';
import { errorText } from '../contract/errors.ts';
import type { Database, Migration } from './database.ts';
import { openSqlite } from './sqlite.ts';

/** Opens an index that can be rebuilt: if it cannot be opened, it is deleted. */
export async function openRebuildable(
  file: string,
  schema: readonly Migration[],
  log: (line: string) => void,
): Promise<Database> {
  try {
    return await openSqlite(file, schema);
  } catch (error) {
    log(`building ${file} again: ${errorText(error)}`);
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
    return openSqlite(file, schema);
  }
}
