import { dirname } from 'node:path';
import type { SourceTree } from '../files/source-tree.ts';
import { languageOf } from '../languages.ts';
import { isAside } from '../rank/file-roles.ts';
import { beforeLong } from './before-long.ts';

/** Files in up to this many folders are parsed together with their neighbours. */
const MANY_FOLDERS = 30;

/** Languages in which a file names the files that its names come from, or in which names belong to the program. */
const BY_FILES: ReadonlySet<string> = new Set(['typescript', 'javascript', 'python', 'c', 'bash', 'lua']);

/** In other languages, files beside those that contain a name say which types and packages it belongs to. */
export function neighbours(paths: readonly string[], tree: SourceTree): readonly string[] {
  const folders = new Set(paths.filter((path) => !isAside(path) && !isByFiles(path)).map(dirname));
  if (folders.size === 0 || folders.size > MANY_FOLDERS) return [];
  const found: string[] = [];
  const { files } = tree;
  for (const number of files.numbers())
    if (folders.has(files.paths.folder(number) || '.')) found.push(files.paths.path(number));
  return found;
}

export function isByFiles(path: string): boolean {
  const language = languageOf(path);
  return language === undefined || BY_FILES.has(language);
}

/**
 * Files in the order in which a question needs them: first those that also contain the name around it, and a project's
 * own code.
 */
export function likelyFirst(
  paths: readonly string[],
  withOwner: ReadonlySet<string> | undefined,
): readonly string[] {
  const rank = (path: string) =>
    (withOwner === undefined || withOwner.has(path) ? 0 : 2) + (isAside(path) ? 1 : 0);
  return paths.toSorted((a, b) => rank(a) - rank(b));
}

/** A name that a question is about. */
export interface NeededName {
  readonly name: string;
  /** The name of what encloses it. */
  readonly owner?: string | undefined;
  /** The files that the question names: if they are few, they are parsed before others are searched for. */
  readonly near?: ((path: string) => boolean) | undefined;
}

/**
 * The files that contain a name, and those that contain the name around it, as far as they are found before a deadline.
 */
export async function filesHolding(
  { name, owner }: NeededName,
  find: (word: string) => AsyncIterable<string>,
  until: number,
): Promise<{
  readonly paths: readonly string[];
  readonly withOwner: ReadonlySet<string> | undefined;
  /** Other files may contain the name too. */
  readonly isCut: boolean;
}> {
  const pathsWith = async (word: string) => {
    const paths: string[] = [];
    const steps = find(word)[Symbol.asyncIterator]();
    for (;;) {
      const step = await beforeLong(steps.next(), Math.max(0, until - performance.now()));
      if (step?.done) return { paths, isCut: false };
      if (step === undefined) {
        // A search that has found nothing yet ends with its first result.
        void steps.return?.()?.catch(() => undefined);
        return { paths, isCut: true };
      }
      paths.push(step.value);
    }
  };
  const { paths, isCut } = await pathsWith(name);
  const around = owner === undefined || isCut ? undefined : await pathsWith(owner);
  return { paths, withOwner: around?.isCut === false ? new Set(around.paths) : undefined, isCut };
}
