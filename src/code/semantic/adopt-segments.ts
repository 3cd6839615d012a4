import { linkSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, readManifest, removeSegments, writeManifest } from './semantic-manifest.ts';

/**
 * Starts an index with the segments of another checkout of the same repository. They are shared on disk, and files with
 * the same text are not read into segments again; the first update finds what differs. Undefined if no other index fits.
 */
export function adoptSegments(
  folder: string,
  others: readonly string[],
  model: string,
): Manifest | undefined {
  for (const other of others) {
    const found = readManifest(other);
    if (found === undefined || found.model !== model || found.segments.length === 0) continue;
    // Stamps are those of the other checkout's files.
    const manifest: Manifest = { ...found, touched: {}, skipped: {} };
    if (!share(found.segments, other, folder)) continue;
    writeManifest(folder, manifest);
    return manifest;
  }
  return undefined;
}

/** Links files into another folder; false if one is gone, or if the file system has no links. */
function share(names: readonly string[], from: string, to: string): boolean {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  try {
    for (const name of names) linkSync(join(from, name), join(to, name));
    return true;
  } catch {
    removeSegments(to, names);
    return false;
  }
}
