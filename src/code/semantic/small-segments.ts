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

/** Reading so much text again costs next to nothing. */
const FEW_BYTES = 20_000;

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
  const joined = ofOneKind(small);
  return joined.length < least ? [] : joined.map(({ at }) => at);
}

/**
 * The smallest segments, as long as each has no more text than all smaller ones: so each time a text is read again, it
 * ends in a segment twice as large. Otherwise a few edits would have larger segments read again and again.
 */
function ofOneKind<Size extends SegmentSize>(small: readonly Size[]): readonly Size[] {
  const sorted = [...small].sort((a, b) => a.textBytes - b.textBytes);
  let smaller = 0;
  const end = sorted.findIndex(({ textBytes }, place) => {
    const isLarger = place > 0 && textBytes > smaller + FEW_BYTES;
    smaller += textBytes;
    return isLarger;
  });
  return end === -1 ? sorted : sorted.slice(0, end);
}
