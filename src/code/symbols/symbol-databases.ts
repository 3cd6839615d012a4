import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { countOf, countText } from '../../contract/format.ts';
import { isInside } from '../../contract/roots.ts';
import type { SqlDatabase } from '../../store/sql-table.ts';
import { readSqlite } from '../../store/sqlite.ts';
import type { SourceTree } from '../files/source-tree.ts';
import { rootId } from '../indexed-tree.ts';
import type { SymbolIndex } from './symbol-index.ts';

/** A tree that nobody indexed is parsed for a query if it has at most so many files. */
const SMALL_TREE = 3_000;
/** A folder of several trees, itself indexed in part, is left to them if it lacks more files than this. */
const FEW_PENDING = 500;
/** How long a query waits for all trees together. */
const WAIT_MS = 8_000;

interface DatabasesOptions {
  readonly home: string;
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
  readonly treeAt: (root: string) => SourceTree;
  readonly indexOf: (tree: SourceTree) => Promise<SymbolIndex>;
  readonly goOn: (index: SymbolIndex, tree: SourceTree) => void;
}

/** The database of a tree. */
export function symbolFile(home: string, root: string): string {
  return join(home, 'code', rootId(root), 'symbols.db');
}

/** The databases of indexed trees inside the given folders, and of those folders if they are small. */
export async function symbolDatabases(options: DatabasesOptions): Promise<readonly SqlDatabase[]> {
  const { home, roots, signal, treeAt, indexOf, goOn } = options;
  const indexed = indexedRoots(join(home, 'code')).filter((root) =>
    roots.some((folder) => isInside(root, folder)),
  );
  // A home folder is no source tree, and reading all of it takes long.
  const fresh = roots.filter(
    (root) => !indexed.some((known) => isInside(root, known)) && !isInside(homedir(), root),
  );
  const end = performance.now() + WAIT_MS;
  const found: SqlDatabase[] = [];
  const incomplete: string[] = [];
  /** Trees that are completely parsed: a tree inside of one would have the same rows again. */
  const whole: string[] = [];
  for (const root of [...indexed, ...fresh].sort((a, b) => a.length - b.length)) {
    if (!existsSync(root) || whole.some((outer) => isInside(root, outer))) continue;
    const tree = treeAt(root);
    const { generation } = await tree.refresh(signal);
    if (!indexed.includes(root) && tree.files.size > SMALL_TREE) continue;
    const index = await indexOf(tree);
    const file = symbolFile(home, root);
    const hasInner = indexed.some((other) => other !== root && isInside(other, root));
    if (hasInner && index.pending().length > FEW_PENDING) {
      incomplete.push(`Files in ${root} are here only if they are in a tree of their own.`);
      continue;
    }
    if (!index.upToDate(generation)) {
      const left = await index.ensure(index.pending(), Math.max(500, end - performance.now()), signal);
      if (left.length > 0) {
        goOn(index, tree);
        const parsed = countText(tree.files.size - left.length);
        found.push({
          file,
          root,
          incomplete: `Only ${parsed} of ${countOf(tree.files.size, 'file')} in ${root} are parsed yet.`,
        });
        continue;
      }
    }
    whole.push(root);
    found.push({ file, root });
  }
  return found.map((database, at) =>
    at === 0 && incomplete.length > 0 && database.incomplete === undefined
      ? { ...database, incomplete: incomplete.join(' ') }
      : database,
  );
}

/** The trees that have a database. */
function indexedRoots(folder: string): string[] {
  const roots: string[] = [];
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const file = join(folder, name, 'symbols.db');
    if (!existsSync(file)) continue;
    try {
      const [row] = readSqlite(file, (rows) => rows('SELECT root FROM tree'));
      if (row !== undefined) roots.push(String(row.root));
    } catch {
      // Damaged; it is built again when somebody asks about its tree.
    }
  }
  return roots;
}
