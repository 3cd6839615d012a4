import { openHandle } from '../../contract/open-file.ts';
import type { SkipReason } from './source-tree.ts';

/** Files above this size are not searched; the largest known hand-written headers are a third of it. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** In smaller files a long line does no harm. */
const MINIFIED_FROM_BYTES = 16 * 1024;
const MINIFIED_LINE_BYTES = 1000;

const NEWLINE = 10;

/** Why these bytes are not searched, or undefined for text. A NUL byte means binary, as in ripgrep. */
export function skipReason(content: Buffer): SkipReason | undefined {
  if (content.length > MAX_FILE_BYTES) return 'too_large';
  if (content.indexOf(0) !== -1) return 'binary';
  return isMinified(content) ? 'minified' : undefined;
}

/** Whether the lines have a thousand bytes on average, as in text made by a machine. */
function isMinified(content: Buffer): boolean {
  if (content.length < MINIFIED_FROM_BYTES) return false;
  const enough = content.length / MINIFIED_LINE_BYTES;
  let lines = 1;
  for (let at = content.indexOf(NEWLINE); at !== -1; at = content.indexOf(NEWLINE, at + 1)) {
    if (++lines >= enough) return false;
  }
  return true;
}

/** The text of a file as ripgrep reads it. */
export interface FileText {
  readonly bytes: Buffer;
  /** Where `bytes` begins in the file. */
  readonly offset: number;
  /** Set when the bytes are not those of the file but their UTF-8 form. */
  readonly converted: boolean;
}

/** Leaves out a byte order mark; UTF-16 with one becomes UTF-8. */
export function textOf(content: Buffer): FileText {
  const [first = 0, second = 0, third = 0] = content;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return { bytes: content.subarray(3), offset: 3, converted: false };
  if (first === 0xff && second === 0xfe) return converted(content.subarray(2));
  if (first === 0xfe && second === 0xff)
    return converted(Buffer.from(content.subarray(2, content.length & ~1)).swap16());
  return { bytes: content, offset: 0, converted: false };
}

function converted(utf16: Buffer): FileText {
  return { bytes: Buffer.from(utf16.toString('utf16le')), offset: 0, converted: true };
}

const PIECE_BYTES = 64 * 1024;

/** Whether a file is minified, reading only as much as needed; false if it cannot be read. */
export async function isMinifiedFile(path: string, size: number): Promise<boolean> {
  if (size < MINIFIED_FROM_BYTES) return false;
  const enough = size / MINIFIED_LINE_BYTES;
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  const file = await openHandle(path, 'exact').catch(() => undefined);
  if (file === undefined) return false;
  try {
    for (let lines = 1; ; ) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES);
      if (bytesRead === 0) return lines < enough;
      const part = piece.subarray(0, bytesRead);
      for (let at = part.indexOf(NEWLINE); at !== -1; at = part.indexOf(NEWLINE, at + 1)) lines++;
      if (lines >= enough) return false;
    }
  } finally {
    await file.close();
  }
}
