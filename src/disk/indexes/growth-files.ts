import { readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { at, float64At, uint32At } from '../../contract/at.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { baselines } from './baselines.ts';
import { type Columns, changedFolders, type Gone } from './changed-folders.ts';

/*
 * How an index grew: one small file per generation, with the folders whose totals changed since the previous one (the
 * first has all folders). It is gzipped: a line of JSON with the paths of deleted folders, then ids, file counts,
 * allocated bytes and sizes as columns. Files of version 0.1, which have no sizes, end in `.growth`.
 */
const MAX_GENERATIONS = 60;
const GROWTH_FILE = /^(\d+)\.sizes$/;
const OLD_GROWTH_FILE = /^\d+\.growth$/;

export interface FolderSize {
  /** Allocated bytes; -1 means that the folder was deleted. */
  readonly disk: number;
  /** Bytes of content. */
  readonly size: number;
  readonly files: number;
}

export interface GenerationHead {
  readonly generation: number;
  readonly scanned_at: number;
  readonly disk: number;
  readonly files: number;
  /** The first node id that no node had yet; unknown in files of earlier versions. */
  readonly next_id?: number | undefined;
}

type Sizes = Map<number, FolderSize>;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Stores the folder sizes of a new generation. History begins again where the scan had other limits. */
export async function writeGrowth(folder: string, previous: Tree | undefined, tree: Tree): Promise<void> {
  const earlier = previous !== undefined && haveSameLimits(previous, tree) ? previous : undefined;
  if (previous !== earlier)
    for (const number of await numbers(folder)) await unlink(join(folder, `${number}.sizes`));
  if ((await numbers(folder)).length === 0 && earlier !== undefined)
    await save(folder, headOf(earlier), changedFolders(undefined, earlier));
  await save(folder, headOf(tree), changedFolders(earlier, tree));
  await removeOld(folder);
  await mergeOldest(folder);
}

/** With another depth or other exclusions, folders seem to be new or gone that are neither. */
function haveSameLimits(one: Tree, other: Tree): boolean {
  return JSON.stringify(one.meta.options) === JSON.stringify(other.meta.options);
}

async function removeOld(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (OLD_GROWTH_FILE.test(name)) await unlink(join(folder, name));
}

/** All stored generations, oldest first. */
export async function generations(folder: string): Promise<GenerationHead[]> {
  const heads: GenerationHead[] = [];
  for (const number of await numbers(folder)) {
    const one = await load(folder, number);
    if (one !== undefined) heads.push(one.head);
  }
  return heads;
}

/** The sizes of all folders at a generation, by node id. */
export async function sizesAt(folder: string, generation: number): Promise<Sizes> {
  const sizes: Sizes = new Map();
  for (const number of await numbers(folder)) {
    if (number > generation) break;
    const one = await load(folder, number);
    if (one === undefined) continue;
    for (const [i, id] of one.ids.entries()) {
      if (float64At(one.disk, i) < 0) sizes.delete(id);
      else sizes.set(id, sizeIn(one, i));
    }
  }
  return sizes;
}

/** What each stored generation changed, oldest first: sizes by node id, undefined for deleted folders. */
export async function* generationChanges(folder: string): AsyncGenerator<{
  readonly head: GenerationHead;
  readonly sizes: ReadonlyMap<number, FolderSize | undefined>;
  readonly gone: readonly Gone[];
}> {
  for (const number of await numbers(folder)) {
    const one = await load(folder, number);
    if (one === undefined) continue;
    const sizes = new Map<number, FolderSize | undefined>();
    for (const [i, id] of one.ids.entries()) {
      const size = sizeIn(one, i);
      sizes.set(id, size.disk < 0 ? undefined : size);
    }
    yield { head: one.head, sizes, gone: one.gone };
  }
}

/** The folders that were deleted after one generation, up to another. */
export async function goneBetween(folder: string, after: number, upTo: number): Promise<Gone[]> {
  const gone: Gone[] = [];
  for (const number of await numbers(folder)) {
    if (number > after && number <= upTo) gone.push(...((await load(folder, number))?.gone ?? []));
  }
  return gone;
}

/** The sizes of a folder over time, oldest first, one per change. */
export async function historyOf(folder: string, id: number): Promise<(GenerationHead & FolderSize)[]> {
  const history: (GenerationHead & FolderSize)[] = [];
  for (const number of await numbers(folder)) {
    const one = await load(folder, number);
    const place = one?.ids.indexOf(id) ?? -1;
    if (one !== undefined && place >= 0) history.push({ ...one.head, ...sizeIn(one, place) });
  }
  return history;
}

function sizeIn({ disk, size, files }: Columns, place: number): FolderSize {
  return { disk: float64At(disk, place), size: float64At(size, place), files: uint32At(files, place) };
}

function headOf(tree: Tree): GenerationHead {
  const { generation, scannedAt } = tree.meta;
  return {
    generation,
    scanned_at: scannedAt,
    disk: float64At(tree.dirDisk, 0),
    files: uint32At(tree.dirAllFiles, 0),
    next_id: tree.meta.nextId,
  };
}

async function numbers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => GROWTH_FILE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

async function save(
  folder: string,
  head: GenerationHead,
  { ids, files, disk, size, gone }: Columns,
): Promise<void> {
  const line = Buffer.from(`${JSON.stringify({ ...head, rows: ids.length, gone })}\n`);
  const columns = [ids, files, disk, size].map(
    (column) => new Uint8Array(column.buffer, 0, column.byteLength),
  );
  const file = join(folder, `${head.generation}.sizes`);
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, await zip(Buffer.concat([line, ...columns]), { level: 1 }), { mode: 0o600 });
  await rename(draft, file);
}

