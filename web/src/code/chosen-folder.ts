const KEY = 'pinhole.code-folder';

/** The folder that is searched when the address names none: that of the file, the last one used, an indexed one. */
export function chosenFolder(
  folders: readonly string[],
  indexed: readonly string[],
  file: string | undefined,
): string | undefined {
  const around = folders
    .filter((folder) => file?.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length);
  const used = lastUsed();
  return (
    around[0] ??
    folders.find((folder) => folder === used) ??
    indexed.find((folder) => folders.includes(folder)) ??
    folders[0]
  );
}

/** Remembers the folder for the next time. */
export function rememberFolder(folder: string): void {
  try {
    localStorage.setItem(KEY, folder);
  } catch {
    // Storage is closed to us: the next time begins with another folder.
  }
}

function lastUsed(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
