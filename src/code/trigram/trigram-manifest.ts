import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from './trigram-segment-file.ts';

export const MANIFEST = 'manifest.json';
/** 2: texts in UTF-16 are indexed, and byte order marks are left out. */
const VERSION = 2;

/** Replaces the list of current segments. */
export function writeManifest(folder: string, root: string, segments: readonly string[]): void {
  const text = JSON.stringify({ version: VERSION, root, segments });
  writeDurably(join(folder, MANIFEST), [Buffer.from(text)]);
}

/** Names of the current segments; none if the list is missing, damaged or of another version. */
export function readManifest(folder: string): string[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(folder, MANIFEST), 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('segments' in parsed) || !('version' in parsed))
      return [];
    if (parsed.version !== VERSION || !Array.isArray(parsed.segments)) return [];
    return parsed.segments.filter((name): name is string => typeof name === 'string' && !name.includes('/'));
  } catch {
    return [];
  }
}
