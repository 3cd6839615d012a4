import { readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Tree } from './tree/tree.ts';

/*
 * The growth of an index: one small file a generation with the folders whose totals changed since the one
 * before (the first has all of them). Inside: a line of JSON, then ids, files and bytes as columns, gzipped.
 */
const MOST_GENERATIONS = 60;
const FILE = /^(\d+)\.growth$/;
const ROW_BYTES = 16;

export interface FolderSize {
  /** Allocated bytes; -1 says that the folder is gone. */
  readonly disk: number;
  readonly files: number;
}

export interface GenerationHead {
  readonly generation: number;
  readonly scanned_at: number;
  readonly disk: number;
  readonly files: number;
}

type Sizes = Map<number, FolderSize>;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

/** Keeps the folder sizes of a new generation. */
export async function writeGrowth(folder: string, earlier: Tree | undefined, tree: Tree): Promise<void> {
  await save(folder, headOf(tree), changes(earlier, tree));
  await mergeOldest(folder);
}

/** All kept generations, oldest first. */
export async function generations(folder: string): Promise<GenerationHead[]> {
  const heads: GenerationHead[] = [];
  for (const number of await numbers(folder)) {
    const one = await load(folder, number);
    if (one !== undefined) heads.push(one.head);
  }
  return heads;
}

/** The sizes of all folders as they were at a generation, by node id. */
export async function sizesAt(folder: string, generation: number): Promise<Sizes> {
  const sizes: Sizes = new Map();
  for (const number of await numbers(folder)) {
    if (number > generation) break;
    const one = await load(folder, number);
    for (const [i, id] of one?.ids.entries() ?? []) {
      const disk = one?.disk[i] ?? 0;
      if (disk < 0) sizes.delete(id);
      else sizes.set(id, { disk, files: one?.files[i] ?? 0 });
    }
  }
  return sizes;
}

/** The sizes a folder had, oldest first, one for each time it changed. */
export async function historyOf(folder: string, id: number): Promise<(GenerationHead & FolderSize)[]> {
  const history: (GenerationHead & FolderSize)[] = [];
  for (const number of await numbers(folder)) {
    const one = await load(folder, number);
    const at = one?.ids.indexOf(id) ?? -1;
    if (one !== undefined && at >= 0)
      history.push({ ...one.head, disk: one.disk[at] ?? 0, files: one.files[at] ?? 0 });
  }
  return history;
}

function headOf(tree: Tree): GenerationHead {
  const { generation, scannedAt } = tree.meta;
  return {
    generation,
    scanned_at: scannedAt,
    disk: tree.dirDisk[0] ?? 0,
    files: tree.dirAllFiles[0] ?? 0,
  };
}

/** Folders whose totals differ between two trees. */
function changes(earlier: Tree | undefined, tree: Tree): Sizes {
  // By id, which are numbers without large gaps: columns instead of a map.
  const disk = new Float64Array(tree.meta.nextId).fill(-1);
  const files = new Uint32Array(tree.meta.nextId);
  for (const [id, row] of folderIds(earlier)) {
    disk[id] = earlier?.dirDisk[row] ?? 0;
    files[id] = earlier?.dirAllFiles[row] ?? 0;
  }
  const changed: Sizes = new Map();
  for (const [id, folder] of folderIds(tree)) {
    const now = { disk: tree.dirDisk[folder] ?? 0, files: tree.dirAllFiles[folder] ?? 0 };
    if (disk[id] !== now.disk || files[id] !== now.files) changed.set(id, now);
    disk[id] = -1;
  }
  for (const [id] of folderIds(earlier)) if ((disk[id] ?? -1) >= 0) changed.set(id, { disk: -1, files: 0 });
  return changed;
}

/** The id and the number of each folder. */
function* folderIds(tree: Tree | undefined): Generator<[id: number, folder: number]> {
  if (tree === undefined) return;
  for (let folder = 0; folder < tree.dirRow.length; folder++)
    yield [tree.id[tree.dirRow[folder] ?? 0] ?? 0, folder];
}

async function numbers(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .flatMap((name) => FILE.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

async function save(folder: string, head: GenerationHead, sizes: Sizes): Promise<void> {
  const line = Buffer.from(`${JSON.stringify({ ...head, rows: sizes.size })}\n`);
  const columns = Buffer.alloc(sizes.size * ROW_BYTES);
  let at = 0;
  for (const [id, { disk, files }] of sizes) {
    columns.writeUInt32LE(id, at * 4);
    columns.writeUInt32LE(files, (sizes.size + at) * 4);
    columns.writeDoubleLE(disk, (sizes.size + at) * 8);
    at++;
  }
  const file = join(folder, `${head.generation}.growth`);
  await writeFile(`${file}.tmp`, await zip(Buffer.concat([line, columns]), { level: 1 }), { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}

/** The first line of a file; throws when it is none of ours. */
function parseHead(line: string): GenerationHead & { rows: number } {
  const value: Record<string, unknown> = JSON.parse(line);
  const number = (name: string): number => {
    const found = value[name];
    if (typeof found !== 'number') throw new TypeError(`no ${name}`);
    return found;
  };
  return {
    generation: number('generation'),
    scanned_at: number('scanned_at'),
    disk: number('disk'),
    files: number('files'),
    rows: number('rows'),
  };
}

interface GrowthFile {
  readonly head: GenerationHead;
  readonly ids: Uint32Array;
  readonly files: Uint32Array;
  readonly disk: Float64Array;
}

/** A generation's file; a damaged one counts as not there. */
async function load(folder: string, number: number): Promise<GrowthFile | undefined> {
  try {
    const bytes = await unzip(await readFile(join(folder, `${number}.growth`)));
    const end = bytes.indexOf(0x0a);
    const { rows, ...head } = parseHead(bytes.toString('utf8', 0, end));
    // A copy, since columns must lie at a multiple of eight.
    const { buffer } = new Uint8Array(bytes.subarray(end + 1));
    return {
      head,
      ids: new Uint32Array(buffer, 0, rows),
      files: new Uint32Array(buffer, rows * 4, rows),
      disk: new Float64Array(buffer, rows * 8, rows),
    };
  } catch {
    return undefined;
  }
}

/** Joins the two oldest generations when there are too many: the older one is forgotten. */
async function mergeOldest(folder: string): Promise<void> {
  const [first, second, ...rest] = await numbers(folder);
  if (first === undefined || second === undefined || rest.length < MOST_GENERATIONS - 1) return;
  const younger = await load(folder, second);
  if (younger !== undefined) await save(folder, younger.head, await sizesAt(folder, second));
  await unlink(join(folder, `${first}.growth`));
}
