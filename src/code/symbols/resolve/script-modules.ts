import { posix } from 'node:path';
import { blankComments } from './blank-comments.ts';
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
const SETTINGS = ['tsconfig.json', 'jsconfig.json'];
/** How many files of settings are followed through `extends` and `references`. */
const MAX_SETTINGS = 20;
/** Folders that a build writes what is in `src` to. */
const BUILT = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)(?=\/)/;

/** Which places a module path such as `@/*` stands for. */
interface PathRule {
  readonly lead: string;
  /** What follows the `*`; undefined if there is none. */
  readonly tail: string | undefined;
  /** Paths from the root of the tree. */
  readonly targets: readonly string[];
}

interface PathSettings {
  readonly rules: readonly PathRule[];
  /** The folder that bare module paths begin at. */
  readonly base: string | undefined;
}

/** Finds the files that imports of TypeScript and JavaScript mean. */
export class ScriptModules {
  readonly #files: TreeFiles;
  readonly #settings = new Map<string, PathSettings>();
  readonly #manifests = new Map<string, unknown>();
  #packages: ReadonlyMap<string, string> | undefined;

  constructor(files: TreeFiles) {
    this.#files = files;
  }

  /** None if it is a package outside the tree. */
  of(from: string, module: string): readonly string[] {
    if (module.startsWith('.')) return this.#at(posix.join(posix.dirname(from), module));
    for (let folder = posix.dirname(from); ; folder = posix.dirname(folder)) {
      const found = this.#firstOf(this.#mapped(folder, module));
      if (found.length > 0) return found;
      if (folder === '.' || folder === '/') break;
    }
    return this.#ownPackage(module);
  }

  /** What the settings in a folder make of a module path. */
  #mapped(folder: string, module: string): readonly string[] {
    const found: string[] = [];
    for (const name of SETTINGS) {
      const path = posix.join(folder, name);
      if (!this.#files.has(path)) continue;
      const { rules, base } = this.#settingsAt(path);
      found.push(...mappedBy(rules, module));
      if (base !== undefined) found.push(posix.join(base, module));
    }
    const manifest = module.startsWith('#') ? this.#manifest(posix.join(folder, 'package.json')) : undefined;
    return manifest === undefined ? found : [...found, ...subpaths(manifest, 'imports', module, folder)];
  }

  /** A package of the tree, by the name in its package.json. */
  #ownPackage(module: string): readonly string[] {
    const name = packageName(module);
    const folder = this.#packageFolders().get(name);
    if (folder === undefined) return [];
    const rest = module.slice(name.length + 1);
    const usual = rest === '' ? ['src/index', 'index', 'src'] : [`src/${rest}`, rest];
    const found = this.#firstOf(usual.map((base) => posix.join(folder, base)));
    if (found.length > 0) return found;
    const manifest = this.#manifest(posix.join(folder, 'package.json'));
    return this.#firstOf(subpaths(manifest, 'exports', rest === '' ? '.' : `./${rest}`, folder));
  }

  #firstOf(bases: readonly string[]): readonly string[] {
    return bases.map((base) => this.#at(base)).find(({ length }) => length > 0) ?? [];
  }

  /** `./pool` is a file with an ending or the index of a folder; `./pool.js` may be written in TypeScript. */
  #at(base: string): readonly string[] {
    const bare = base.replace(/\.[cm]?jsx?$/, '');
    const tries = [
      base,
      ...SCRIPT_ENDS.map((end) => base + end),
      ...(bare === base ? [] : SCRIPT_ENDS.map((end) => bare + end)),
      ...SCRIPT_ENDS.map((end) => posix.join(base, `index${end}`)),
    ];
    const found = tries.find((path) => this.#files.has(path));
    return found === undefined ? [] : [found];
  }

  #settingsAt(path: string): PathSettings {
    let known = this.#settings.get(path);
    if (known === undefined) {
      known = this.#readSettings(path);
      this.#settings.set(path, known);
    }
    return known;
  }

  /** The nearest `paths` and `baseUrl`: of the file itself, of what it extends, or of projects that it refers to. */
  #readSettings(first: string): PathSettings {
    let base: string | undefined;
    let paths: { readonly written: string; readonly folder: string } | undefined;
    const open = [first];
    const seen = new Set<string>();
    for (let path = open.shift(); path !== undefined; path = open.shift()) {
      if (seen.has(path) || seen.size >= MAX_SETTINGS) continue;
      seen.add(path);
      const folder = posix.dirname(path);
      const text = blankComments(this.#files.textNow(path));
      const own = /"baseUrl"\s*:\s*"([^"]*)"/.exec(text)?.[1];
      if (own !== undefined) base ??= posix.join(folder, own);
      const written = /"paths"\s*:\s*\{([^}]*)\}/.exec(text)?.[1];
      if (written !== undefined) paths ??= { written, folder };
      const list = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(text)?.[1] ?? '';
      const bases = [...list.matchAll(/"([^"]+)"/g)].map(([, name = '']) => this.#extended(folder, name));
      open.unshift(...bases.reverse().filter((each) => each !== undefined));
      const references = /"references"\s*:\s*\[([^\]]*)\]/.exec(text)?.[1] ?? '';
      for (const [, name = ''] of references.matchAll(/"path"\s*:\s*"([^"]+)"/g)) {
        const at = posix.join(folder, name);
        open.push(at.endsWith('.json') ? at : posix.join(at, 'tsconfig.json'));
      }
    }
    return { rules: paths === undefined ? [] : rulesIn(paths.written, base ?? paths.folder), base };
  }

  /** The file that `extends` names: a path, or a file of a package in the tree. */
  #extended(folder: string, name: string): string | undefined {
    const at = /^\.{1,2}(?:\/|$)/.test(name) ? posix.join(folder, name) : this.#inPackage(name);
    if (at === undefined) return undefined;
    return [at, `${at}.json`, posix.join(at, 'tsconfig.json')].find((path) => this.#files.has(path));
  }

  #inPackage(path: string): string | undefined {
    const name = packageName(path);
    const folder = this.#packageFolders().get(name);
    return folder === undefined ? undefined : posix.join(folder, path.slice(name.length));
  }

  #packageFolders(): ReadonlyMap<string, string> {
    const files = this.#files;
    this.#packages ??= new Map(
      [...files.paths()]
        .filter((path) => /(^|\/)package\.json$/.test(path))
        .map((path) => [/"name"\s*:\s*"([^"]+)"/.exec(files.textNow(path))?.[1] ?? '', posix.dirname(path)]),
    );
    return this.#packages;
  }

  #manifest(path: string): unknown {
    if (!this.#files.has(path)) return undefined;
    if (!this.#manifests.has(path)) this.#manifests.set(path, parsed(this.#files.textNow(path)));
    return this.#manifests.get(path);
  }
}

