import { type FSWatcher, watch } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import { systemCode } from '../../contract/errors.ts';
import { bareBinding } from '../scan/bare-binding.ts';
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

/** Called when something changed in a folder; `self` when the folder itself may have gone or moved. */
export type OnFolder = (folder: FolderHandle, self: boolean) => void;

/** Begins to watch a folder (its path as raw text), or says why not with the system's error code. */
export type WatchFolder = (key: FolderKey, path: string) => FolderHandle | string;

/**
 * Watches take 0.6 kB each this way, half of what `fs.watch` needs for its emitter, closures and strings: one
 * callback is shared, and of the folder's name only a number is kept.
 */
export function folderWatcher(onFolder: OnFolder): WatchFolder {
  return bareWatcher(onFolder) ?? plainWatcher(onFolder);
}

/** The object behind `fs.watch`, as the release lines have it that were tried. */
interface BareHandle {
  start(path: string | Buffer, persistent: boolean, recursive: boolean, encoding: string): number;
  close(): void;
}

type OnChange = (status: number, event: string, name: string | null) => void;

const TRIED = /^(20|22|24)\./;

function bareWatcher(onFolder: OnFolder): WatchFolder | undefined {
  const binding = TRIED.test(process.versions.node) ? bareBinding('fs_event_wrap') : undefined;
  const Base = isBareModule(binding) ? binding.FSEvent : undefined;
  if (Base === undefined) return undefined;

  class Folder extends Base implements FolderHandle {
    readonly index: number;
    readonly id: number;
    readonly own: number;
    declare onchange: OnChange;

    constructor(key: FolderKey, own: number) {
      super();
      this.index = key.index;
      this.id = key.id;
      this.own = own;
    }
  }
  Folder.prototype.onchange = function (this: Folder, status, event, name) {
    onFolder(this, status < 0 || isSelf(event, name, this.own));
  };
  return (key, raw) => {
    const path = systemPath(raw);
    const folder = new Folder(key, numberOf(baseName(String(path))));
    const status = folder.start(path, false, false, 'utf8');
    if (status >= 0) return folder;
    folder.close();
    return getSystemErrorName(status);
  };
}

function isBareModule(value: unknown): value is { FSEvent: new () => BareHandle } {
  if (typeof value !== 'object' || value === null || !('FSEvent' in value)) return false;
  const { FSEvent } = value;
  if (typeof FSEvent !== 'function') return false;
  const { prototype } = FSEvent;
  return typeof prototype?.start === 'function' && typeof prototype?.close === 'function';
}

/** The same with `fs.watch`. */
export function plainWatcher(onFolder: OnFolder): WatchFolder {
  return ({ index, id }, raw) => {
    const path = systemPath(raw);
    const own = numberOf(baseName(String(path)));
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
 * What happens to the folder itself comes under its own name. An entry of the same name inside it looks alike, which
 * only costs a new watch.
 */
function isSelf(event: string, name: string | null, own: number): boolean {
  return event === 'rename' && (name === null || numberOf(name) === own);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A small number that stands for a name. */
function numberOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) & 0x3fffffff;
  return hash;
}
