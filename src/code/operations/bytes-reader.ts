import { join } from 'node:path';
import { readStart } from '../../contract/open-file.ts';
import type { Roots } from '../../contract/roots.ts';
import { languageOf } from '../languages.ts';
import { ROLE, rolesOf } from '../rank/file-roles.ts';
import { type LineBytes, lineBytes } from './line-bytes.ts';

/** Handing over to another thread and back takes longer than reading a file of this size. */
const SMALL_BYTES = 64 * 1024;

/** The content of a file under a root as it is now; undefined if it cannot be read. */
export async function readFileIn(root: string, path: string, roots: Roots): Promise<Buffer | undefined> {
  const start = startOf(join(root, path), roots);
  if (start === undefined || start.length <= SMALL_BYTES) return start;
  const file = await roots.open(join(root, path)).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    return await file.readFile();
  } finally {
    await file.close();
  }
}

function startOf(path: string, { folders }: Roots): Buffer | undefined {
  try {
    return readStart(path, { within: folders }, SMALL_BYTES + 1).bytes;
  } catch {
    return undefined;
  }
}

/** Tells which files were written by programs, by their names and first lines; keeps the last file. */
export function generatedFiles(root: string, roots: Roots): (path: string) => Promise<boolean> {
  let last: { readonly path: string; readonly generated: boolean } | undefined;
  return async (path) => {
    if (last?.path !== path) {
      const content = await readFileIn(root, path, roots);
      const head = content?.toString('utf8', 0, HEAD_BYTES) ?? '';
      last = { path, generated: (rolesOf(path, languageOf(path), head) & ROLE.generated) !== 0 };
    }
    return last.generated;
  };
}

const HEAD_BYTES = 4_096;

/** Tells where the lines of files are; keeps the last file, because its hits come one after the other. */
export function bytesReader(root: string, roots: Roots): (path: string) => Promise<LineBytes | undefined> {
  let last: { readonly path: string; readonly bytes: LineBytes | undefined } | undefined;
  return async (path) => {
    if (last?.path === path) return last.bytes;
    const content = await readFileIn(root, path, roots);
    last = { path, bytes: content && lineBytes(content) };
    return last.bytes;
  };
}
