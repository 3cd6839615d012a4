import { existsSync } from 'node:fs';
import { loadDriver, openPrivately } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/** Long enough to outwait a process that only checks whether the lock is held. */
const WAIT_MS = 200;

/**
 * Takes a lock that the operating system releases when the process dies, however it dies: an exclusive SQLite
 * transaction on a separate file. Undefined when another process holds it.
 */
export function tryLock(file: string): Lock | undefined {
  const connection = openPrivately(file);
  try {
    connection.exec(`PRAGMA busy_timeout = ${WAIT_MS}; BEGIN EXCLUSIVE;`);
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => connection.close() };
}

/** Whether any process holds the lock. */
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
