import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { at, float64At, uint8At, uint16At, uint32At } from '../../contract/at.ts';
import { mayHoldSecret, redact } from '../../contract/redact.ts';
import { localTimeText } from '../../contract/zone.ts';
import { linkTargets } from '../../disk/filter/link-targets.ts';
import { modeIn, msIn } from '../../disk/scan/file-facts.ts';
import { linkCountOf } from '../../disk/scan/hard-links.ts';
import { isDir, KIND_MASK } from '../../disk/scan/node-kinds.ts';
import { inVcs, VCS } from '../../disk/tables.ts';
import type { Tree } from '../../disk/tree/tree-columns.ts';
import { diskOf, entryCounts, nameOf, pathOf } from '../../disk/tree/tree-nodes.ts';
import { ownerName } from '../../disk/tree/user-names.ts';
import type { RowValues } from './row-values.ts';
import { createTableFile, type TableWriter } from './table-file.ts';

/** Row numbers of an index start at its number times this, so that all indexes fit into one table. */
export const ROWS_PER_INDEX = 2 ** 32;

/** Files are sorted by extension, because grouping by it is common and sorting a million texts is slow. */
const NODES = `CREATE TABLE nodes (place INTEGER PRIMARY KEY, id INTEGER, parent INTEGER, name TEXT, ext TEXT, kind INTEGER,
  size INTEGER, disk_size INTEGER, modified TEXT, owner INTEGER, depth INTEGER, links INTEGER)`;
const DIRS = `CREATE TABLE dirs (id INTEGER PRIMARY KEY, parent INTEGER, name TEXT, path TEXT, slash TEXT, size INTEGER,
  disk_size INTEGER, modified TEXT, owner INTEGER, depth INTEGER, newest TEXT, entries INTEGER, files INTEGER,
  folders INTEGER, vcs INTEGER)`;

export const DISK_ROWS = `${NODES};
${DIRS};
CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE roots (id INTEGER PRIMARY KEY, path TEXT);
CREATE TABLE inodes (id INTEGER PRIMARY KEY, inode INTEGER);
CREATE TABLE modes (id INTEGER PRIMARY KEY, mode INTEGER);
CREATE TABLE link_targets (id INTEGER PRIMARY KEY, target TEXT, resolved TEXT, broken INTEGER);
CREATE TABLE growth (node INTEGER, path TEXT, before INTEGER, now INTEGER, delta INTEGER, added INTEGER,
  removed INTEGER, modified INTEGER, since TEXT, until TEXT);
`;

/** One statement for many rows takes half the time of one per row. */
const ROWS_AT_ONCE = 50;

type Values = readonly (string | number | null)[];

/** Inserts rows into a table, many at once. */
export function inserter(db: DatabaseSyncInstance, table: string, columns: number) {
  const row = `(${Array(columns).fill('?').join(',')})`;
  const one = db.prepare(`INSERT INTO ${table} VALUES ${row}`);
  const many = db.prepare(`INSERT INTO ${table} VALUES ${Array(ROWS_AT_ONCE).fill(row).join(',')}`);
  let waiting: (string | number | null)[] = [];
  return {
    add(...values: Values): void {
      for (const value of values) waiting.push(value);
      if (waiting.length < columns * ROWS_AT_ONCE) return;
      many.run(...waiting);
      waiting = [];
    },
    end(): void {
      for (let from = 0; from < waiting.length; from += columns)
        one.run(...waiting.slice(from, from + columns));
      waiting = [];
    },
  };
}

