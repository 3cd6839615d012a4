import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { fail } from '../../contract/errors.ts';
import type { Roots } from '../../contract/roots.ts';

/** A file or a part of one, ready to be sent. The receiver closes the handle. */
export interface Download {
  readonly handle: FileHandle;
  readonly name: string;
  readonly size: number;
  /** First and last byte. */
  readonly start: number;
  readonly end: number;
  /** The part that was requested: all, a range, or a range outside the file, for which nothing is sent. */
  readonly part: 'whole' | 'partial' | 'outside';
  readonly modified: Date;
  readonly etag: string;
}

/** The `Range` and `If-Range` headers of a request. */
export interface RangeRequest {
  readonly range?: string | undefined;
  readonly ifRange?: string | undefined;
}

/**
 * Opens a file for download. `roots.open` opens first and then checks where the descriptor really leads, so swapping a
 * link in between gains nothing. Everything here uses only that descriptor.
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
    // A range of another version must not be appended to an older part. A date is too coarse to tell versions apart.
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
 * Reads one range of bytes. Several ranges, other units and malformed headers mean the whole file; `outside` is a range
 * outside the file.
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
  // The last bytes of an empty file are the whole file.
  return size === 0 ? undefined : { start: Math.max(0, size - count), end: size - 1 };
}
