import { existsSync } from 'node:fs';
import { loadDriver, openPrivately } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/** Long enough for somebody who only looks whether it is held. */
const PATIENCE_MS = 200;

/**
 * Takes a lock that the operating system gives up when the process dies, however it dies: an exclusive SQLite
 * transaction on a file of its own. Undefined when somebody else holds it.
 */
export function tryLock(file: string): Lock | undefined {
  const connection = openPrivately(file);
  try {
    connection.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN EXCLUSIVE;`);
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => connection.close() };
}

/** Whether somebody holds the lock. */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  const connection = new (loadDriver())(file);
  try {
    connection.exec('PRAGMA busy_timeout = 0; SELECT * FROM sqlite_master;');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    connection.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && /locked|busy/i.test(error.message);
}
