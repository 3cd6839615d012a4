import { posix } from 'node:path';
import type { TreeFiles } from './question-files.ts';
import { ScriptModules } from './script-modules.ts';

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
  readonly #scripts: ScriptModules;
  #goFolders: ReadonlyMap<string, readonly string[]> | undefined;
  #byName: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(files: TreeFiles) {
    this.#files = files;
    this.#scripts = new ScriptModules(files);
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
    if (SCRIPTS.has(language)) return this.#scripts.of(from, module);
    if (language === 'python') return pythonPaths(from, module, files);
    if (INCLUDING.has(language)) return this.#included(from, module.replace(/^["'<]|["'>]$/g, ''));
    return language === 'go' ? this.#goPackage(module) : [];
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