/** `@team/pool` of `@team/pool/parts`. */
function packageName(module: string): string {
  return module
    .split('/')
    .slice(0, module.startsWith('@') ? 2 : 1)
    .join('/');
}

function rulesIn(paths: string, base: string): readonly PathRule[] {
  return [...paths.matchAll(/"([^"]+)"\s*:\s*\[([^\]]*)\]/g)].map(([, pattern = '', list = '']) => {
    const [lead = '', tail] = pattern.split('*');
    const targets = [...list.matchAll(/"([^"]+)"/g)].map(([, target = '']) => posix.join(base, target));
    return { lead, tail, targets };
  });
}

/** The targets of the rules that a module path matches, the longest rule first. */
function mappedBy(rules: readonly PathRule[], module: string): readonly string[] {
  return rules
    .filter(({ lead, tail }) =>
      tail === undefined
        ? module === lead
        : module.length >= lead.length + tail.length && module.startsWith(lead) && module.endsWith(tail),
    )
    .toSorted(
      (a, b) => Number(a.tail !== undefined) - Number(b.tail !== undefined) || b.lead.length - a.lead.length,
    )
    .flatMap(({ lead, tail, targets }) =>
      targets.map((target) =>
        tail === undefined
          ? target
          : target.replace('*', () => module.slice(lead.length, module.length - tail.length)),
      ),
    );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What `imports` or `exports` of a package.json name for a path, as sources if they are built files. */
function subpaths(
  manifest: unknown,
  field: 'imports' | 'exports',
  module: string,
  folder: string,
): readonly string[] {
  const table = fieldOf(manifest, field);
  const entries = typeof table === 'string' ? [['.', table] as const] : Object.entries(table ?? {});
  const rules = entries.map(([pattern, value]) => {
    const [lead = '', tail] = pattern.split('*');
    return { lead, tail, targets: filesIn(value).flatMap((file) => [file, file.replace(BUILT, 'src')]) };
  });
  return mappedBy(rules, module).map((target) => posix.join(folder, target.replace(/\.d(\.[cm]?ts)$/, '$1')));
}

function fieldOf(value: unknown, name: string): string | object | undefined {
  if (typeof value !== 'object' || value === null || !(name in value)) return undefined;
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === 'string' || (typeof found === 'object' && found !== null) ? found : undefined;
}

/** The files that an entry names for any condition. */
function filesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(filesIn) : [];
}
