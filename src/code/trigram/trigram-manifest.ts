import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from './trigram-segment-file.ts';

export const MANIFEST = 'manifest.json';
/** 2: texts in UTF-16 are indexed, and byte order marks are left out. */
const VERSION = 2;

/** Replaces the list of current segments. */
export function writeManifest(
  folder: string,
  root: string,
  segments: readonly string[],
  pendingBytes: number,
): void {
  const text = JSON.stringify({ version: VERSION, root, segments, pendingBytes });
  writeDurably(join(folder, MANIFEST), [Buffer.from(text)]);
}

/** Names of the current segments; none if the list is missing, damaged or of another version. */
export function readManifest(folder: string): string[] {
  const { segments } = fieldsIn(folder);
  if (!Array.isArray(segments)) return [];
  return segments.filter((name): name is string => typeof name === 'string' && !name.includes('/'));
}

/** Bytes that were still to be indexed when the list was written; undefined if there is no usable list. */
export function pendingBytesIn(folder: string): number | undefined {
  const { segments, pendingBytes } = fieldsIn(folder);
  if (!Array.isArray(segments)) return undefined;
  // Lists of earlier versions do not have the number; most of those indexes are complete.
  return typeof pendingBytes === 'number' ? pendingBytes : 0;
}

function fieldsIn(folder: string): { readonly segments?: unknown; readonly pendingBytes?: unknown } {
  try {
    const fields: { version?: unknown; segments?: unknown; pendingBytes?: unknown } = {
      ...JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8')),
    };
    return fields.version === VERSION ? fields : {};
  } catch {
    return {};
  }
}
