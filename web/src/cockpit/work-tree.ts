import { type TreeColumns, withChildren } from '../disk/treemap/columns.ts';

/** A file that agents work on. */
export interface WorkFile {
  readonly path: string;
  /** How much work was done on it. */
  readonly weight: number;
}

/** The files as a tree of folders for the map; `files[at]` is the file of a node, undefined for a folder. */
export interface WorkTree {
  readonly columns: TreeColumns;
  readonly files: readonly (string | undefined)[];
}

interface Folder {
  readonly name: string;
  readonly folders: Map<string, Folder>;
  readonly files: { readonly name: string; readonly file: WorkFile }[];
}

const folder = (name: string): Folder => ({ name, folders: new Map(), files: [] });

/** A folder with only one folder in it is joined with it: the map shows `src/tiles`, not a box in a box. */
export function workTree(files: readonly WorkFile[]): WorkTree {
  const top = folder('');
  for (const file of files) {
    const parts = file.path.split('/').filter((part) => part !== '');
    let at = top;
    for (const part of parts.slice(0, -1)) {
      const next = at.folders.get(part) ?? folder(part);
      at.folders.set(part, next);
      at = next;
    }
    at.files.push({ name: parts.at(-1) ?? file.path, file });
  }
  const names: string[] = [];
  const parents: number[] = [];
  const sizes: number[] = [];
  const kinds: number[] = [];
  const paths: (string | undefined)[] = [];
  const put = (name: string, parent: number, size: number, kind: number, path: string | undefined) => {
    names.push(name);
    parents.push(parent);
    sizes.push(size);
    kinds.push(kind);
    paths.push(path);
  };
  const root = joined(top);
  put(root.name, 0, weightOf(root), -1, undefined);
  const queue = [{ at: 0, box: root }];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { at, box } = next;
    const children = [
      ...[...box.folders.values()]
        .map(joined)
        .map((child) => ({ child, name: child.name, size: weightOf(child) })),
      ...box.files.map(({ name, file }) => ({ child: file, name, size: file.weight })),
    ].sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
    for (const { child, name, size } of children) {
      if ('path' in child) put(name, at, size, 0, child.path);
      else {
        queue.push({ at: names.length, box: child });
        put(name, at, size, -1, undefined);
      }
    }
  }
  return {
    files: paths,
    columns: withChildren({
      count: names.length,
      parents: Int32Array.from(parents),
      sizes: Float64Array.from(sizes),
      kinds: Int16Array.from(kinds),
      times: new Float64Array(names.length),
      name: (at) => names[at] ?? '',
    }),
  };
}

function joined(box: Folder): Folder {
  const [only] = box.folders.values();
  if (only === undefined || box.folders.size > 1 || box.files.length > 0) return box;
  const below = joined(only);
  return { ...below, name: box.name === '' ? below.name : `${box.name}/${below.name}` };
}

function weightOf(box: Folder): number {
  const own = box.files.reduce((sum, { file }) => sum + file.weight, 0);
  return [...box.folders.values()].reduce((sum, child) => sum + weightOf(child), own);
}
