import { type FSWatcher, watch } from 'node:fs';
import { systemCode } from '../../contract/errors.ts';
import { systemPath } from '../scan/raw-text.ts';

/** Which folder a watch is for: a node of an index. */
export interface FolderKey {
  readonly index: number;
  readonly id: number;
}

/** A watch on one folder. */
export interface FolderHandle extends FolderKey {
  close(): void;
}

/** Called when something changed in a folder; `self` if the folder itself may have been deleted or moved. */
export type OnFolder = (folder: FolderHandle, self: boolean) => void;

/** Starts watching a folder (its path as raw text), or returns the system's error code. */
export type WatchFolder = (key: FolderKey, path: string) => FolderHandle | string;

/** Watches with `fs.watch`, 1.3 kB each. Only a hash of the folder's name is kept. */
export function folderWatcher(onFolder: OnFolder): WatchFolder {
  return ({ index, id }, raw) => {
    const path = systemPath(raw);
    const own = hashOf(baseName(String(path)));
    try {
      const watcher: FSWatcher = watch(path, { persistent: false }, (event, name) =>
        onFolder(handle, isSelf(event, name, own)),
      );
      const handle: FolderHandle = { index, id, close: () => watcher.close() };
      watcher.on('error', () => onFolder(handle, true));
      return handle;
    } catch (error) {
      return systemCode(error) ?? 'UNKNOWN';
    }
  };
}

/**
 * Events about the folder itself have its own name. An entry of the same name inside it looks the same, which costs
 * only a new watch.
 */
function isSelf(event: string, name: string | null, own: number): boolean {
  return event === 'rename' && (name === null || hashOf(name) === own);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function hashOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) & 0x3fffffff;
  return hash;
}
