import { lstatSync } from 'node:fs';
import { pathOnDisk } from '../../contract/file-name.ts';
import { type FolderEntry, listFolder } from '../../contract/open-file.ts';
import { comparePaths } from './path-order.ts';
import type { SourceFile } from './source-tree.ts';

/** Every regular file below a folder, ignoring the ignore rules, in path order; links are not followed. */
export function* unfilteredFiles(
  root: string,
  below: string,
  admits: (file: SourceFile) => boolean,
): Generator<{ readonly file: SourceFile; readonly spans: undefined }> {
  const start = fileAt(root, below);
  if (start !== undefined) {
    if (admits(start)) yield { file: start, spans: undefined };
    return;
  }
  const pending = [below];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const file = path === below ? undefined : fileAt(root, path);
    if (file !== undefined) {
      if (admits(file)) yield { file, spans: undefined };
      continue;
    }
    const names = entriesOf(path === '' ? root : `${root}/${path}`).map(({ name }) =>
      path === '' ? name : `${path}/${name}`,
    );
    pending.push(...names.sort((a, b) => comparePaths(b, a)));
  }
}

function entriesOf(folder: string): FolderEntry[] {
  try {
    return listFolder(folder).filter((entry) => entry.isFile() || entry.isDirectory());
  } catch {
    return [];
  }
}

/** The file at a path; undefined for a folder or nothing. */
export function fileAt(root: string, path: string): SourceFile | undefined {
  const found = lstatSync(pathOnDisk(`${root}/${path}`), { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return undefined;
  const { size, mtimeMs, ctimeMs, ino } = found;
  return { path, size, mtimeMs, ctimeMs, ino, hidden: /(^|\/)\./.test(path) };
}
