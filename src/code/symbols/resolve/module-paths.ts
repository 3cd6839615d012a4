import { posix } from 'node:path';
import type { TreeFiles } from './question-files.ts';

const SCRIPT_ENDS = [
  '.ts',
  '.tsx',
  '.mts',
  '.cts',
  '.d.ts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.vue',
  '.svelte',
];
/** File endings that an include may leave out. */
const INCLUDED_ENDS = ['', '.rb', '.php', '.lua', '.zig', '.sh'];
/** Languages that name files. */
const INCLUDING: ReadonlySet<string> = new Set([
  'c',
  'cpp',
  'cuda',
  'objectivec',
  'bash',
  'php',
  'ruby',
  'zig',
  'lua',
]);
const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'javascript', 'vue', 'svelte']);

/** Finds the files of the tree that module paths of imports mean. */
export class ModulePaths {
  readonly #files: TreeFiles;
  readonly #known = new Map<string, readonly string[]>();
  #packages: ReadonlyMap<string, string> | undefined;
  #goFolders: ReadonlyMap<string, readonly string[]> | undefined;
  #byName: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(files: TreeFiles) {
    this.#files = files;
  }

  /** None if it is another package. */
  of(from: string, module: string, language: string): readonly string[] {
    const key = `${posix.dirname(from)}\0${language}\0${module}`;
    let found = this.#known.get(key);
    if (found === undefined) {
      found = this.#find(from, module, language);
      this.#known.set(key, found);
    }
    return found;
  }

  #find(from: string, module: string, language: string): readonly string[] {
    const files = this.#files;
    if (SCRIPTS.has(language)) return this.#script(from, module);
    if (language === 'python') return pythonPaths(from, module, files);
    if (INCLUDING.has(language)) return this.#included(from, module.replace(/^["'<]|["'>]$/g, ''));
    return language === 'go' ? this.#goPackage(module) : [];
  }

  #script(from: string, module: string): readonly string[] {
    const files = this.#files;
    if (module.startsWith('.')) return scriptAt(posix.join(posix.dirname(from), module), files);
    for (let folder = posix.dirname(from); ; folder = posix.dirname(folder)) {
      const config = posix.join(folder, 'tsconfig.json');
      const mapped = files.has(config) ? mappedPaths(folder, module, files.textNow(config)) : [];
      const found = mapped.map((base) => scriptAt(base, files)).find(({ length }) => length > 0);
      if (found !== undefined) return found;
      if (folder === '.' || folder === '/') break;
    }
    return this.#ownPackage(module);
  }

  /** A package of the tree, by the name in its package.json. */
  #ownPackage(module: string): readonly string[] {
    const files = this.#files;
    this.#packages ??= new Map(
      [...files.paths()]
        .filter((path) => /(^|\/)package\.json$/.test(path))
        .map((path) => [/"name"\s*:\s*"([^"]+)"/.exec(files.textNow(path))?.[1] ?? '', posix.dirname(path)]),
    );
    const [first = '', second = ''] = module.split('/');
    const name = first.startsWith('@') ? `${first}/${second}` : first;
    const folder = this.#packages.get(name);
    if (folder === undefined) return [];
    const rest = module.slice(name.length + 1);
    const bases = rest === '' ? ['src/index', 'index', 'src'] : [`src/${rest}`, rest];
    return (
      bases.map((base) => scriptAt(posix.join(folder, base), files)).find(({ length }) => length > 0) ?? []
    );
  }

  /** A path from the file's own folder, or any file of the tree that ends with it. */
  #included(from: string, included: string): readonly string[] {
    const beside = posix.join(posix.dirname(from), included);
    const direct = INCLUDED_ENDS.map((end) => beside + end).find((path) => this.#files.has(path));
    if (direct !== undefined) return [direct];
    this.#byName ??= grouped([...this.#files.paths()], posix.basename);
    const tail = posix.normalize(`/${included.replace(/^(?:\.\.?\/)+/, '')}`);
    return INCLUDED_ENDS.flatMap((end) =>
      (this.#byName?.get(posix.basename(tail) + end) ?? []).filter((path) => `/${path}`.endsWith(tail + end)),
    );
  }

  /** The files of the folder that an import path ends with, the longest end first. */
  #goPackage(module: string): readonly string[] {
    this.#goFolders ??= grouped(
      [...this.#files.paths()].filter((path) => path.endsWith('.go')),
      posix.dirname,
    );
    const parts = module.split('/');
    for (let skip = 0; skip < parts.length; skip++) {
      const found = this.#goFolders.get(parts.slice(skip).join('/'));
      if (found !== undefined) return found;
    }
    return [];
  }
}

/** `./pool` is a file with an ending or the index of a folder; `./pool.js` may be written in TypeScript. */
function scriptAt(base: string, files: TreeFiles): string[] {
  const bare = base.replace(/\.[cm]?jsx?$/, '');
  const tries = [
    base,
    ...SCRIPT_ENDS.map((end) => base + end),
    ...(bare === base ? [] : SCRIPT_ENDS.map((end) => bare + end)),
    ...SCRIPT_ENDS.map((end) => posix.join(base, `index${end}`)),
  ];
  const found = tries.find((path) => files.has(path));
  return found === undefined ? [] : [found];
}

/** `"paths": { "@/*": ["src/*"] }` with its `baseUrl`; comments and the like are skipped. */
function mappedPaths(folder: string, module: string, config: string): string[] {
  const base = posix.join(folder, /"baseUrl"\s*:\s*"([^"]*)"/.exec(config)?.[1] ?? '.');
  const paths = /"paths"\s*:\s*\{([^}]*)\}/.exec(config)?.[1] ?? '';
  const found: string[] = [];
  for (const [, pattern = '', targets = ''] of paths.matchAll(/"([^"]+)"\s*:\s*\[([^\]]*)\]/g)) {
    const [lead = '', tail] = pattern.split('*');
    if (tail === undefined ? module !== pattern : !module.startsWith(lead) || !module.endsWith(tail))
      continue;
    const middle = tail === undefined ? '' : module.slice(lead.length, module.length - tail.length);
    for (const [, target = ''] of targets.matchAll(/"([^"]+)"/g))
      found.push(
        posix.join(
          base,
          target.replace('*', () => middle),
        ),
      );
  }
  if (/"baseUrl"/.test(config)) found.push(posix.join(base, module));
  return found;
}

/** `a.b` is `a/b.py` or `a/b/__init__.py`, from the root, below `src`, or beside; leading dots go up. */
function pythonPaths(from: string, module: string, files: TreeFiles): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const rest = module.slice(dots).replaceAll('.', '/');
  let folder = posix.dirname(from);
  if (dots > 0) {
    for (let up = 1; up < dots; up++) folder = posix.dirname(folder);
    return pythonAt(posix.join(folder, rest), files);
  }
  for (let base = folder; ; base = posix.dirname(base)) {
    for (const start of [base, posix.join(base, 'src'), posix.join(base, 'lib')]) {
      const found = pythonAt(posix.join(start, rest), files);
      if (found.length > 0) return found;
    }
    if (base === '.' || base === '/') return [];
  }
}

function pythonAt(base: string, files: TreeFiles): string[] {
  return [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`].filter((path) => files.has(path)).slice(0, 1);
}

function grouped(
  paths: readonly string[],
  by: (path: string) => string,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const known = groups.get(by(path));
    if (known === undefined) groups.set(by(path), [path]);
    else known.push(path);
  }
  return groups;
}
