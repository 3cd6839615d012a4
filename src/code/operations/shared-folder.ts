/** A folder is left out of paths only where that saves something. */
const MIN_PATHS = 3;
const MIN_FOLDER_LENGTH = 12;

/** The value without the folder that all of its paths share, and that folder; '' if leaving it out is not worth it. */
export function withoutFolder<T>(value: T): { readonly folder: string; readonly value: T } {
  const paths: string[] = [];
  eachPath(value, (path) => {
    paths.push(path);
    return path;
  });
  const folder = sharedFolder(paths);
  if (paths.length < MIN_PATHS || folder.length < MIN_FOLDER_LENGTH) return { folder: '', value };
  return { folder, value: eachPath(value, (path) => path.slice(folder.length)) };
}

/** The beginning that all paths share, up to a slash. */
function sharedFolder([first = '', ...others]: readonly string[]): string {
  let shared = first.lastIndexOf('/') + 1;
  for (const path of others) {
    while (shared > 0 && !path.startsWith(first.slice(0, shared)))
      shared = shared > 1 ? first.lastIndexOf('/', shared - 2) + 1 : 0;
  }
  return first.slice(0, shared);
}

/** A copy in which every text in a field named `path` is changed. */
function eachPath<T>(value: T, change: (path: string) => string): T;
function eachPath(value: unknown, change: (path: string) => string): unknown {
  if (Array.isArray(value)) return value.map((each) => eachPath(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'path' && typeof each === 'string' ? change(each) : eachPath(each, change),
    ]),
  );
}
