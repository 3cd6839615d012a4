const KEY = 'pinhole.code-folder';

/** The folder to search when the address names none: the file's, the last one used, or an indexed one. */
export function chosenFolder(
  folders: readonly string[],
  indexed: readonly string[],
  file: string | undefined,
): string | undefined {
  const containing = folders
    .filter((folder) => file?.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length);
  const last = lastUsed();
  return (
    containing[0] ??
    folders.find((folder) => folder === last) ??
    indexed.find((folder) => folders.includes(folder)) ??
    folders[0]
  );
}

/** Remembers the folder for the next visit. */
export function rememberFolder(folder: string): void {
  try {
    localStorage.setItem(KEY, folder);
  } catch {
    // No access to storage: the next visit may start with another folder.
  }
}

function lastUsed(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
