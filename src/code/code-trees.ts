import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { pathOnDisk } from '../contract/file-name.ts';
import { Lru } from '../contract/lru.ts';
import { isInside } from '../contract/roots.ts';
import { MAX_PENDING_BYTES } from './exact/search-setup.ts';
import type { VerifyPool } from './exact/verify-pool.ts';
import type { SourceTree } from './files/source-tree.ts';
import { isWorktreeBelow } from './files/walk-tree.ts';
import { openTree } from './files/watched-tree.ts';
import { IndexedTree, type OnPending, rootId } from './indexed-tree.ts';
import { MANIFEST, pendingBytesIn } from './trigram/trigram-manifest.ts';

/** What to search: a source tree or a part of it. */
export interface SearchScope {
  readonly tree: SourceTree;
  /** The folder or file to search, relative to the tree's root; '' for the whole tree. */
  readonly below: string;
}

export interface CodeTreesOptions {
  /** Where the indexes of all trees are. */
  readonly folder: string;
  readonly pool: VerifyPool;
  /** Watch trees that were searched; without it every search checks every file's time. */
  readonly watch: boolean;
  readonly onPending: OnPending;
  /** Called when a tree is closed to make room for others. */
  readonly onClose: (root: string) => void;
}

/** Trees that stay open; the least recently used one is closed first. */
const MAX_OPEN_TREES = 12;

/** The open source trees. */
export class CodeTrees {
  readonly #options: CodeTreesOptions;
  readonly #open: Lru<string, IndexedTree>;

  constructor(options: CodeTreesOptions) {
    this.#options = options;
    this.#open = new Lru<string, IndexedTree>({
      most: MAX_OPEN_TREES,
      dropped(tree, root) {
        void tree.close();
        options.onClose(root);
      },
    });
  }

  /** The tree of a root. */
  at(root: string): IndexedTree {
    const known = this.#open.get(root);
    if (known !== undefined) return known;
    const { folder, pool, watch, onPending } = this.#options;
    const tree = new IndexedTree(openTree(root, { watch }), folder, pool, onPending);
    this.#open.set(root, tree);
    return tree;
  }

  /**
   * The tree to search for a real path. A tree that is already known serves its subfolders too, for callers who may
   * read all of it.
   */
  async scopeOf(path: string, allowed: readonly string[]): Promise<SearchScope> {
    const root = this.#known(path, allowed) ?? rootFor(path, allowed);
    const { tree } = this.at(root);
    const below = relative(root, path).replaceAll(sep, '/');
    if (below === '' || (await isListed(tree, below))) return { tree, below };
    // An ignore rule hides it, but the caller named it: it gets its own tree.
    const own = folderOf(path);
    return { tree: this.at(own).tree, below: relative(own, path) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((tree) => tree.close()));
  }

  /**
   * The nearest tree around a path that is open or indexed, among the folders that the caller may read. A repository
   * does not wait for a folder around it that is still being read; a linked worktree does not belong to the tree of its
   * repository, in which ranked searches leave it out.
   */
  #known(path: string, allowed: readonly string[]): string | undefined {
    const around = ancestors(folderOf(path), allowed);
    const own = around.findIndex(isRepository);
    const repository = around[own];
    const serves = (root: string, at: number): boolean =>
      repository === undefined || at <= own || (this.#isRead(root) && !isWorktreeBelow(repository, root));
    return around.find((root, at) => this.#isKnown(root) && serves(root, at));
  }

  #isKnown(root: string): boolean {
    return this.#open.peek(root) !== undefined || existsSync(join(this.#stored(root), MANIFEST));
  }

  /** Whether nearly all files of a tree are indexed; for a tree that is not open, when it was last written. */
  #isRead(root: string): boolean {
    const pending = this.#open.peek(root)?.index?.state.pendingBytes ?? pendingBytesIn(this.#stored(root));
    return pending !== undefined && pending <= MAX_PENDING_BYTES;
  }

  #stored(root: string): string {
    return join(this.#options.folder, rootId(root), 'trigram');
  }
}

/** Whether the tree has the file or folder, because no ignore rule hides it. */
async function isListed(tree: SourceTree, below: string): Promise<boolean> {
  const has = () => tree.files.has(below) || tree.folders.has(below);
  if (has()) return true;
  await tree.refresh();
  return has();
}

/**
 * The nearest repository around a path that the caller may read; otherwise the caller's folder around it, or its own
 * folder.
 */
function rootFor(path: string, allowed: readonly string[]): string {
  const folder = folderOf(path);
  const home = homedir();
  const repository = ancestors(folder, allowed).find(isRepository);
  if (repository !== undefined) return repository;
  const readable = allowed.filter((root) => isInside(folder, root) && !isInside(home, root));
  return readable.sort((a, b) => b.length - a.length)[0] ?? folder;
}

function isRepository(folder: string): boolean {
  return existsSync(pathOnDisk(join(folder, '.git')));
}

/** A folder and the folders above it that may be read, nearest first. */
function ancestors(folder: string, allowed: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = folder; allowed.some((root) => isInside(at, root)); at = dirname(at)) {
    found.push(at);
    if (at === dirname(at)) break;
  }
  return found;
}

function folderOf(path: string): string {
  return statSync(pathOnDisk(path)).isDirectory() ? path : dirname(path);
}
