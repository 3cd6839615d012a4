import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../contract/guards.ts';

/** How to reach the background process. */
export interface BackgroundRecord {
  readonly pid: number;
  /** The address that this machine's browsers and scripts use. */
  readonly host: string;
  readonly port: number;
  /** Where this user's own programs reach it; empty when it is not running. */
  readonly socket: string;
  readonly version: string;
  /** Lets scripts and HTTP clients read what is allowed, but never makes them a person. */
  readonly token: string;
  readonly started_at: number;
  /** Runs in a person's terminal, by `pinhole start`. */
  readonly foreground?: boolean | undefined;
}

/** Checked by hand, like everything that each command loads: Zod would take most of its start. */
function recordIn(value: unknown): BackgroundRecord | undefined {
  if (!isObject(value)) return undefined;
  const { pid, host = '127.0.0.1', port, socket, version, token, started_at, foreground } = value;
  const isRight =
    typeof pid === 'number' &&
    typeof host === 'string' &&
    typeof port === 'number' &&
    typeof socket === 'string' &&
    typeof version === 'string' &&
    typeof token === 'string' &&
    typeof started_at === 'number' &&
    (foreground === undefined || typeof foreground === 'boolean');
  return isRight ? { pid, host, port, socket, version, token, started_at, foreground } : undefined;
}

const fileIn = (home: string) => join(home, 'background.json');

/** The record that the last background process left; that process may be dead. A record by another user is ignored. */
export function readBackgroundRecord(home: string): BackgroundRecord | undefined {
  let file: number | undefined;
  try {
    file = openSync(fileIn(home), 'r');
    if (process.getuid !== undefined && fstatSync(file).uid !== process.getuid()) return undefined;
    return recordIn(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Only this user can read the record, and nobody ever sees half of it. */
export function writeBackgroundRecord(home: string, record: BackgroundRecord): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const temporary = `${fileIn(home)}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(record), { mode: 0o600 });
  renameSync(temporary, fileIn(home));
}
