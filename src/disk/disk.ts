import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '../contract/errors.ts';
import { redact } from '../contract/redact.ts';
import type { Roots } from '../contract/roots.ts';
import { VERSION } from '../contract/version.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Database } from '../store/database.ts';
import { type Download, openDownload, type RangeRequest } from './browse/download.ts';
import { CleanUpPlans } from './clean-up/clean-up-plans.ts';
import type { GitIgnores } from './clean-up/git-state.ts';
import { Filters, type TouchedPaths } from './filter/filters.ts';
import { requireLocal, requireWhole, visibleRow } from './indexes/index-access.ts';
import { IndexCatalog } from './indexes/index-catalog.ts';
import { type IndexRow, indexRows } from './indexes/index-rows.ts';
import { exportNcdu } from './ncdu/ncdu-export.ts';
import { importNcdu } from './ncdu/ncdu-import.ts';
import { Reports } from './reports/reports.ts';
import { SavedQueries } from './saved-queries.ts';
import { Selections } from './selections.ts';
import { saveTree } from './tree/save-tree.ts';
import { textPathOf } from './tree/tree-nodes.ts';
import { maxWatches } from './watch/watch-limits.ts';

/** Everything about disks that operations need. */
export interface Disk {
  readonly indexes: IndexCatalog;
  readonly filters: Filters;
  readonly reports: Reports;
  readonly selections: Selections;
  readonly queries: SavedQueries;
  readonly plans: CleanUpPlans;
  /** Makes an index from the text of an ncdu export. */
  importNcdu(text: string): Promise<IndexRow>;
  /** An index in ncdu's format, piece by piece. */
  exportNcdu(indexId: string, roots: Roots): Promise<Iterable<string>>;
  /** Opens the file of a node, or a range of it, for download. */
  openContent(indexId: string, nodeId: string, roots: Roots, range?: RangeRequest): Promise<Download>;
  close(): Promise<void>;
}

export interface DiskDeps {
  /** The main database, with DISK_SCHEMA among its migrations. */
  readonly db: Database;
  readonly jobs: Jobs;
  /** The data folder. */
  readonly home: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  /** Where sessions are indexed. */
  readonly touchedPaths?: TouchedPaths | undefined;
  /** Which files git ignores. */
  readonly gitIgnores: GitIgnores;
  /** How many folders may be watched, 0 for none; by default half of what the system allows. */
  readonly watches?: string | undefined;
}

/** Opens the disk subject. Call it before `jobs.recover`, because it registers its kind of job. */
export async function openDisk(deps: DiskDeps): Promise<Disk> {
  const { db, jobs, now, log } = deps;
  const folder = join(deps.home, 'disk');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const selections = new Selections(db, now);
  const indexes = new IndexCatalog({
    rows: indexRows(db, now),
    jobs,
    folder,
    now,
    log,
    onSwap: (row, generation) => selections.follow(row.id, generation),
    watches: maxWatches(deps.watches),
  });
  const reports = new Reports({ indexes, folder });
  return {
    indexes,
    reports,
    filters: new Filters({ reports, now, touchedPaths: deps.touchedPaths }),
    selections,
    queries: new SavedQueries(db, now),
    plans: new CleanUpPlans({ db, now, gitIgnores: deps.gitIgnores, reports, home: deps.home }),
    async importNcdu(text) {
      const parsed = importNcdu(text, 1, now());
      const { root, options } = parsed.meta;
      return indexes.adopt(root, options, async (row, file) => {
        const tree = row.nextId === 1 ? parsed : importNcdu(text, row.nextId, now());
        await saveTree(tree, file);
        return tree;
      });
    },
    async exportNcdu(indexId, roots) {
      const { tree } = await indexes.open(indexId);
      requireWhole(tree, roots);
      return exportNcdu(tree, VERSION, roots.person ? (name) => name : redact);
    },
    async openContent(indexId, nodeId, roots, range) {
      const { tree } = await indexes.open(indexId);
      requireLocal(tree);
      const path = textPathOf(tree, visibleRow(tree, nodeId, roots));
      if (path === undefined)
        fail('path_not_allowed', 'This path is not valid UTF-8, so its file cannot be downloaded.');
      return openDownload(roots, path, range);
    },
    async close() {
      indexes.close();
    },
  };
}
