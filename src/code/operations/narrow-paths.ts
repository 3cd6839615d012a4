import { pathFilter } from '../exact/file-filter.ts';

/** Tests the paths of kept hits against filters that a later page adds; `path` may be absolute. */
export function narrowPaths(
  filters: Readonly<Record<string, unknown>>,
  root: string,
): (path: string) => boolean {
  const paths = [filters.path ?? ''].flat().map(String);
  const globs = Array.isArray(filters.glob) ? filters.glob.map(String) : [];
  const language = typeof filters.language === 'string' ? filters.language : undefined;
  const tests = paths.map((path) => pathFilter({ below: belowRoot(path, root), globs, language }));
  return (path) => tests.some((test) => test(path));
}

function belowRoot(path: string, root: string): string {
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path === root ? '' : path;
  return below.replace(/^\.\/?|\/$/g, '');
}
