import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { fail } from '../../contract/errors.ts';
import type { Roots } from '../../contract/roots.ts';

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

/** What a request says on the part it wants: its `Range` and `If-Range` headers. */
export interface RangeRequest {
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

/**
 * Opens a file for download. `roots.open` opens first and then looks where the descriptor really leads, so a
 * link swapped in between gains nothing; everything here uses that descriptor only.
 */
export async function openDownload(
  roots: Roots,
  path: string,
  { range, ifRange }: RangeRequest = {},
): Promise<Download> {
  const handle = await roots.open(path);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) fail('invalid_parameter', 'Only regular files can be downloaded.');
    const { size } = stats;
    const etag = `"${stats.ino.toString(36)}-${size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}"`;
    // A part of another version would be glued to the wrong rest. A date is too coarse to tell versions apart.
    const sameFile = ifRange === undefined || ifRange.trim() === etag;
    const span = range === undefined || !sameFile ? undefined : parseRange(range, size);
    return {
      handle,
      name: basename(path),
      size,
      start: span === undefined || span === 'outside' ? 0 : span.start,
      end: span === undefined || span === 'outside' ? size - 1 : span.end,
      part: span === undefined ? 'whole' : span === 'outside' ? span : 'partial',
      modified: stats.mtime,
      etag,
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * One range of bytes; several ranges, other units and what is no range mean the whole file. `outside` is a range
 * that the file does not have.
 */
export function parseRange(
  header: string,
  size: number,
): { start: number; end: number } | 'outside' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header.trim());
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return undefined;
  if (first === '') return lastBytes(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size
    ? 'outside'
    : { start, end: last === '' ? size - 1 : Math.min(size - 1, Number(last)) };
}

function lastBytes(count: number, size: number): { start: number; end: number } | 'outside' | undefined {
  if (count === 0) return 'outside';
  // The last bytes of nothing are all of it.
  return size === 0 ? undefined : { start: Math.max(0, size - count), end: size - 1 };
}
