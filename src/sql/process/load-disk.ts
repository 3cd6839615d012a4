import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { at, float64At, uint8At, uint16At, uint32At } from '../../contract/at.ts';
import { mayHoldSecret, redact } from '../../contract/redact.ts';
import { localTimeText } from '../../contract/zone.ts';
import { linkTargets } from '../../disk/filter/link-targets.ts';
import { linkCountOf } from '../../disk/scan/hard-links.ts';
import { KIND_MASK } from '../../disk/scan/node-kinds.ts';
import { folderNumbers } from '../../disk/tree/folder-paths.ts';
import type { Tree } from '../../disk/tree/tree-columns.ts';
import { diskOf, nameOf, subFolders } from '../../disk/tree/tree-nodes.ts';
import { ownerName } from '../../disk/tree/user-names.ts';

/** Rows of an index begin at its number times this, so that all indexes fit into one table. */
export const ROWS_PER_INDEX = 2 ** 32;

export const DISK_ROWS = `
CREATE TABLE nodes (id INTEGER PRIMARY KEY, parent INTEGER, name TEXT, ext TEXT, kind INTEGER, size INTEGER,
  disk_size INTEGER, modified TEXT, owner INTEGER, depth INTEGER, links INTEGER);
CREATE TABLE dirs (id INTEGER PRIMARY KEY, parent INTEGER, name TEXT, path TEXT, size INTEGER, disk_size INTEGER,
  modified TEXT, owner INTEGER, depth INTEGER, newest TEXT, entries INTEGER, files INTEGER, folders INTEGER);
CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE link_targets (id INTEGER PRIMARY KEY, target TEXT, broken INTEGER);
CREATE TABLE growth (node INTEGER, path TEXT, before INTEGER, now INTEGER, delta INTEGER, since TEXT, until TEXT);
`;

/** One statement for many rows takes half the time of one for each. */
const ROWS_AT_ONCE = 50;

type Values = readonly (string | number | null)[];

/** Adds rows to a table, many at once. */
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

/** Loads the files and folders of a tree. */
export function loadDisk(db: DatabaseSyncInstance, index: number, tree: Tree, zone: string): void {
  const base = index * ROWS_PER_INDEX;
  const write = localTimeText(zone);
  const time = (seconds: number) => (seconds === 0 ? null : write(seconds));
  const text = cleanNames(tree);
  const { extensions, owners } = tree.meta;
  const addOwner = db.prepare('INSERT OR REPLACE INTO owners VALUES (?, ?)');
  for (const uid of owners) addOwner.run(uid, ownerName(uid));
  const depths = new Uint16Array(tree.meta.dirs);
  const paths: string[] = [];
  const nodes = inserter(db, 'nodes', 11);
  const dirs = inserter(db, 'dirs', 13);
  const folderOf = folderNumbers(tree);
  for (let row = 0; row < tree.meta.nodes; row++) {
    const folder = folderOf(row);
    const parent = uint32At(tree.parent, row);
    const owner = owners[uint16At(tree.owner, row)] ?? null;
    if (folder < 0) {
      const kind = uint8At(tree.kind, row);
      nodes.add(
        base + row,
        base + uint32At(tree.dirRow, parent),
        text(row),
        extensions[uint16At(tree.ext, row)] ?? '',
        kind & KIND_MASK,
        float64At(tree.size, row),
        diskOf(tree, row),
        time(uint32At(tree.mtime, row)),
        owner,
        (depths[parent] ?? 0) + 1,
        linkCountOf(tree, row),
      );
      continue;
    }
    const depth = row === 0 ? 0 : (depths[parent] ?? 0) + 1;
    depths[folder] = depth;
    const path = row === 0 ? redact(tree.meta.root) : `${below(at(paths, parent))}/${text(row)}`;
    paths[folder] = path;
    let children = uint32At(tree.dirFiles, folder);
    for (const _ of subFolders(tree, folder)) children++;
    dirs.add(
      base + row,
      row === 0 ? null : base + uint32At(tree.dirRow, parent),
      text(row),
      path,
      float64At(tree.dirSize, folder),
      float64At(tree.dirDisk, folder),
      time(uint32At(tree.mtime, row)),
      owner,
      depth,
      time(uint32At(tree.dirNewest, folder)),
      children,
      uint32At(tree.dirAllFiles, folder),
      uint32At(tree.dirDirs, folder),
    );
  }
  nodes.end();
  dirs.end();
}

const below = (folder: string) => (folder === '/' ? '' : folder);

/** Names without secrets: a query could take a name apart, so that nothing would be recognised on the way out. */
function cleanNames(tree: Tree): (row: number) => string {
  return (row) => {
    const name = nameOf(tree, row);
    const { names, nameAt } = tree;
    return mayHoldSecret(names, uint32At(nameAt, row), uint32At(nameAt, row + 1)) ? redact(name) : name;
  };
}

/** Loads where the symbolic links of a tree point. */
export async function loadLinks(db: DatabaseSyncInstance, index: number, tree: Tree): Promise<void> {
  const base = index * ROWS_PER_INDEX;
  const links = inserter(db, 'link_targets', 3);
  const targets = await linkTargets(tree, tree.kind.keys(), new AbortController().signal);
  for (const [row, { target, broken }] of targets) links.add(base + row, redact(target), broken ? 1 : 0);
  links.end();
}
