/** A 53-bit hash of a text: enough to tell the texts of one session apart, and a safe integer for SQL. */
export function hashText(value: string, seed = 0): number {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}

const END_LENGTH = 400;

/** A hash of both ends and the length: cheap for long texts, and different for all but contrived ones. */
export function hashEnds(value: string): number {
  if (value.length <= 2 * END_LENGTH) return hashText(value, value.length);
  return hashText(value.slice(0, END_LENGTH) + value.slice(-END_LENGTH), value.length);
}
