import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { float64At } from '../../contract/at.ts';
import { countOf } from '../../contract/format.ts';
import { ctimeMs, FACT, factReader, isFolder } from '../scan/file-facts.ts';
import { rawText, shownPath, systemPath } from '../scan/raw-text.ts';
import { capped } from '../sizes.ts';
import type { OwnMoves } from './own-moves.ts';

/** What a folder contains at a moment: if two digests are equal, nothing changed in between. */
export interface FolderDigest {
  readonly entries: number;
  readonly bytes: number;
  /** When something in it last changed, in milliseconds, and what it was. */
  readonly latest: number;
  readonly latestPath: string;
  /** A hash of all names, inodes, sizes and times. */
  readonly digest: string;
}

const SLICE_MS = 5;

/** Reads everything below a folder, without following links, in short slices. */
export async function digestFolder(
  folder: string,
  signal: AbortSignal,
  own?: OwnMoves,
): Promise<FolderDigest> {
  const read = factReader();
  const hash = createHash('sha256');
  const waiting = [folder];
  let entries = 0;
  let bytes = 0;
  let latest = 0;
  let latestPath = '';
  let end = performance.now() + SLICE_MS;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const name of namesIn(path)) {
      const entry = `${path}/${name}`;
      entries++;
      const facts = factsOf(entry, read);
      if (facts === undefined) {
        hash.update(`${entry}\0?\0`);
        continue;
      }
      const size = float64At(facts, FACT.size);
      const [dev, ino] = [facts[FACT.dev], facts[FACT.ino]];
      const ctime = ctimeMs(facts);
      const changed = own?.plannedTime({ dev, ino }, ctime) ?? ctime;
      bytes += size;
      if (changed > latest) {
        latest = changed;
        latestPath = shownPath(entry.slice(folder.length + 1));
      }
      hash.update(`${entry}\0${ino} ${size} ${facts[FACT.mtimeS]} ${changed}\0`);
      if (isFolder(facts)) waiting.push(entry);
      if (performance.now() < end) continue;
      await new Promise(setImmediate);
      signal.throwIfAborted();
      end = performance.now() + SLICE_MS;
    }
  }
  return { entries, bytes: capped(bytes), latest, latestPath, digest: hash.digest('hex') };
}

function factsOf(path: string, read: (path: string | Buffer) => Float64Array): Float64Array | undefined {
  try {
    return read(systemPath(path));
  } catch {
    return undefined;
  }
}

/** The names in a folder as raw text, sorted; empty if it cannot be read. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(systemPath(folder), { encoding: 'buffer' }).map(rawText).sort();
  } catch {
    return [];
  }
}

/** What changed between two digests, in a few words; undefined if nothing did. */
export function folderDifference(before: FolderDigest, now: FolderDigest): string | undefined {
  if (now.digest === before.digest) return undefined;
  const entries = now.entries - before.entries;
  const bytes = now.bytes - before.bytes;
  const parts = [
    entries === 0
      ? undefined
      : `${entries > 0 ? 'added' : 'removed'} ${countOf(Math.abs(entries), 'entry', 'entries')}`,
    bytes === 0 ? undefined : `${countOf(Math.abs(bytes), 'byte')} ${bytes > 0 ? 'more' : 'less'}`,
    now.latest > before.latest ? `the last change in ${now.latestPath}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'an entry was replaced' : parts.join(', ');
}
