import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { fail } from '../contract/errors.ts';
import type { Roots } from '../contract/roots.ts';

/** A file, or part of one, ready to be sent. The reader closes the handle. */
export interface Download {
  readonly handle: FileHandle;
  readonly name: string;
  readonly size: number;
  /** First and last byte. */
  readonly start: number;
  readonly end: number;
  /** Which part was asked for: all, some, or one that the file does not have (then nothing is to be sent). */
  readonly part: 'whole' | 'partial' | 'outside';
  readonly modified: Date;
  readonly etag: string;
}

/**
 * Opens a file for download. `roots.open` opens first and then looks where the descriptor really leads, so a
 * link swapped in between gains nothing; everything here uses that descriptor only.
 */
export async function openDownload(roots: Roots, path: string, range: string | undefined): Promise<Download> {
  const handle = await roots.open(path);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) fail('invalid_parameter', 'Only regular files can be downloaded.');
    const { size } = stats;
    const span = range === undefined ? undefined : parseRange(range, size);
    return {
      handle,
      name: basename(path),
      size,
      start: span === undefined || span === 'outside' ? 0 : span.start,
      end: span === undefined || span === 'outside' ? size - 1 : span.end,
      part: span === undefined ? 'whole' : span === 'outside' ? span : 'partial',
      modified: stats.mtime,
      etag: `"${stats.ino.toString(36)}-${size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}"`,
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** One range of bytes; several ranges, or what is no range, mean the whole file. */
export function parseRange(
  header: string,
  size: number,
): { start: number; end: number } | 'outside' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
  return start >= size || start > end ? 'outside' : { start, end };
}
