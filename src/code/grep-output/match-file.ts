import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file with all matches. */
export interface MatchFile {
  readonly path: string;
  readonly bytes: number;
}

/** Files are kept for this long, and no more than this many. */
const MAX_AGE_MS = 24 * 3600 * 1000;
const MAX_FILES = 50;

/** Writes pieces to a new file in a folder, readable by the user only, and removes old files there. */
export async function writeMatchFile(folder: string, pieces: AsyncIterable<Uint8Array>): Promise<MatchFile> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await removeOld(folder);
  const path = join(folder, `matches-${randomBytes(4).toString('hex')}.txt`);
  const file = await open(path, 'wx', 0o600);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { path, bytes };
}

async function removeOld(folder: string): Promise<void> {
  const paths = (await readdir(folder)).map((name) => join(folder, name));
  const files = await Promise.all(paths.map(async (path) => ({ path, at: (await stat(path)).mtimeMs })));
  files.sort((a, b) => b.at - a.at);
  const old = files.filter(({ at }, index) => index >= MAX_FILES || Date.now() - at > MAX_AGE_MS);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}
