import { readdir, stat } from 'node:fs/promises';
import type { LogFolder } from '../providers/log-files.ts';
import type { Unreadable } from '../providers/provider.ts';

/** How long a folder may take to list its contents. */
const MAX_WAIT_MS = 5_000;

export interface Patience {
  /** Lists a folder; may take any amount of time. */
  readonly look: (path: string) => Promise<unknown>;
  readonly maxWaitMs: number;
}

/** A look that hangs keeps one of the few threads for files, so there is no second one until it has come back. */
function once(look: Patience['look']): Patience['look'] {
  const begun = new Map<string, Promise<unknown>>();
  return (path) => {
    const looking = begun.get(path) ?? look(path).finally(() => begun.delete(path));
    begun.set(path, looking);
    return looking;
  };
}

const USUAL: Patience = { look: once((path) => readdir(path)), maxWaitMs: MAX_WAIT_MS };
/** Only asks whether the folder is there; a drive that hangs does not answer that either. */
export const BRIEF: Patience = { look: once((path) => stat(path)), maxWaitMs: MAX_WAIT_MS };

/**
 * The folders that answer. One on a drive that hangs would block the thread that reads it, and so all other logs: it is
 * left out this time and reported.
 */
export async function answeringFolders(
  folders: readonly LogFolder[],
  unreadable: Unreadable,
  { look, maxWaitMs }: Patience = USUAL,
): Promise<readonly LogFolder[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), maxWaitMs);
  });
  const answered = await Promise.all(
    folders.map((folder) =>
      // A folder that is missing or unreadable answers too.
      Promise.race([
        look(folder.path).then(
          () => 'answered',
          () => 'answered',
        ),
        late,
      ]),
    ),
  );
  clearTimeout(timer);
  const silent = folders.filter((_, index) => answered[index] === 'late');
  for (const { path } of silent)
    unreadable(
      path,
      new Error(
        `the folder did not respond within ${maxWaitMs / 1000} s; check its drive. Pinhole tries again later`,
      ),
    );
  return folders.filter((folder) => !silent.includes(folder));
}
