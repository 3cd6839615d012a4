import { sep } from 'node:path';

/** True when `path` is `folder` or is below it; both absolute and normalised. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
