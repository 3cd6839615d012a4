import { relative } from 'node:path';
import { fail } from '../../contract/errors.ts';
import { isInside } from '../../contract/roots.ts';
import { glob } from '../../glob/glob.ts';
import type { SourceFile } from '../files/source-tree.ts';
import { knownLanguage, languageOf } from '../languages.ts';
import { fileGlob } from './file-glob.ts';

/** A folder that globs are relative to. Below the root, `cut` is removed from paths; above it, `lead` is added. */
export interface GlobBase {
  readonly cut: string;
  readonly lead: string;
}

/** The base for a folder, relative to a root. */
export function globBase(folder: string, root: string): GlobBase | undefined {
  if (folder === root) return undefined;
  if (isInside(folder, root)) return { cut: `${relative(root, folder)}/`, lead: '' };
  return { cut: '', lead: isInside(root, folder) ? `${relative(folder, root)}/` : '../' };
}

/** A path as globs see it. */
function fromBase(path: string, { cut, lead }: GlobBase): string {
  return path.startsWith(cut) ? lead + path.slice(cut.length) : `../${path}`;
}

/** A path as seen from a folder or file around it. */
function fromBelow(path: string, below: string): string {
  return path.slice(path === below ? path.lastIndexOf('/') + 1 : below.length + 1);
}

/** Which files of a tree to search. */
export interface FileFilter {
  /** Folder or file relative to the root; '' for all. */
  readonly below: string;
  /** As in ripgrep, a glob with `!` in front excludes files; the others include them. */
  readonly globs: readonly string[];
  /** Globs with a slash may also be relative to `below`. */
  readonly near?: boolean | undefined;
  /** What globs are relative to, if not the root. */
  readonly base?: GlobBase | undefined;
  readonly language?: string | undefined;
  /** Name globs of the file types to include and to exclude. */
  readonly types?: { readonly only: readonly string[]; readonly not: readonly string[] } | undefined;
  readonly hidden: boolean;
  /** Leave out linked worktrees of repositories in the tree, as ranked searches do. */
  readonly unlinked?: boolean | undefined;
  /** Leave out files with more bytes than this, unless one is named. */
  readonly largest?: number | undefined;
  /** Search binary, minified and very large files too. */
  readonly everything?: boolean | undefined;
}

/** A test for files by their path. */
export function pathFilter(
  filter: Omit<FileFilter, 'hidden' | 'unlinked' | 'largest' | 'everything'>,
): (path: string) => boolean {
  const { below, globs, base } = filter;
  const include = globs.filter((glob) => !glob.startsWith('!')).map(fileGlob);
  const exclude = globs.filter((glob) => glob.startsWith('!')).map((glob) => fileGlob(glob.slice(1)));
  const fits = (tests: readonly ((path: string) => boolean)[], path: string) => {
    const inside = filter.near && below !== '' ? fromBelow(path, below) : undefined;
    return tests.some((test) => test(path) || (inside !== undefined && test(inside)));
  };
  const globbed = (path: string) => (include.length === 0 || fits(include, path)) && !fits(exclude, path);
  const only = filter.types?.only.map((name) => glob(name)) ?? [];
  const not = filter.types?.not.map((name) => glob(name)) ?? [];
  const ofType = (name: string) =>
    (only.length === 0 || only.some((test) => test(name))) && !not.some((test) => test(name));
  const language = filter.language === undefined ? undefined : checkedLanguage(filter.language);
  return (path) =>
    (below === '' || path === below || path.startsWith(`${below}/`)) &&
    globbed(base === undefined ? path : fromBase(path, base)) &&
    ofType(path.slice(path.lastIndexOf('/') + 1)) &&
    (language === undefined || languageOf(path) === language);
}

/** Whether a search covers all files of a tree. */
export function isWhole({ below, globs, language, types }: FileFilter): boolean {
  return below === '' && globs.length === 0 && language === undefined && types === undefined;
}

/** A test for files of a tree. */
export function fileFilter(filter: FileFilter): (file: SourceFile) => boolean {
  const test = pathFilter(filter);
  // A search inside a dot folder means the files in it.
  const showHidden = filter.hidden || /(^|\/)\./.test(filter.below);
  const { below, unlinked, largest = Number.POSITIVE_INFINITY } = filter;
  return (file) =>
    (showHidden || !file.hidden) &&
    !(unlinked && file.linked) &&
    (file.size <= largest || file.path === below) &&
    test(file.path);
}

function checkedLanguage(name: string): string {
  const known = knownLanguage(name);
  if (known === undefined) {
    fail('invalid_parameter', `Unknown language '${name.slice(0, 30)}'. Use a glob such as *.xyz instead.`);
  }
  return known;
}
