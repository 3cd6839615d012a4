/** With more segments than this, the small ones, which edits leave behind, are read again into one. */
export const MAX_SEGMENTS = 64;
/** This many of the largest segments stay as they are. */
const KEPT_SEGMENTS = 16;
/** Segments with this many files come from reading a large tree; joining them would mean reading it again. */
const FULL_FILES = 2_000;

/** Which segments to read again into one, as indexes into the list of their file counts; none while there are few. */
export function smallSegments(files: readonly number[]): number[] {
  if (files.length <= MAX_SEGMENTS) return [];
  const small = files
    .map((count, at) => ({ count, at }))
    .sort((a, b) => b.count - a.count)
    .slice(KEPT_SEGMENTS)
    .filter(({ count }) => count < FULL_FILES);
  return small.length < MAX_SEGMENTS - KEPT_SEGMENTS ? [] : small.map(({ at }) => at);
}
