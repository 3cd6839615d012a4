import { type FolderChange, type FolderChanges, sumOfChanges } from '../reports/folder-changes.ts';
import type { DiskContext } from '../services.ts';
import { relativeTo } from './match-list.ts';
import type { QueryPart } from './query-parts.ts';

/**
 * What changed in all parts together, by folder: down to a level, or to the deepest one at which all folders that
 * changed fit into an answer.
 */
export async function growthRows(
  { disk, limit }: DiskContext,
  parts: readonly QueryPart[],
  since: number | undefined,
  depth: number | undefined,
): Promise<FolderChanges> {
  const reports: (FolderChanges & { readonly part: QueryPart })[] = [];
  for (const part of parts) {
    const { folders, ...report } = await disk.reports.changes(part.open, part.span, since);
    const relative = folders.map((one) => ({ ...one, path: relativeTo(part.path, one.path) }));
    reports.push({ ...report, part, folders: relative });
  }
  const at = (level: number) =>
    reports.flatMap(({ folders, part }) =>
      atDepth(folders, level).map((one) =>
        parts.length > 1 ? { ...one, path: fullPath(part, one.path) } : one,
      ),
    );
  const known = reports.flatMap((report) => report.since ?? []);
  return {
    since: known.length === 0 ? undefined : Math.min(...known),
    total: sumOfChanges(reports.map(({ total }) => total)),
    folders: fitting(at, depth, limit).sort((a, b) => Math.abs(b.grown) - Math.abs(a.grown)),
  };
}

/** Deeper folders are shown only when asked for. */
const MAX_LEVELS = 12;

function fitting(
  at: (level: number) => FolderChange[],
  depth: number | undefined,
  limit: number,
): FolderChange[] {
  if (depth !== undefined) return at(depth);
  let level = MAX_LEVELS;
  let folders = at(Number.POSITIVE_INFINITY);
  while (folders.length > limit && level > 0) folders = at(level--);
  return folders;
}

function fullPath({ path }: QueryPart, below: string): string {
  return below === '.' ? path : `${path === '/' ? '' : path}/${below}`;
}

/** Adds up folders by the first names of their paths. */
function atDepth(folders: readonly FolderChange[], depth: number): FolderChange[] {
  const groups = new Map<string, FolderChange>();
  for (const one of folders) {
    const names = one.path.split('/');
    const path = depth === 0 ? '.' : names.slice(0, depth).join('/');
    const known = groups.get(path);
    groups.set(path, {
      path,
      ...sumOfChanges(known === undefined ? [one] : [one, known]),
      state: known === undefined && names.length <= depth ? one.state : undefined,
    });
  }
  return [...groups.values()];
}
