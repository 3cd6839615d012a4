import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A repository that this node has cloned. */
export interface Mirror {
  readonly project: string;
  readonly path: string;
}

const FOLDER = 'mirrors';
/** Clones in progress, or left unfinished. */
export const UNFINISHED = '.part';

export const mirrorPath = (home: string, project: string) => join(home, FOLDER, encodeURIComponent(project));

/** The mirrors in a data folder, by name. */
export function mirrorsIn(home: string): readonly Mirror[] {
  let names: readonly string[];
  try {
    names = readdirSync(join(home, FOLDER));
  } catch {
    return [];
  }
  return names
    .filter((name) => !name.endsWith(UNFINISHED))
    .sort()
    .map((name) => ({ project: decodeURIComponent(name), path: join(home, FOLDER, name) }));
}

/** The folders of mirrors that a caller may read: all, or those of the projects that its token names. */
export function visibleMirrors(home: string, sees: 'all' | readonly string[] | undefined): readonly string[] {
  return mirrorsIn(home)
    .filter(({ project }) => sees === undefined || sees === 'all' || sees.includes(project))
    .map(({ path }) => path);
}
