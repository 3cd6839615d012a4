import type { HeldSegment } from './held-segment.ts';

/** Segments smaller than this are merged once there are several. */
const SMALL_SEGMENT_BYTES = 16 * 1024 * 1024;
const MAX_SMALL_SEGMENTS = 6;

/** Segments to rebuild: those that are mostly dead, and small ones if there are many. */
export function worthRetiring(segments: readonly HeldSegment[]): HeldSegment[] {
  const small = segments.filter((one) => one.textBytes < SMALL_SEGMENT_BYTES);
  const crowd = small.length >= MAX_SMALL_SEGMENTS ? small : [];
  return segments.filter((one) => crowd.includes(one) || one.deadBytes * 2 > one.textBytes);
}
