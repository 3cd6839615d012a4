import { lstatSync, type Stats } from 'node:fs';
import { MOST_BLOCKS, MOST_BYTES } from '../sizes.ts';

/** Where the numbers of {@link FactReader} lie. */
export const FACT = {
  dev: 0,
  mode: 1,
  nlink: 2,
  uid: 3,
  ino: 7,
  size: 8,
  blocks: 9,
  mtimeS: 12,
  ctimeS: 14,
  ctimeNs: 15,
} as const;

/** The facts of a path as plain numbers, valid until the next call; throws as `lstatSync` does. */
export type FactReader = (path: string | Buffer) => Float64Array;

/**
 * On Node 20 `lstatSync` makes an object with four dates for each file: 3.3 µs instead of 2.8 µs, about a tenth of a
 * whole scan, which without it would take longer than ncdu's. So the function behind `lstatSync` is called there. It
 * is reached through `process.binding`, which is deprecated but cannot change any more in that release line. Later
 * releases make the dates only when asked for: this can go when Node 20 is no longer supported.
 */
export function factReader(): FactReader {
  const bare = process.versions.node.startsWith('20.') ? bareLstat() : undefined;
  if (bare === undefined) return slowFacts;
  return (path) => {
    const facts = bare(path, false, undefined, {});
    return facts === undefined ? slowFacts(path) : cappedFacts(facts);
  };
}

/** Sizes within what an index keeps: a file system tells more for files with holes. */
function cappedFacts(facts: Float64Array): Float64Array {
  if ((facts[FACT.size] ?? 0) > MOST_BYTES) facts[FACT.size] = MOST_BYTES;
  if ((facts[FACT.blocks] ?? 0) > MOST_BLOCKS) facts[FACT.blocks] = MOST_BLOCKS;
  return facts;
}

type BareLstat = (
  path: string | Buffer,
  big: false,
  request: undefined,
  context: object,
) => Float64Array | undefined;

/** The function behind `lstatSync`, if it is there and tells the same. */
function bareLstat(): BareLstat | undefined {
  try {
    // Not among Node's types; what comes back is checked.
    const { binding: get } = process as unknown as { binding?: (name: string) => unknown };
    const binding = get?.call(process, 'fs');
    const lstat = hasLstat(binding) ? binding.lstat : undefined;
    const told = lstat?.('/', false, undefined, {});
    if (lstat === undefined || !(told instanceof Float64Array)) return undefined;
    const stats = lstatSync('/');
    const right = toFacts(stats);
    // Nanoseconds are not whole in the object: the time they make up is compared instead.
    const same = Object.values(FACT).every((at) => at === FACT.ctimeNs || told[at] === right[at]);
    return same && ctimeMs(told) === stats.ctimeMs ? lstat : undefined;
  } catch {
    return undefined;
  }
}

function hasLstat(value: unknown): value is { lstat: BareLstat } {
  return typeof value === 'object' && value !== null && 'lstat' in value && typeof value.lstat === 'function';
}

const buffer = new Float64Array(18);

function slowFacts(path: string | Buffer): Float64Array {
  return toFacts(lstatSync(path));
}

/** The numbers of an object that `lstatSync` made. */
export function toFacts(stats: Stats): Float64Array {
  buffer[FACT.dev] = stats.dev;
  buffer[FACT.mode] = stats.mode;
  buffer[FACT.nlink] = stats.nlink;
  buffer[FACT.uid] = stats.uid;
  buffer[FACT.ino] = stats.ino;
  buffer[FACT.size] = stats.size;
  buffer[FACT.blocks] = stats.blocks;
  buffer[FACT.mtimeS] = Math.floor(stats.mtimeMs / 1000);
  buffer[FACT.ctimeS] = Math.floor(stats.ctimeMs / 1000);
  buffer[FACT.ctimeNs] = (stats.ctimeMs % 1000) * 1e6;
  return cappedFacts(buffer);
}

/** The change time in milliseconds, exactly as `Stats.ctimeMs` has it. */
export function ctimeMs(facts: Float64Array): number {
  return (facts[FACT.ctimeS] ?? 0) * 1000 + (facts[FACT.ctimeNs] ?? 0) / 1e6;
}

/** The modification time in whole seconds as an index keeps it: within the years 1970 to 2106. */
export function keptMtime(facts: Float64Array): number {
  return Math.min(0xffffffff, Math.max(0, facts[FACT.mtimeS] ?? 0));
}

/** True when the facts are those of a folder. */
export function isFolder(facts: Float64Array): boolean {
  return ((facts[FACT.mode] ?? 0) & 0o170000) === 0o040000;
}
