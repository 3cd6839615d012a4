import { pathFilter } from '../exact/file-filter.ts';

/** Whether a path of a kept search passes filters that came later; `path` may be absolute or from the root. */
export function narrowed(
  filters: Readonly<Record<string, unknown>>,
  root: string,
): (path: string) => boolean {
  const path = typeof filters.path === 'string' ? filters.path : '';
  const below = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path === root ? '' : path;
  const globs = Array.isArray(filters.glob) ? filters.glob.map(String) : [];
  const language = typeof filters.language === 'string' ? filters.language : undefined;
  return pathFilter({ below: below.replace(/^\.\/?|\/$/g, ''), globs, language });
}
