/**
 * The largest size. Above it, whole numbers are no longer exact and the database does not return them, so larger sizes
 * become this one and are shown as "at least".
 */
export const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** The largest size in blocks of 512 bytes. */
export const MAX_BLOCKS = Math.floor(MAX_BYTES / 512);

/** Limits a number of bytes to the largest size. Add up first: a sum loses only its last digits. */
export function capped(bytes: number): number {
  return Math.min(bytes, MAX_BYTES);
}

/** The total size of many items. */
export function sumSizes<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += sizeOf(item);
  return capped(sum);
}

/**
 * The bytes that several parts of a whole share, such as files with several names, which count once; undefined if there
 * are none, or if the whole is above the largest size.
 */
export function sharedSize(parts: number, whole: number): number | undefined {
  return parts > whole && whole < MAX_BYTES ? capped(parts - whole) : undefined;
}
