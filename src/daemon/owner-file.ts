import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** How to reach the process that owns the data. */
export interface OwnerRecord {
  readonly pid: number;
  /** The address that this machine's browsers and scripts use. */
  readonly host: string;
  readonly port: number;
  /** Where this user's own programs reach it; empty when it does not run. */
  readonly socket: string;
  readonly version: string;
  /** Lets scripts and HTTP clients in: to what is allowed, and never as a person. */
  readonly token: string;
  readonly started_at: number;
}

const schema = z.object({
  pid: z.number(),
  host: z.string().default('127.0.0.1'),
  port: z.number(),
  socket: z.string(),
  version: z.string(),
  token: z.string(),
  started_at: z.number(),
});

const fileIn = (home: string) => join(home, 'owner.json');

/** The record the owner left, or undefined; it may be of one that died. One that another user made counts for nothing. */
export function readOwner(home: string): OwnerRecord | undefined {
  let file: number | undefined;
  try {
    file = openSync(fileIn(home), 'r');
    if (process.getuid !== undefined && fstatSync(file).uid !== process.getuid()) return undefined;
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Readable for this user only, and never half-written. */
export function writeOwner(home: string, record: OwnerRecord): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const temporary = `${fileIn(home)}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(record), { mode: 0o600 });
  renameSync(temporary, fileIn(home));
}
