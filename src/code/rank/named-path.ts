/** A path as people and stack traces write it. */
export interface NamedPath {
  /** The last without its extension. */
  readonly parts: readonly string[];
  /** In lower case, without the dot. */
  readonly extension: string;
}

/** Extensions that one file may have before and after it was compiled. */
const FAMILIES: readonly ReadonlySet<string>[] = [
  new Set(['js', 'jsx', 'cjs', 'mjs', 'ts', 'tsx', 'cts', 'mts', 'vue']),
  new Set(['py', 'pyi', 'pyx', 'pyc']),
];
const EXTENSION = /\.(\w+)$/;
/** Folders of Go modules and packages have their version in the name. */
const VERSION = /@v?\d[^/]*$/;

export function namedPath(path: string): NamedPath {
  return {
    parts: path
      .replace(EXTENSION, '')
      .split(/[\\/]/)
      .filter((part) => part !== '' && part !== '.' && part !== '..' && part !== '~')
      .map((part) => part.replace(VERSION, '')),
    extension: EXTENSION.exec(path)?.[1]?.toLowerCase() ?? '',
  };
}

/** Whether files with these extensions may be the same source. */
export function isSameLanguage(a: string, b: string): boolean {
  return a === b || FAMILIES.some((family) => family.has(a) && family.has(b));
}

/** How many parts at the end of two paths are equal. */
export function sameEnd(a: readonly string[], b: readonly string[]): number {
  let same = 0;
  while (same < a.length && same < b.length && a.at(-1 - same) === b.at(-1 - same)) same++;
  return same;
}
