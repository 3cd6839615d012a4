import { join } from 'node:path';
import type { Roots } from '../../contract/roots.ts';
import { changedLines, lineHashes } from '../line-hashes.ts';

/** Larger files are not compared. */
const MAX_BYTES = 4 << 20;

/** What became of an edit: all, some or none of its lines are still in the file, or the file cannot be read here. */
export type StillThere = 'yes' | 'partly' | 'no' | 'unknown';

/** Whether the lines a diff adds are still in the file, at its original path or in the caller's folder. */
export async function stillThere(
  diff: string,
  { path, repoPath }: { readonly path: string; readonly repoPath: string },
  roots: Roots,
  root: string | undefined,
): Promise<StillThere> {
  const { added } = changedLines(diff);
  const places = [path, ...(root === undefined ? [] : [join(root, repoPath)])];
  for (const place of places) {
    const text = await contentOf(place, roots);
    if (text === undefined) continue;
    if (added.length === 0) return 'unknown';
    const present = new Set(lineHashes(text.split('\n')));
    const left = added.filter((hash) => present.has(hash)).length;
    return left === added.length ? 'yes' : left === 0 ? 'no' : 'partly';
  }
  return 'unknown';
}

/** Reads only files that the caller may read. */
async function contentOf(path: string, roots: Roots): Promise<string | undefined> {
  try {
    const file = await roots.open(path);
    try {
      const { size } = await file.stat();
      return size > MAX_BYTES ? undefined : await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
