/**
 * The largest number of bytes that is told. Beyond it whole numbers are not exact any more and a database refuses to
 * give them back: a size that would be more is this one, and is shown as "at least".
 */
export const MAX_BYTES = Number.MAX_SAFE_INTEGER;

/** The same in blocks of 512 bytes. */
export const MAX_BLOCKS = Math.floor(MAX_BYTES / 512);

/** A number of bytes as it may be kept and told. Sums are made first: they lose nothing but their last digits. */
export function capped(bytes: number): number {
  return Math.min(bytes, MAX_BYTES);
}

/** What many things take together. */
export function sumSizes<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += sizeOf(item);
  return capped(sum);
}

/**
 * What lies in several parts of a whole and counts once, such as files with several names; undefined for nothing, and
 * where the whole is more than can be told.
 */
export function sharedSize(parts: number, whole: number): number | undefined {
  return parts > whole && whole < MAX_BYTES ? capped(parts - whole) : undefined;
}
