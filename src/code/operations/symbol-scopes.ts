import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import type { CallContext } from '../../contract/operation.ts';
import { isInside } from '../../contract/roots.ts';
import type { SearchScope } from '../code-trees.ts';
import type { CodeServices } from '../services.ts';

interface SymbolInput {
  readonly name: string;
  readonly path?: string | undefined;
}

const MAX_TREES = 8;

/** The trees to ask, one after the other: the named one, or the current one and then those of the caller's other folders. */
export async function scopesOf(
  { path }: Pick<SymbolInput, 'path'>,
  { code, roots, caller }: CallContext & CodeServices,
): Promise<readonly SearchScope[]> {
  const scopeOf = async (at: string) => code.trees.scopeOf(await roots.resolve(at), roots.folders);
  if (path !== undefined) return [await scopeOf(path)];
  const scopes: SearchScope[] = [];
  const { cwd, roots: brought } = caller;
  // A folder around the current one, or around the home folder, is no source tree: a person may read everything.
  const others = brought.filter(
    (root) => !isInside(homedir(), root) && (cwd === undefined || !isInside(cwd, root)),
  );
  const places = cwd === undefined ? others : [cwd, ...others];
  for (const place of places.slice(0, MAX_TREES)) {
    const scope = await scopeOf(place).catch(() => undefined);
    if (scope !== undefined && !scopes.some(({ tree }) => tree.root === scope.tree.root)) scopes.push(scope);
  }
  return scopes.length > 0 ? scopes : [await scopeOf('.')];
}

/** Which files of a tree may be in the answer. */
export function pathAcceptor(
  { below }: SearchScope,
  { path }: Pick<SymbolInput, 'path'>,
): (path: string) => boolean {
  if (path === undefined || below === '') return () => true;
  return (each) => each === below || each.startsWith(`${below}/`);
}

/** The file and the line of `path:line`; undefined if the name is not such a place. */
export async function placeIn(
  { name, path }: SymbolInput,
  { tree, below }: SearchScope,
  { roots }: Pick<CallContext, 'roots'>,
): Promise<{ readonly path: string; readonly line: number } | undefined> {
  const match = /^(.+?):(\d+)(?:[-:]\d+)?$/.exec(name.trim());
  const [, file, line] = match ?? [];
  if (file === undefined) return undefined;
  const bases = ['', tree.root, join(tree.root, below), ...(path === undefined ? [] : [path])];
  for (const base of bases) {
    const real = await roots.resolve(base === '' ? file : join(base, file)).catch(() => undefined);
    if (real !== undefined && isInside(real, tree.root))
      return { path: relative(tree.root, real).replaceAll('\\', '/'), line: Number(line) };
  }
  return undefined;
}
