import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const MAX_COMPARED = 5_000;

/** The name that differs least from a wanted one; undefined if all differ a lot. */
export function nearestName(names: Iterable<string>, wanted: string): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let compared = 0;
  for (const name of names) {
    if (++compared > MAX_COMPARED) break;
    if (Math.abs(name.length - wanted.length) >= least) continue;
    const distance = differences(name.toLowerCase(), wanted.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** How many characters must be added, removed, replaced or swapped with their neighbour. */
function differences(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let k = 1; k <= b.length; k++) {
      const cost = a[i - 1] === b[k - 1] ? 0 : 1;
      const swapped = cost === 1 && a[i - 1] === b[k - 2] && a[i - 2] === b[k - 1];
      row[k] = Math.min(
        (row[k - 1] ?? 0) + 1,
        (last[k] ?? 0) + 1,
        (last[k - 1] ?? 0) + cost,
        swapped ? (beforeLast[k - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** For a path at which nothing exists: the same path with the first missing name replaced by the nearest one. */
export async function nearestPath(
  path: string,
  resolve: (path: string) => Promise<string>,
): Promise<string | undefined> {
  for (let missing = path; missing !== dirname(missing); missing = dirname(missing)) {
    const folder = await resolve(dirname(missing)).catch(() => undefined);
    if (folder === undefined) continue;
    const near = nearestName(await readdir(folder).catch(() => []), basename(missing));
    return near === undefined ? undefined : join(folder, near);
  }
  return undefined;
}
