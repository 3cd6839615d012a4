import { param } from '../frame/router.ts';

export const MODES = [
  ['hybrid', 'Hybrid'],
  ['semantic', 'Semantic'],
  ['regex', 'Regex'],
] as const;
export type Mode = (typeof MODES)[number][0];

const CASES = ['sensitive', 'insensitive'] as const;

/** The search in the address. */
export interface CodeSearch {
  readonly query: string;
  readonly mode: Mode;
  /** The folder to search; undefined for all of them. */
  readonly folder: string | undefined;
  /** All folders to search. */
  readonly folders: readonly string[];
  readonly glob: string | undefined;
  readonly language: string | undefined;
  readonly word: boolean;
  readonly case: 'smart' | 'sensitive' | 'insensitive';
  /** The query is plain text, not a regular expression. */
  readonly fixed: boolean;
  /** A match of a regular expression may span lines. */
  readonly multiline: boolean;
  /** The commit, branch or tag to search instead of the files as they are now. */
  readonly rev: string | undefined;
}

/** Stands for a folder in the address. */
export const ALL_FOLDERS = '*';

/** The search in the address; `all` are the folders that a search everywhere covers. */
export function readSearch(firstFolder: string | undefined, all: readonly string[]): CodeSearch {
  const path = param('path') ?? firstFolder;
  const folder = path === ALL_FOLDERS ? undefined : path;
  return {
    query: param('q') ?? '',
    mode: MODES.find(([id]) => id === param('mode'))?.[0] ?? 'hybrid',
    folder,
    folders: folder === undefined ? all : [folder],
    glob: param('glob'),
    language: param('language'),
    word: param('word') === 'true',
    case: CASES.find((name) => name === param('case')) ?? 'smart',
    fixed: param('fixed') === 'true',
    multiline: param('multiline') === 'true',
    rev: param('rev'),
  };
}

/** The input of the operations, without the folder. */
export function rankedInput({ query, glob, language }: CodeSearch) {
  return { query, glob: glob === undefined ? undefined : [glob], language };
}

export function regexInput(search: CodeSearch) {
  const { query: pattern, glob, language, word, fixed, multiline, rev } = search;
  return {
    pattern,
    glob: glob === undefined ? undefined : [glob],
    language,
    word,
    fixed,
    multiline: multiline || undefined,
    rev,
    case: search.case,
  };
}
