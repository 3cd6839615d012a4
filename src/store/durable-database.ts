import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { errorText } from '../contract/errors.ts';
import type { Database, Migration } from './database.ts';
import { copySqlite, openSqlite, readSqlite } from './sqlite.ts';

/**
 * Copies that are kept, newest first: `pinhole.db.backup-1` … The newest is replaced at every close. The others are at
 * least an hour apart, so that a series of short-lived processes does not replace them all with the same content.
 */
const BACKUP_COUNT = 3;
const BACKUP_AGE_MS = 60 * 60 * 1000;
/**
 * Pages in the write-ahead log before they are moved to the main file. Far fewer than SQLite's 1,000, because one
 * damaged page in that log makes SQLite ignore everything after it.
 */
const CHECKPOINT_PAGES = 16;
const DAMAGED = /malformed|not a database|corrupt/i;

interface DurableOptions {
  readonly log: (line: string) => void;
  readonly now: () => number;
}

/**
 * Opens a database whose content cannot be rebuilt. It is copied from time to time; if it is damaged, it is set aside,
 * and the newest good copy takes its place. The log and `pinhole doctor` report that.
 */
export async function openDurable(
  file: string,
  migrations: readonly Migration[],
  options: DurableOptions,
): Promise<Database> {
  if (existsSync(file) && (isEmptied(file) || isDamaged(file))) restore(file, options);
  const db = await openSqlite(file, migrations);
  await db.all(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  const backUp = () => {
    try {
      makeBackup(file, options.now());
    } catch (error) {
      // If the disk is full, the old copies stay, and the next start tries again.
      options.log(`${basename(file)} was not copied: ${errorText(error)}`);
    }
  };
  if (!isRecent(backupOf(file, 1), options.now())) backUp();
  return {
    ...db,
    async close() {
      await db.all('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => []);
      await db.close();
      backUp();
    },
  };
}

function isDamaged(file: string): boolean {
  try {
    return readSqlite(file, (rows) => rows('PRAGMA quick_check(1)')[0]?.quick_check !== 'ok');
  } catch (error) {
    return DAMAGED.test(errorText(error));
  }
}

/** SQLite takes an empty file for a new database; if there is a copy, it had content. */
function isEmptied(file: string): boolean {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(file) === 0 && sizeOf(`${file}-wal`) === 0 && existsSync(backupOf(file, 1));
}

function restore(file: string, { log, now }: DurableOptions): void {
  const stamp = new Date(now()).toISOString().slice(0, 19).replaceAll(':', '-');
  const aside = `${file}.damaged-${stamp}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix);
  }
  const numbers = Array.from({ length: BACKUP_COUNT }, (_, at) => at + 1);
  const good = numbers
    .map((n) => backupOf(file, n))
    .find((backup) => existsSync(backup) && !isDamaged(backup));
  if (good !== undefined) copyFileSync(good, file);
  const instead =
    good === undefined
      ? 'There was no good copy, so allowed folders, selections and queries are gone.'
      : `A copy of ${new Date(statSync(good).mtimeMs).toISOString()} took its place.`;
  log(`${file} was damaged and is now ${aside}. ${instead}`);
}

/** Copies the database; older copies move up by one if they last did so long ago. */
function makeBackup(file: string, now: number): void {
  const copy = `${file}.backup-new`;
  rmSync(copy, { force: true });
  copySqlite(file, copy);
  chmodSync(copy, 0o600);
  if (!isRecent(backupOf(file, 2), now))
    for (let n = BACKUP_COUNT; n > 1; n--)
      if (existsSync(backupOf(file, n - 1))) renameSync(backupOf(file, n - 1), backupOf(file, n));
  renameSync(copy, backupOf(file, 1));
}

const backupOf = (file: string, n: number): string => `${file}.backup-${n}`;

function isRecent(path: string, now: number): boolean {
  const age = existsSync(path) ? Math.abs(now - statSync(path).mtimeMs) : Number.POSITIVE_INFINITY;
  return age < BACKUP_AGE_MS;
}
