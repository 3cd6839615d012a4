import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** How to reach the process that owns the data. */
export interface OwnerRecord {
  readonly pid: number;
  /** The address that this machine's programs use. */
  readonly host: string;
  readonly port: number;
  readonly version: string;
  /** Lets this user's programs in. */
  readonly token: string;
  readonly started_at: number;
}

const schema = z.object({
  pid: z.number(),
  host: z.string().default('127.0.0.1'),
  port: z.number(),
  version: z.string(),
  token: z.string(),
  started_at: z.number(),
});

const fileIn = (home: string) => join(home, 'owner.json');

/** The record the owner left, or undefined; it may be of one that died. */
export function readOwner(home: string): OwnerRecord | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(fileIn(home), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Readable for this user only, and never half-written. */
export function writeOwner(home: string, record: OwnerRecord): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const temporary = `${fileIn(home)}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(record), { mode: 0o600 });
  renameSync(temporary, fileIn(home));
}
