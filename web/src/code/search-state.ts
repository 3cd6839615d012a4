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
  readonly folder: string | undefined;
  readonly glob: string | undefined;
  readonly language: string | undefined;
  readonly word: boolean;
  readonly case: 'smart' | 'sensitive' | 'insensitive';
  /** The query is plain text, not a regular expression. */
  readonly fixed: boolean;
}

export function readSearch(firstFolder: string | undefined): CodeSearch {
  return {
    query: param('q') ?? '',
    mode: MODES.find(([id]) => id === param('mode'))?.[0] ?? 'hybrid',
    folder: param('path') ?? firstFolder,
    glob: param('glob'),
    language: param('language'),
    word: param('word') === 'true',
    case: CASES.find((name) => name === param('case')) ?? 'smart',
    fixed: param('fixed') === 'true',
  };
}
