import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { countOf, countText } from '../../contract/format.ts';
import { isInside } from '../../contract/roots.ts';
import type { SqlDatabase } from '../../store/sql-table.ts';
import { readSqlite } from '../../store/sqlite.ts';
import type { SourceTree } from '../files/source-tree.ts';
import { rootId } from '../indexed-tree.ts';
import { beforeLong } from './before-long.ts';
import type { SymbolIndex } from './symbol-index.ts';

/** A tree that nobody indexed is parsed for a query if it has at most this many files. */
const SMALL_TREE_FILES = 3_000;
/** A partly indexed folder that contains other indexed trees is left to them if it lacks more files than this. */
const FEW_PENDING_FILES = 500;
/** How long a query waits for all trees together. */
const WAIT_MS = 8_000;
/** Each tree gets at least this much, even after that. */
const MIN_WAIT_MS = 500;

interface DatabasesOptions {
  readonly home: string;
  readonly roots: readonly string[];
  /** Folders that the query names: their trees come first. */
  readonly named: readonly string[];
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
  const { home, roots, named, signal, treeAt, indexOf, goOn } = options;
  const indexed = indexedRoots(join(home, 'code')).filter((root) =>
    roots.some((folder) => isInside(root, folder)),
  );
  // A home folder is not a source tree, and reading all of it takes a long time.
  const fresh = roots.filter(
    (root) => !indexed.some((known) => isInside(root, known)) && !isInside(homedir(), root),
  );
  const end = performance.now() + WAIT_MS;
  const timeLeft = () => Math.max(MIN_WAIT_MS, end - performance.now());
  let found: SqlDatabase[] = [];
  /** Trees that are completely parsed: a tree inside one of them would have the same rows again. */
  const whole: string[] = [];
  for (const root of inOrder([...indexed, ...fresh], named)) {
    if (!existsSync(root) || whole.some((outer) => isInside(root, outer))) continue;
    const tree = treeAt(root);
    const freshness = await beforeLong(tree.refresh(signal), timeLeft());
    if (freshness === undefined) {
      found.push({ root, incomplete: `The files of ${root} are not listed yet, so few or none are here.` });
      continue;
    }
    const wanted = named.filter((folder) => isInside(folder, root));
    if (!indexed.includes(root) && wanted.length === 0 && tree.files.size > SMALL_TREE_FILES) {
      found.push({
        root,
        incomplete: `${root} has no rows: its ${countText(tree.files.size)} files are not indexed. Name a folder in it, or call index with what=code.`,
      });
      continue;
    }
    const index = await indexOf(tree);
    const file = symbolFile(home, root);
    const hasInner = indexed.some((other) => other !== root && isInside(other, root));
    if (hasInner && index.countPending() > FEW_PENDING_FILES) {
      const incomplete = `Files in ${root} are here only if they are in a tree of their own.`;
      found.push({ root, incomplete });
      continue;
    }
    if (!index.upToDate(freshness.generation)) {
      const isWanted = (path: string) => wanted.some((folder) => isInside(join(root, path), folder));
      const lacking = await index.ensure(index.pending(isWanted), timeLeft(), signal);
      // The rest of a large tree takes too long to wait for.
      const isLarge = wanted.length > 0 && index.countPending() > SMALL_TREE_FILES;
      const left = isLarge ? index.countPending() : await index.ensure(index.pending(), timeLeft(), signal);
      if (left > 0) {
        goOn(index, tree);
        const parsed = countText(tree.files.size - left);
        const hasWanted = wanted.length > 0 && lacking === 0;
        const among = hasWanted ? `, among them all in ${wanted.join(', ')}` : '';
        found.push({
          file,
          root,
          incomplete: `Only ${parsed} of ${countOf(tree.files.size, 'file')} in ${root} are parsed yet${among}.`,
        });
        continue;
      }
    }
    whole.push(root);
    found = [...found.filter((inner) => !isInside(inner.root ?? '', root)), { file, root }];
  }
  return found;
}

/** The innermost trees around the folders that a query names, and those in them, first; outer trees before inner ones. */
function inOrder(roots: readonly string[], named: readonly string[]): readonly string[] {
  const outerFirst = [...roots].sort((a, b) => a.length - b.length);
  const meant = new Set(
    named.flatMap((folder) => [
      ...outerFirst.filter((root) => isInside(folder, root)).slice(-1),
      ...outerFirst.filter((root) => isInside(root, folder)),
    ]),
  );
  return [...outerFirst.filter((root) => meant.has(root)), ...outerFirst.filter((root) => !meant.has(root))];
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