/** The first line of a file; throws if it is not one of ours. */
function parseHead(line: string): GenerationHead & { rows: number; gone: readonly Gone[] } {
  const value: Record<string, unknown> = JSON.parse(line);
  const number = (name: string): number => {
    const found = value[name];
    if (typeof found !== 'number') throw new TypeError(`${name} is not a number`);
    return found;
  };
  return {
    generation: number('generation'),
    scanned_at: number('scanned_at'),
    disk: number('disk'),
    files: number('files'),
    ...(typeof value.next_id === 'number' && { next_id: value.next_id }),
    rows: number('rows'),
    gone: Array.isArray(value.gone) ? value.gone.map(([id, path]) => [Number(id), String(path)]) : [],
  };
}

interface GrowthFile extends Columns {
  readonly head: GenerationHead;
}

/** The file of a generation; undefined if it is missing or damaged. */
async function load(folder: string, number: number): Promise<GrowthFile | undefined> {
  try {
    const bytes = await unzip(await readFile(join(folder, `${number}.sizes`)));
    const end = bytes.indexOf(0x0a);
    const { rows, gone, ...head } = parseHead(bytes.toString('utf8', 0, end));
    // A copy, because columns must start at a multiple of eight.
    const { buffer } = new Uint8Array(bytes.subarray(end + 1));
    return {
      head,
      ids: new Uint32Array(buffer, 0, rows),
      files: new Uint32Array(buffer, rows * 4, rows),
      disk: new Float64Array(buffer, rows * 8, rows),
      size: new Float64Array(buffer, rows * 16, rows),
      gone,
    };
  } catch {
    return undefined;
  }
}

/** Merges the oldest generation that nobody asked for into the next one when there are too many. */
async function mergeOldest(folder: string): Promise<void> {
  const all = await numbers(folder);
  if (all.length <= MAX_GENERATIONS) return;
  const wanted = new Set((await baselines(folder)).map(({ generation }) => generation));
  const place = Math.max(
    0,
    all.findIndex((number, i) => i < all.length - 1 && !wanted.has(number)),
  );
  const merged = at(all, place);
  const next = at(all, place + 1);
  const [older, younger] = await Promise.all([load(folder, merged), load(folder, next)]);
  if (younger !== undefined) {
    const sizes = place === 0 ? await sizesAt(folder, next) : sizesOf([older, younger]);
    const gone = place === 0 ? [] : [...(older?.gone ?? []), ...younger.gone];
    await save(folder, younger.head, { ...columnsOf(sizes), gone });
  }
  await unlink(join(folder, `${merged}.sizes`));
}

/** The sizes that several generations set, later ones last. A deleted folder keeps its mark. */
function sizesOf(files: readonly (GrowthFile | undefined)[]): Sizes {
  const sizes: Sizes = new Map();
  for (const file of files)
    if (file !== undefined) for (const [i, id] of file.ids.entries()) sizes.set(id, sizeIn(file, i));
  return sizes;
}

function columnsOf(sizes: Sizes): Columns {
  return {
    ids: Uint32Array.from(sizes.keys()),
    files: Uint32Array.from(sizes.values(), ({ files }) => files),
    disk: Float64Array.from(sizes.values(), ({ disk }) => disk),
    size: Float64Array.from(sizes.values(), ({ size }) => size),
    gone: [],
  };
}
