/** With more segments than this, the small ones, which edits leave behind, are read again into one. */
export const MAX_SEGMENTS = 64;
/** This many of the largest segments stay as they are. */
const KEPT_SEGMENTS = 16;
/** Segments with this many files, or this much text, come from reading a large tree; joining them would mean reading it again. */
const FULL = { files: 2_000, textBytes: 6_000_000 };

export interface SegmentSize {
  readonly files: number;
  /** The text of these files. */
  readonly textBytes: number;
}

/** Small segments that edits may leave before they are joined. */
const MANY_SMALL = MAX_SEGMENTS - KEPT_SEGMENTS;

/**
 * Which segments to read again into one, as indexes into the list of their sizes; none if fewer than `least` are small,
 * or there are few altogether.
 */
export function smallSegments(sizes: readonly SegmentSize[], least = MANY_SMALL): number[] {
  if (sizes.length <= MAX_SEGMENTS) return [];
  const small = sizes
    .map((size, at) => ({ ...size, at }))
    .sort((a, b) => b.files - a.files)
    .slice(KEPT_SEGMENTS)
    .filter(({ files, textBytes }) => files < FULL.files && textBytes < FULL.textBytes);
  return small.length < least ? [] : small.map(({ at }) => at);
}