/** Writes the files and folders of a tree to a file; the returned function copies them and no longer needs the tree. */
export function writeDisk(db: DatabaseSyncInstance, index: number, tree: Tree, zone: string): () => void {
  const addOwner = db.prepare('INSERT OR REPLACE INTO owners VALUES (?, ?)');
  for (const uid of tree.meta.owners) addOwner.run(uid, ownerName(uid));
  db.prepare('INSERT OR REPLACE INTO roots VALUES (?, ?)').run(index, redact(tree.meta.root));
  const folder = mkdtempSync(join(tmpdir(), 'pinhole-rows-'));
  const file = join(folder, 'rows.db');
  try {
    const written = createTableFile(file);
    const base = index * ROWS_PER_INDEX;
    const depths = writeFolders(written.table(DIRS), base, tree, zone);
    writeFiles(written.table(NODES), base, tree, zone, depths);
    written.close();
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return copier(db, folder, file);
}

/** Separate from the function that writes the file, so that nothing here holds the tree. */
function copier(db: DatabaseSyncInstance, folder: string, file: string): () => void {
  return () => {
    try {
      db.prepare('ATTACH ? AS loaded').run(`${pathToFileURL(file).href}?mode=ro`);
      for (const table of ['nodes', 'dirs'])
        db.exec(`INSERT INTO main.${table} SELECT * FROM loaded.${table}`);
      db.exec('DETACH loaded');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/** Writes the folders, and returns the depth of each. */
function writeFolders(dirs: TableWriter, base: number, tree: Tree, zone: string): Uint16Array {
  const time = timeWriter(zone);
  const text = nameWriter(tree);
  const { owners } = tree.meta;
  const depths = new Uint16Array(tree.meta.dirs);
  const entries = entryCounts(tree);
  const paths: string[] = [];
  const vcs = new Uint8Array(tree.meta.dirs);
  for (let folder = 0; folder < tree.meta.dirs; folder++) {
    const row = uint32At(tree.dirRow, folder);
    const parent = uint32At(tree.parent, row);
    const depth = row === 0 ? 0 : uint16At(depths, parent) + 1;
    depths[folder] = depth;
    const path = row === 0 ? redact(tree.meta.root) : `${below(at(paths, parent))}/${cleanName(tree, row)}`;
    paths[folder] = path;
    vcs[folder] = row === 0 ? Number(inVcs(path)) : uint8At(vcs, parent) | Number(VCS.has(nameOf(tree, row)));
    const write = (long: boolean) => (values: RowValues) => {
      values.null();
      if (row === 0) values.null();
      else values.integer(base + uint32At(tree.dirRow, parent));
      text(values, row);
      values.text(long ? `…${path.slice(-MAX_PATH_LENGTH)}` : path);
      values.text(path === '/' ? '' : '/');
      values.integer(float64At(tree.dirSize, folder));
      values.integer(float64At(tree.dirDisk, folder));
      time(values, uint32At(tree.mtime, row));
      ownerOf(values, owners, uint16At(tree.owner, row));
      values.integer(depth);
      time(values, uint32At(tree.dirNewest, folder));
      values.integer(uint32At(entries, folder));
      values.integer(uint32At(tree.dirAllFiles, folder));
      values.integer(uint32At(tree.dirDirs, folder));
      values.integer(uint8At(vcs, folder));
    };
    if (!dirs.row(base + row, write(false))) dirs.row(base + row, write(true));
  }
  return depths;
}

function writeFiles(nodes: TableWriter, base: number, tree: Tree, zone: string, depths: Uint16Array): void {
  const time = timeWriter(zone);
  const text = nameWriter(tree);
  const { extensions, owners } = tree.meta;
  const later = laterNames(tree);
  let place = base;
  for (const row of filesByExtension(tree)) {
    const parent = uint32At(tree.parent, row);
    nodes.row(place++, (values) => {
      values.null();
      values.integer(base + row);
      values.integer(base + uint32At(tree.dirRow, parent));
      text(values, row);
      values.text(extensions[uint16At(tree.ext, row)] ?? '');
      values.integer(uint8At(tree.kind, row) & KIND_MASK);
      if (later.has(row)) {
        values.null();
        values.null();
      } else {
        values.integer(float64At(tree.size, row));
        values.integer(diskOf(tree, row));
      }
      time(values, uint32At(tree.mtime, row), msIn(uint32At(tree.details, row)));
      ownerOf(values, owners, uint16At(tree.owner, row));
      values.integer(uint16At(depths, parent) + 1);
      values.integer(linkCountOf(tree, row));
    });
  }
}

/** The rows of files, sorted by extension. */
function filesByExtension({ kind, ext, meta }: Tree): Uint32Array {
  const { extensions, nodes } = meta;
  const ordered = [...extensions.keys()].sort((a, b) => compare(at(extensions, a), at(extensions, b)));
  const ranks = new Uint16Array(2 ** 16);
  for (const [rank, number] of ordered.entries()) ranks[number] = rank;
  const rankOf = (row: number) => (isDir(uint8At(kind, row)) ? -1 : uint16At(ranks, uint16At(ext, row)));
  /** Where the next file of a rank goes; initially, the number of files of the previous rank. */
  const ends = new Uint32Array(2 ** 16 + 1);
  for (let row = 0; row < nodes; row++) {
    const after = rankOf(row) + 1;
    if (after > 0) ends[after] = uint32At(ends, after) + 1;
  }
  for (let rank = 1; rank < ends.length; rank++) ends[rank] = uint32At(ends, rank) + uint32At(ends, rank - 1);
  const rows = new Uint32Array(uint32At(ends, ends.length - 1));
  for (let row = 0; row < nodes; row++) {
    const rank = rankOf(row);
    if (rank < 0) continue;
    const place = uint32At(ends, rank);
    rows[place] = row;
    ends[rank] = place + 1;
  }
  return rows;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Additional names of files with several hard links: their size counts only once. */
function laterNames({ linkRow, linkKey }: Tree): ReadonlySet<number> {
  const known = new Set<number>();
  const later = new Set<number>();
  for (const [i, row] of linkRow.entries()) {
    const key = float64At(linkKey, i);
    if (known.has(key)) later.add(row);
    else known.add(key);
  }
  return later;
}

const below = (folder: string) => (folder === '/' ? '' : folder);
/** A longer path does not fit into a row; no system has such paths. */
const MAX_PATH_LENGTH = 10_000;

function ownerOf(values: RowValues, owners: readonly number[], number: number): void {
  const uid = owners[number];
  if (uid === undefined) values.null();
  else values.integer(uid);
}

function timeWriter(zone: string): (values: RowValues, seconds: number, ms?: number) => void {
  const write = localTimeText(zone);
  return (values, seconds, ms = 0) => {
    if (seconds === 0) values.null();
    else values.text(ms === 0 ? write(seconds) : `${write(seconds)}.${String(ms).padStart(3, '0')}`);
  };
}

/** Writes names; almost all are plain and are copied as they are. */
function nameWriter(tree: Tree): (values: RowValues, row: number) => void {
  const { names, nameAt } = tree;
  return (values, row) => {
    const [from, to] = [uint32At(nameAt, row), uint32At(nameAt, row + 1)];
    if (mayHoldSecret(names, from, to) || !values.ascii(names, from, to)) values.text(cleanName(tree, row));
  };
}

/**
 * A name with secrets redacted. A query could split the name, and then the secret would not be recognised in the
 * output.
 */
function cleanName(tree: Tree, row: number): string {
  const { names, nameAt } = tree;
  const name = nameOf(tree, row);
  return mayHoldSecret(names, uint32At(nameAt, row), uint32At(nameAt, row + 1)) ? redact(name) : name;
}

/** Loads the inode numbers of a tree. */
export function loadInodes(db: DatabaseSyncInstance, index: number, tree: Tree): void {
  const base = index * ROWS_PER_INDEX;
  const inodes = inserter(db, 'inodes', 2);
  for (const [row, inode] of tree.ino.entries())
    if (!isDir(uint8At(tree.kind, row))) inodes.add(base + row, inode);
  inodes.end();
}

/** Loads the permissions of a tree. */
export function loadModes(db: DatabaseSyncInstance, index: number, tree: Tree): void {
  const base = index * ROWS_PER_INDEX;
  const modes = inserter(db, 'modes', 2);
  for (const [row, details] of tree.details.entries()) {
    const mode = modeIn(details);
    if (mode !== undefined && !isDir(uint8At(tree.kind, row))) modes.add(base + row, mode);
  }
  modes.end();
}

/** Loads where the symbolic links of a tree point. */
export async function loadLinks(db: DatabaseSyncInstance, index: number, tree: Tree): Promise<void> {
  const base = index * ROWS_PER_INDEX;
  const links = inserter(db, 'link_targets', 4);
  const targets = await linkTargets(tree, tree.kind.keys(), new AbortController().signal);
  for (const [row, { target, broken }] of targets) {
    const resolved = resolve(pathOf(tree, uint32At(tree.dirRow, uint32At(tree.parent, row))), target);
    links.add(base + row, redact(target), redact(resolved), broken ? 1 : 0);
  }
  links.end();
}
