import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readWhole } from '../../contract/open-file.ts';
import { gitOutput } from '../../contract/run-git.ts';
import { gitFolders } from './work-tree.ts';

/** With more branches than this in separate files, git is asked instead. */
const MAX_FILES = 5_000;
const MAX_BYTES = 64 << 10;

/**
 * A short text that changes whenever a branch, a note or HEAD changes. It is made from the files in which git stores
 * them: each is replaced by a new file when it changes. Undefined if they cannot be read; then ask git.
 */
export function refsMark(root: string): string | undefined {
  const folders = gitFolders(root);
  if (folders === undefined) return undefined;
  const { own, common } = folders;
  const mark = createHash('sha256');
  try {
    mark.update(readWhole(join(own, 'HEAD'), 'anywhere', MAX_BYTES));
    for (const path of ['packed-refs', join('reftable', 'tables.list')])
      for (const folder of new Set([own, common])) mark.update(stamp(join(folder, path)));
    let left = MAX_FILES;
    const pending = [join(common, 'refs')];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop())
      for (const entry of entriesOf(folder)) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) pending.push(path);
        else mark.update(`${path} ${stamp(path)}`);
        if (--left < 0) return undefined;
      }
  } catch {
    return undefined;
  }
  return mark.digest('hex');
}

/** Identifies a version of a file. */
function stamp(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '-' : `${found.ino} ${found.size} ${found.mtimeNs}`;
}

function entriesOf(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What all branches point at, according to git; undefined if there is no repository. */
export async function refsByGit(root: string, signal: AbortSignal): Promise<string | undefined> {
  const text = await gitOutput(root, ['show-ref', '--head'], signal);
  if (text !== undefined) return createHash('sha256').update(text).digest('hex');
  // Git also fails if there is no commit yet.
  return (await gitOutput(root, ['rev-parse', '--git-dir'], signal)) === undefined ? undefined : '';
}
