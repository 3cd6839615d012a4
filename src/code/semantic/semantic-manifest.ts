import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SkipReason } from '../files/source-tree.ts';
import type { Stamp } from './build-segment.ts';

/** Everything stored about an index besides its segments. */
export interface Manifest {
  /** File names in the index's folder, oldest first. */
  readonly segments: readonly string[];
  /** Paths that were indexed and no longer exist. */
  readonly gone: readonly string[];
  /** New stamps of files that were touched without changing. */
  readonly touched: Readonly<Record<string, Stamp>>;
  /** Files with nothing to index. */
  readonly skipped: Readonly<Record<string, { readonly reason: SkipReason; readonly stamp: Stamp }>>;
  /** Whether all segments were cut along syntax. */
  readonly syntax: boolean;
  readonly model: string;
}

/** Raised whenever chunks, terms or the layout change; an index of another version is rebuilt. */
const VERSION = 3;
const MANIFEST_NAME = 'manifest.json';

/** An index with nothing in it. */
export function emptyManifest(model: string): Manifest {
  return { segments: [], gone: [], touched: {}, skipped: {}, syntax: false, model };
}

export function hasManifest(folder: string): boolean {
  return existsSync(join(folder, MANIFEST_NAME));
}

/** The manifest of a folder; undefined if there is none or it has another version. */
export function readManifest(folder: string): Manifest | undefined {
  try {
    const raw: unknown = JSON.parse(readFileSync(join(folder, MANIFEST_NAME), 'utf8'));
    if (typeof raw !== 'object' || raw === null || !('version' in raw) || raw.version !== VERSION)
      return undefined;
    return raw as unknown as Manifest; // written by `writeManifest` of the same version
  } catch {
    return undefined;
  }
}

/** Replaces the manifest atomically. */
export function writeManifest(folder: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${MANIFEST_NAME}.${process.pid}`);
  writeFileSync(temporary, JSON.stringify({ version: VERSION, ...manifest }), { mode: 0o600 });
  renameSync(temporary, join(folder, MANIFEST_NAME));
}

/** Removes segments that are no longer used. */
export function removeSegments(folder: string, names: Iterable<string>): void {
  for (const name of names) rmSync(join(folder, name), { force: true });
}

/** Removes files that the manifest does not list, left by a crash. */
export function sweepFolder(folder: string, manifest: Manifest): void {
  const named = new Set([MANIFEST_NAME, ...manifest.segments]);
  try {
    for (const name of readdirSync(folder)) if (!named.has(name)) rmSync(join(folder, name), { force: true });
  } catch {
    // Without a folder there is nothing to remove.
  }
}
