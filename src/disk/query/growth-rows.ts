import type { FolderChange, FolderChanges } from '../reports/folder-changes.ts';
import type { DiskContext } from '../services.ts';
import { relativeTo } from './match-list.ts';
import type { QueryPart } from './query-parts.ts';

/** What changed in all parts together, by folder or by the folders at a level. */
export async function growthRows(
  { disk }: DiskContext,
  parts: readonly QueryPart[],
  since: number | undefined,
  depth: number | undefined,
): Promise<FolderChanges> {
  const reports: FolderChanges[] = [];
  for (const part of parts) {
    const { folders, ...report } = await disk.reports.changes(part.open, part.span, since);
    const relative = folders.map((one) => ({ ...one, path: relativeTo(part.path, one.path) }));
    const shown = depth === undefined ? relative : atDepth(relative, depth);
    const prefix = part.path === '/' ? '/' : `${part.path}/`;
    const full = (path: string) => (parts.length > 1 ? (path === '.' ? part.path : prefix + path) : path);
    reports.push({ ...report, folders: shown.map((one) => ({ ...one, path: full(one.path) })) });
  }
  const known = reports.filter((report) => report.since !== undefined);
  const add = (of: 'grown' | 'files' | 'modified') => reports.reduce((sum, { total }) => sum + total[of], 0);
  return {
    since: known.length === 0 ? undefined : Math.min(...known.map(({ since: at = 0 }) => at)),
    total: { grown: add('grown'), files: add('files'), modified: add('modified') },
    folders: reports.flatMap(({ folders }) => folders).sort((a, b) => Math.abs(b.grown) - Math.abs(a.grown)),
  };
}

/** Adds up folders by the first names of their paths. */
function atDepth(folders: readonly FolderChange[], depth: number): FolderChange[] {
  const groups = new Map<string, FolderChange>();
  for (const one of folders) {
    const names = one.path.split('/');
    const path = depth === 0 ? '.' : names.slice(0, depth).join('/');
    const known = groups.get(path);
    const state = names.length <= depth ? one.state : undefined;
    groups.set(path, {
      path,
      grown: one.grown + (known?.grown ?? 0),
      files: one.files + (known?.files ?? 0),
      modified: one.modified + (known?.modified ?? 0),
      state: known === undefined ? state : undefined,
    });
  }
  return [...groups.values()];
}
