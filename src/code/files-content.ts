import type { SkipReason } from './files.ts';

/** Files above this size are never searched; the largest known hand-kept headers are a third of it. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Below this a long line costs nobody anything. */
const MINIFIED_FROM_BYTES = 16 * 1024;
const MINIFIED_LINE_BYTES = 1000;

const NEWLINE = 10;

/** Why these bytes are not searched, or undefined for text. A NUL byte means binary, as in ripgrep. */
export function skipReason(content: Buffer): SkipReason | undefined {
  if (content.length > MAX_FILE_BYTES) return 'too_large';
  if (content.indexOf(0) !== -1) return 'binary';
  return isMinified(content) ? 'minified' : undefined;
}

/** Text written by a machine for machines: lines of a thousand bytes on average. */
function isMinified(content: Buffer): boolean {
  if (content.length < MINIFIED_FROM_BYTES) return false;
  const enough = content.length / MINIFIED_LINE_BYTES;
  let lines = 1;
  for (let at = content.indexOf(NEWLINE); at !== -1; at = content.indexOf(NEWLINE, at + 1)) {
    if (++lines >= enough) return false;
  }
  return true;
}
