import { sep } from 'node:path';

/** True when `path` is `folder` or is below it; both absolute and normalised, with the separators of one system. */
export function isInside(path: string, folder: string, separator: string = sep): boolean {
  return path === folder || path.startsWith(folder.endsWith(separator) ? folder : folder + separator);
}

/** Systems on which a folder usually has one name in any case. */
const ANY_CASE: readonly NodeJS.Platform[] = ['darwin', 'win32'];

/**
 * The same for a path as somebody wrote it, before the disk says how it is spelled: on systems that do not tell
 * upper case from lower case, either is taken. What it allows has to be checked again with the real path.
 */
export function mayBeInside(
  path: string,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const separator = platform === 'win32' ? '\\' : '/';
  if (!ANY_CASE.includes(platform)) return isInside(path, folder, separator);
  return isInside(path.toLowerCase(), folder.toLowerCase(), separator);
}

/**
 * The rest of a path below a folder, both as any system writes them; undefined outside.
 *
 * @example restBelow('C:\\app\\src\\a.ts', 'C:\\app') // 'src\\a.ts'
 */
export function restBelow(path: string, folder: string): string | undefined {
  const end = path[folder.length];
  return path.startsWith(folder) && (end === '/' || end === '\\') ? path.slice(folder.length + 1) : undefined;
}
