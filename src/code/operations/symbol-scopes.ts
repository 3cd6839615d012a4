import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import type { CallContext } from '../../contract/operation.ts';
import { isInside } from '../../contract/roots.ts';
import type { SearchScope } from '../code-trees.ts';
import type { CodeServices } from '../services.ts';

interface SymbolInput {
  readonly name: string;
  readonly path?: string | readonly string[] | undefined;
}

/** A tree and the folders or files in it to search, relative to its root; '' is all of it. */
export interface SymbolScope {
  readonly tree: SearchScope['tree'];
  readonly belows: readonly string[];
}

const MAX_TREES = 8;

/**
 * The trees to search, one after the other: the named one, or the current one and then those of the caller's other
 * folders. Without a path, a repository in a larger tree is searched alone.
 */
export async function scopesOf(
  { path }: Pick<SymbolInput, 'path'>,
  { code, roots, caller }: CallContext & CodeServices,
): Promise<readonly SymbolScope[]> {
  const scopeOf = async (at: string): Promise<SymbolScope> => {
    const { tree, below } = await code.trees.scopeOf(await roots.resolve(at), roots.folders);
    return { tree, belows: [below] };
  };
  if (path !== undefined) return byTree(await Promise.all([path].flat().map(scopeOf)));
  const scopes: SymbolScope[] = [];
  const { cwd, roots: brought } = caller;
  // A folder around the current one, or around the home folder, is not a source tree: a person may read everything.
  const others = brought.filter(
    (root) => !isInside(homedir(), root) && (cwd === undefined || !isInside(cwd, root)),
  );
  const places = cwd === undefined ? others : [cwd, ...others];
  for (const place of places.slice(0, MAX_TREES)) {
    const found = await scopeOf(place).catch(() => undefined);
    const scope = found && { ...found, belows: [repositoryIn(found.tree.root, place)] };
    if (scope !== undefined && !scopes.some(({ tree }) => tree.root === scope.tree.root)) scopes.push(scope);
  }
  return scopes.length > 0 ? scopes : [await scopeOf('.')];
}

/** The repository around a place, relative to the tree; '' if that is the tree, or the tree is around no other. */
function repositoryIn(root: string, place: string): string {
  for (let folder = place; isInside(folder, root) && folder !== root; folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return relative(root, folder).replaceAll(sep, '/');
  return '';
}

/** Places in one tree are searched together. */
function byTree(scopes: readonly SymbolScope[]): readonly SymbolScope[] {
  const trees = new Map<SymbolScope['tree'], string[]>();
  for (const { tree, belows } of scopes) trees.set(tree, [...(trees.get(tree) ?? []), ...belows]);
  return [...trees].map(([tree, belows]) => ({ tree, belows }));
}

/** Which files of a tree may be in the answer. */
export function pathAcceptor({ belows }: Pick<SymbolScope, 'belows'>): (path: string) => boolean {
  if (belows.includes('')) return () => true;
  return (each) => belows.some((below) => each === below || each.startsWith(`${below}/`));
}

/** A line of a file, or several. */
export interface LinePlace {
  readonly path: string;
  readonly line: number;
  /** The last of several. */
  readonly to?: number | undefined;
}

/** A place whose file is not there, or is one of several. */
export interface NoFile {
  readonly file: string;
  /** Files with this name elsewhere in the tree. */
  readonly files: readonly string[];
}

/**
 * The file and the lines of `path:line` or `path:first-last`; undefined if the name is not such a place. The end of a
 * path is enough if only one file has it.
 */
export async function placeIn(
  { name, path }: SymbolInput,
  { tree, belows }: SymbolScope,
  { roots, signal }: Pick<CallContext, 'roots' | 'signal'>,
): Promise<LinePlace | NoFile | undefined> {
  const match = /^(.+?):(\d+)(?:-(\d+)|:\d+)?$/.exec(name.trim());
  const [, file, line, to] = match ?? [];
  if (file === undefined) return undefined;
  const inTree = belows.map((below) => join(tree.root, below));
  const lines = { line: Number(line), ...(to === undefined ? {} : { to: Number(to) }) };
  const bases = ['', tree.root, ...inTree, ...(path === undefined ? [] : [path].flat())];
  for (const base of bases) {
    const real = await roots.resolve(base === '' ? file : join(base, file)).catch(() => undefined);
    if (real !== undefined && isInside(real, tree.root))
      return { path: relative(tree.root, real).replaceAll(sep, '/'), ...lines };
  }
  if (!/\.\w+$/.test(file)) return undefined;
  await tree.refresh(signal);
  const accept = pathAcceptor({ belows });
  const files = [...tree.files.keys()].filter((each) => each.endsWith(`/${file}`) && accept(each));
  const [only] = files;
  return only !== undefined && files.length === 1 ? { path: only, ...lines } : { file, files };
}
