import { type FileHandle, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, resolve, sep } from 'node:path';
import { fail, fromSystem, inputMessage, systemCode } from './errors.ts';
import { escapedName, pathOnDisk } from './file-name.ts';
import { isInside, mayBeInside } from './inside.ts';
import { nearestPath } from './nearest-name.ts';
import { NotOpened, openHandle } from './open-file.ts';

export { isInside } from './inside.ts';

/** The folders a caller may read, and the only way to turn a path from outside into one to open. */
export interface Roots {
  /** Real paths of the folders. */
  readonly folders: readonly string[];
  /** Whether a person asks, at the page or a terminal: what they brought here themselves is theirs to see. */
  readonly person: boolean;
  /** The real path behind `path`, or `path_not_allowed` / `not_found`. */
  resolve(path: string): Promise<string>;
  /**
   * Opens a plain file for reading and checks afterwards that the descriptor itself leads to a place under the
   * roots, so that a link swapped between check and open gains nothing.
   */
  open(path: string): Promise<FileHandle>;
}

/** Makes a path from a caller absolute without touching the disk. */
export function absolutePath(path: string, cwd: string | undefined): string {
  if (path.includes('\0')) fail('invalid_parameter', 'path must not contain a NUL character.');
  const expanded = path === '~' || path.startsWith(`~${sep}`) ? homedir() + path.slice(1) : path;
  if (isAbsolute(expanded)) return resolve(expanded);
  if (cwd === undefined)
    fail(
      'invalid_parameter',
      inputMessage`${{ input: 'path' }} must be absolute, because there is no current folder.`,
    );
  return resolve(cwd, expanded);
}

/** Roots over the given folders; ones that do not exist are left out. */
export async function createRoots(folders: readonly string[], cwd?: string, person = false): Promise<Roots> {
  const named = [...new Set(folders.map((folder) => resolve(folder)))];
  const found = await Promise.all(named.map(realOrNothing));
  const real = [...new Set(found.flat())];
  const inside = (path: string, list: readonly string[]) => list.some((folder) => isInside(path, folder));

  const resolvePath = async (path: string): Promise<string> => {
    const absolute = absolutePath(path, cwd);
    // Before any look at the disk, so that a path outside does not even tell whether it exists.
    if (![...named, ...real].some((folder) => mayBeInside(absolute, folder))) refuse(absolute, real);
    // Callers often name the folder itself, which was just looked up.
    const [known] = found[named.indexOf(absolute)] ?? [];
    if (known !== undefined) return known;
    const target = await realPath(absolute).catch((error: unknown) => failWithNearest(absolute, error));
    if (!inside(target, real)) refuse(absolute, real);
    return target;
  };

  /** Nothing is there: names what is, in the same folder, if a name is nearly the same. */
  const failWithNearest = async (path: string, error: unknown): Promise<never> => {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
    // Only in folders that may be read: what is outside is not named.
    const folder = async (one: string) => (inside(one, real) ? realPath(one) : refuse(one, real));
    const near = missing ? await nearestPath(path, folder) : undefined;
    if (near === undefined) return failMissing(path, error);
    return fail('not_found', `Nothing exists at '${path}'. Did you mean '${near}'?`);
  };

  return {
    folders: real,
    person,
    resolve: resolvePath,
    async open(path) {
      const target = await resolvePath(path);
      return openHandle(target, { within: real }).catch((error: unknown) => {
        if (!(error instanceof NotOpened)) failMissing(target, error);
        if (error.why === 'elsewhere') refuse(path, real);
        fail('invalid_parameter', `'${target}' is a pipe, a device or a socket; only plain files are read.`);
      });
    },
  };
}

async function realPath(path: string): Promise<string> {
  return escapedName(await realpath(pathOnDisk(path), 'buffer'));
}

async function realOrNothing(folder: string): Promise<string[]> {
  try {
    return [await realPath(folder)];
  } catch {
    return [];
  }
}

function refuse(path: string, roots: readonly string[]): never {
  fail(
    'path_not_allowed',
    `'${path}' is outside the folders that may be read here. To allow it, a person runs: pinhole allow PATH`,
    { details: { path, roots: roots.slice(0, 5) } },
  );
}

/** Throws the right error for a path that could not be looked at. */
export function failMissing(path: string, error: unknown): never {
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') fail('not_found', `Nothing exists at '${path}'.`);
  throw fromSystem(error) ?? error;
}
