import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { releaseNow, releaseSoon } from '../../disk/indexes/release-memory.ts';
import { loadTree } from '../../disk/tree/load-tree.ts';
import type { Tree } from '../../disk/tree/tree-columns.ts';
import { lastRow, rowOfPath } from '../../disk/tree/tree-nodes.ts';
import type { DiskSource, Look, RowRange } from '../query-messages.ts';
import { createFolderNameTables, type FolderNameTables } from './folder-name-tables.ts';
import { DISK_ROWS, loadInodes, loadLinks, loadModes, ROWS_PER_INDEX, writeDisk } from './load-disk.ts';
import { loadGrowth } from './load-growth.ts';

/** What is loaded from an index. */
interface Loaded {
  readonly version: string;
  readonly parts: Set<Part>;
  /** The row ranges of folders, by path. */
  readonly ranges: Map<string, RowRange | undefined>;
}

type Part = 'nodes' | 'inodes' | 'modes' | 'links' | 'growth';

export interface DiskRows {
  /** The results of `dirname` by folder, for the loaded rows. */
  readonly folderNames: FolderNameTables;
  /** Loads what a query reads from these indexes, and returns SQL that is true for rows the caller may read. */
  load(sources: readonly DiskSource[], reads: Look['reads'], zone: string): Promise<(id: string) => string>;
}

/** `makeRoom` detaches a database file if no more can be attached. */
export function createDiskRows(db: DatabaseSyncInstance, makeRoom: () => void): DiskRows {
  db.exec(DISK_ROWS);
  const loaded = new Map<number, Loaded>();
  const folderNames = createFolderNameTables(db);

  function drop(id: number): void {
    loaded.delete(id);
    folderNames.forget();
    const ids = `BETWEEN ${id * ROWS_PER_INDEX} AND ${(id + 1) * ROWS_PER_INDEX - 1}`;
    const others = loaded.size > 0;
    // Without a condition, SQLite empties a table at once.
    for (const [table, key] of Object.entries({
      nodes: 'place',
      dirs: 'id',
      inodes: 'id',
      modes: 'id',
      link_targets: 'id',
      growth: 'node',
    }))
      db.exec(`DELETE FROM ${table}${others ? ` WHERE ${key} ${ids}` : ''}`);
  }

  async function bring(source: DiskSource, wanted: ReadonlySet<Part>, zone: string): Promise<Loaded> {
    const known = loaded.get(source.id);
    // Loaded rows contain times as text, so they depend on the zone.
    const version = `${source.version} ${zone}`;
    if (known !== undefined && known.version !== version) drop(source.id);
    const state = loaded.get(source.id) ?? { version, parts: new Set(), ranges: new Map() };
    const missing = [...wanted].filter((part) => !state.parts.has(part));
    const unknown = (source.folders ?? []).filter((folder) => !state.ranges.has(folder));
    if (missing.length > 0 || unknown.length > 0) {
      loaded.set(source.id, state);
      const { copy, bytes } = await fromTree(source, missing, unknown, state, zone);
      // Holding a tree and its rows at once would be the peak memory use of this process.
      if (copy === undefined) releaseSoon(bytes);
      else {
        releaseNow(bytes);
        makeRoom();
        copy();
        folderNames.forget();
        state.parts.add('nodes');
      }
    }
    return state;
  }

  /** Loads what needs the tree; the rows of files and folders are copied later, without it. */
  async function fromTree(
    source: DiskSource,
    parts: readonly Part[],
    folders: readonly string[],
    state: Loaded,
    zone: string,
  ): Promise<{ readonly copy: (() => void) | undefined; readonly bytes: number }> {
    const tree = await loadTree(source.file, { check: false });
    for (const folder of folders) state.ranges.set(folder, rangeOf(tree, folder));
    for (const part of parts) {
      if (part === 'nodes') continue;
      await loadPart(part, source, tree, zone);
      state.parts.add(part);
    }
    return {
      copy: parts.includes('nodes') ? writeDisk(db, source.id, tree, zone) : undefined,
      bytes: tree.buffer.byteLength,
    };
  }

  async function loadPart(part: Part, source: DiskSource, tree: Tree, zone: string): Promise<void> {
    db.exec('BEGIN');
    if (part === 'inodes') loadInodes(db, source.id, tree);
    else if (part === 'modes') loadModes(db, source.id, tree);
    else if (part === 'links') await loadLinks(db, source.id, tree);
    else await loadGrowth(db, source.id, tree, source.growthFolder, zone);
    db.exec('COMMIT');
  }

  return {
    folderNames,
    async load(sources, reads, zone) {
      const wanted = partsOf(reads);
      if (wanted.size === 0) return () => '0';
      const ranges: string[] = [];
      for (const source of sources) {
        const { ranges: known } = await bring(source, wanted, zone);
        const base = source.id * ROWS_PER_INDEX;
        const spans = source.folders?.map((folder) => known.get(folder)) ?? [
          { from: 0, to: ROWS_PER_INDEX - 1 },
        ];
        for (const span of spans)
          if (span !== undefined) ranges.push(`{id} BETWEEN ${base + span.from} AND ${base + span.to}`);
      }
      const all = sources.length === loaded.size && sources.every(({ folders }) => folders === undefined);
      const condition = all ? '1' : ranges.length === 0 ? '0' : `(${ranges.join(' OR ')})`;
      return (id) => condition.replaceAll('{id}', id);
    },
  };
}

function partsOf(reads: Look['reads']): ReadonlySet<Part> {
  const parts = new Set<Part>();
  if (reads.files !== undefined || reads.folders !== undefined) parts.add('nodes');
  if (reads.files?.includes('inode')) parts.add('inodes');
  if (reads.files?.some((column) => column === 'mode' || column === 'executable')) parts.add('modes');
  if (reads.files?.some((column) => column === 'target' || column === 'resolved' || column === 'broken'))
    parts.add('links');
  if (reads.grew !== undefined) parts.add('growth');
  return parts;
}

function rangeOf(tree: Tree, folder: string): RowRange | undefined {
  const row = rowOfPath(tree, folder);
  return row < 0 ? undefined : { from: row, to: lastRow(tree, row) };
}
