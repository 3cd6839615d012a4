import { pathFilter } from '../exact/file-filter.ts';

/** A test for the paths of kept hits by filters that a later page adds; `path` may be absolute. */
export function narrowPaths(
  filters: Readonly<Record<string, unknown>>,
  root: string,
): (path: string) => boolean {
  const path = typeof filters.path === 'string' ? filters.path : '';
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path === root ? '' : path;
  const globs = Array.isArray(filters.glob) ? filters.glob.map(String) : [];
  const language = typeof filters.language === 'string' ? filters.language : undefined;
  return pathFilter({ below: below.replace(/^\.\/?|\/$/g, ''), globs, language });
}
