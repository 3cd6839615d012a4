import { lstatSync, type Stats } from 'node:fs';
import { float64At } from '../../contract/at.ts';
import { MAX_BLOCKS, MAX_BYTES } from '../sizes.ts';

/** The positions of the numbers that a {@link FactReader} returns. */
export const FACT = {
  dev: 0,
  mode: 1,
  nlink: 2,
  uid: 3,
  ino: 7,
  size: 8,
  blocks: 9,
  mtimeS: 12,
  mtimeNs: 13,
  ctimeS: 14,
  ctimeNs: 15,
} as const;

/** The facts of a path as plain numbers, valid until the next call; throws as `lstatSync` does. */
export type FactReader = (path: string | Buffer) => Float64Array;

/**
 * On Node 20, `lstatSync` makes an object with four dates per file: 3.3 µs instead of 2.8 µs, about a tenth of a whole
 * scan, which would make it slower than ncdu. So the function behind `lstatSync` is called there, through
 * `process.binding`, which is deprecated but no longer changes in that release line. Later releases make the dates on
 * demand, so this can be removed once Node 20 is no longer supported.
 */
export function factReader(): FactReader {
  const bare = process.versions.node.startsWith('20.') ? bareLstat() : undefined;
  if (bare === undefined) return slowFacts;
  return (path) => {
    const facts = bare(path, false, undefined, {});
    return facts === undefined ? slowFacts(path) : cappedFacts(facts);
  };
}

/** Limits sizes to what an index can store: sparse files can be larger. */
function cappedFacts(facts: Float64Array): Float64Array {
  if (float64At(facts, FACT.size) > MAX_BYTES) facts[FACT.size] = MAX_BYTES;
  if (float64At(facts, FACT.blocks) > MAX_BLOCKS) facts[FACT.blocks] = MAX_BLOCKS;
  return facts;
}

type BareLstat = (
  path: string | Buffer,
  big: false,
  request: undefined,
  context: object,
) => Float64Array | undefined;

/** The function behind `lstatSync`, if it exists and returns the same facts. */
function bareLstat(): BareLstat | undefined {
  try {
    // Not in Node's types; the result is checked below.
    const { binding: get } = process as unknown as { binding?: (name: string) => unknown };
    const binding = get?.call(process, 'fs');
    const lstat = hasLstat(binding) ? binding.lstat : undefined;
    const facts = lstat?.('/', false, undefined, {});
    if (lstat === undefined || !(facts instanceof Float64Array)) return undefined;
    const stats = lstatSync('/');
    const expected = toFacts(stats);
    // The object has no exact nanoseconds, so the change time is compared as a whole.
    const inexact: readonly number[] = [FACT.mtimeNs, FACT.ctimeNs];
    const same = Object.values(FACT).every(
      (fact) => inexact.includes(fact) || facts[fact] === expected[fact],
    );
    return same && ctimeMs(facts) === stats.ctimeMs ? lstat : undefined;
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

/** The facts in an object that `lstatSync` returned. */
export function toFacts(stats: Stats): Float64Array {
  buffer[FACT.dev] = stats.dev;
  buffer[FACT.mode] = stats.mode;
  buffer[FACT.nlink] = stats.nlink;
  buffer[FACT.uid] = stats.uid;
  buffer[FACT.ino] = stats.ino;
  buffer[FACT.size] = stats.size;
  buffer[FACT.blocks] = stats.blocks;
  buffer[FACT.mtimeS] = Math.floor(stats.mtimeMs / 1000);
  buffer[FACT.mtimeNs] = (stats.mtimeMs % 1000) * 1e6;
  buffer[FACT.ctimeS] = Math.floor(stats.ctimeMs / 1000);
  buffer[FACT.ctimeNs] = (stats.ctimeMs % 1000) * 1e6;
  return cappedFacts(buffer);
}

/** The change time in milliseconds, exactly equal to `Stats.ctimeMs`. */
export function ctimeMs(facts: Float64Array): number {
  return float64At(facts, FACT.ctimeS) * 1000 + float64At(facts, FACT.ctimeNs) / 1e6;
}

/** The modification time in whole seconds as an index stores it: limited to the years 1970 to 2106. */
export function keptMtime(facts: Float64Array): number {
  return Math.min(0xffffffff, Math.max(0, float64At(facts, FACT.mtimeS)));
}

const MODE_BITS = 12;
const MODE_MASK = 2 ** MODE_BITS - 1;
const MS_MASK = 2 ** 10 - 1;
/** Set where the permissions are known. */
const KNOWN = 2 ** 22;

/** Permissions and the milliseconds of the modification time in one number, as an index stores them. */
export function keptDetails(facts: Float64Array): number {
  const ms = keptMtime(facts) === facts[FACT.mtimeS] ? float64At(facts, FACT.mtimeNs) / 1e6 : 0;
  return detailsOf(float64At(facts, FACT.mode), ms);
}

export function detailsOf(mode: number | undefined, ms: number): number {
  return (Math.floor(ms) << MODE_BITS) | (mode === undefined ? 0 : KNOWN | (mode & MODE_MASK));
}

/** The permissions in such a number; undefined where they are not known. */
export function modeIn(details: number): number | undefined {
  return (details & KNOWN) === 0 ? undefined : details & MODE_MASK;
}

/** The milliseconds in it. */
export function msIn(details: number): number {
  return (details >>> MODE_BITS) & MS_MASK;
}

/** True if the facts are those of a folder. */
export function isFolder(facts: Float64Array): boolean {
  return (float64At(facts, FACT.mode) & 0o170000) === 0o040000;
}
