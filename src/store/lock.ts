import { openPrivately } from './sqlite.ts';

export interface Lock {
  release(): void;
}

/**
 * Takes a lock that the operating system gives up when the process dies, however it dies: an exclusive SQLite
 * transaction on a file of its own. Undefined when somebody else holds it.
 */
export function tryLock(file: string): Lock | undefined {
  const connection = openPrivately(file);
  try {
    connection.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE;');
  } catch (error) {
    connection.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined;
    throw error;
  }
  return { release: () => connection.close() };
}
