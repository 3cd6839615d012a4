import { float64At, uint32At } from '../../contract/at.ts';
import { optionalNumber, parseJson } from '../../store/column-values.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import type { ErrorCounts } from '../scan/node-kinds.ts';
import type { ScanOptions, Tree } from '../tree/tree-columns.ts';

/** An index in the database. Times are milliseconds since 1970. */
export interface IndexRow {
  readonly id: number;
  readonly root: string;
  readonly options: ScanOptions;
  /** 0 until the first scan is complete. */
  readonly generation: number;
  readonly nextId: number;
  readonly scannedAt: number | undefined;
  readonly verifiedAt: number | undefined;
  readonly files: number;
  readonly dirs: number;
  readonly size: number;
  readonly diskSize: number;
  readonly errors: ErrorCounts;
  readonly filesUnchecked: number;
}

export interface IndexRows {
  all(): Promise<IndexRow[]>;
  get(id: number): Promise<IndexRow | undefined>;
  /** The index of this root, created if there is none; its options are replaced. */
  ensure(root: string, options: ScanOptions): Promise<IndexRow>;
  scanned(id: number, tree: Tree, filesUnchecked: number): Promise<void>;
  remove(id: number): Promise<void>;
}

export function indexRows(db: Database, now: () => number): IndexRows {
  const get = async (id: number) => {
    const row = await db.get('SELECT * FROM disk_indexes WHERE id = ?', id);
    return row && toRow(row);
  };
  return {
    get,
    async all() {
      return (await db.all('SELECT * FROM disk_indexes ORDER BY id')).map(toRow);
    },
    async ensure(root, options) {
      const text = JSON.stringify(options);
      return db.transaction(async (tx) => {
        const known = await tx.get('SELECT id FROM disk_indexes WHERE root = ?', root);
        if (known) await tx.run('UPDATE disk_indexes SET options = ? WHERE id = ?', text, known.id ?? 0);
        else {
          await tx.run(
            'INSERT INTO disk_indexes (root, options, created_at) VALUES (?, ?, ?)',
            root,
            text,
            now(),
          );
        }
        const row = await tx.get('SELECT * FROM disk_indexes WHERE root = ?', root);
        return toRow(row ?? {});
      });
    },
    async scanned(id, { meta, dirAllFiles, dirDirs, dirSize, dirDisk }, filesUnchecked) {
      await db.run(
        'UPDATE disk_indexes SET scanned_at = ?, verified_at = ?, generation = ?, next_id = ?, files = ?, dirs = ?, size = ?, disk_size = ?, errors = ?, files_unchecked = ? WHERE id = ?',
        ...[
          meta.scannedAt,
          meta.verifiedAt,
          meta.generation,
          meta.nextId,
          uint32At(dirAllFiles, 0),
          uint32At(dirDirs, 0),
        ],
        ...[float64At(dirSize, 0), float64At(dirDisk, 0), JSON.stringify(meta.errors), filesUnchecked, id],
      );
    },
    async remove(id) {
      await db.run('DELETE FROM disk_indexes WHERE id = ?', id);
    },
  };
}

function toRow(row: SqlRow): IndexRow {
  const options = parseJson<Partial<ScanOptions>>(row.options);
  return {
    id: Number(row.id),
    root: String(row.root),
    options: {
      followSymlinks: options?.followSymlinks ?? false,
      oneFileSystem: options?.oneFileSystem ?? true,
      depthLimit: options?.depthLimit,
      exclude: options?.exclude ?? [],
      imported: options?.imported,
    },
    generation: Number(row.generation),
    nextId: Number(row.next_id),
    scannedAt: optionalNumber(row.scanned_at),
    verifiedAt: optionalNumber(row.verified_at),
    files: Number(row.files ?? 0),
    dirs: Number(row.dirs ?? 0),
    size: Number(row.size ?? 0),
    diskSize: Number(row.disk_size ?? 0),
    errors: parseJson<ErrorCounts>(row.errors) ?? {},
    filesUnchecked: Number(row.files_unchecked ?? 0),
  };
}
