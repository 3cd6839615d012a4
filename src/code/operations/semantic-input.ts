import { z } from 'zod';
import { INPUT_BYTES } from '../../contract/input-limits.ts';
import { byteSpan, FILTER_NAMES, fileFilters, root, snippetInput } from './search-input.ts';

/** Hits that are shown with their text unless the caller says otherwise. */
export const BEST_HITS = 2;

const MAX_PATHS = 20;

/** Inputs that semantic_search and hybrid_search share. */
export const semanticInput = {
  ...fileFilters,
  path: z
    .union([fileFilters.path.unwrap(), z.array(fileFilters.path.unwrap()).min(1).max(MAX_PATHS)])
    .optional()
    .describe('only this folder or file, or these (default: the current folder)'),
  min_score: z.number().min(0).max(1).default(0).describe('leave out matches that score lower'),
  include_snippet: z
    .boolean()
    .optional()
    .describe(
      `true: text of every hit, false: of none; default: of the best ${BEST_HITS}, snippet_length=500 characters each`,
    ),
  ...snippetInput,
} as const;

export type SemanticInput = z.output<z.ZodObject<typeof semanticInput>>;

export const searchQuery = z
  .string()
  .min(1)
  .max(INPUT_BYTES)
  .describe('a question, a few words, a name, or a whole issue or stack trace');

const semanticRow = z.object({
  path: z.string(),
  line_start: z.int(),
  line_end: z.int(),
  symbol: z.string().optional().describe('the definition that the lines are, or are in'),
  language: z.string().optional(),
  score: z.number().describe('0 to 1'),
  text: z.string().optional().describe('whole lines'),
  text_start: z.int().optional().describe('number of the first line of the text'),
  bytes: byteSpan,
});

const semanticMatches = z.object({
  root,
  note: z.string().optional().describe('why nothing was found, or what the matches lack'),
  matches: z.array(semanticRow),
});

export type SemanticRow = z.infer<typeof semanticRow>;
export type SemanticMatches = z.infer<typeof semanticMatches>;

/** The part of their declarations that both operations share. */
export const SEMANTIC_DECLARATION = {
  toolset: 'code',
  readOnly: true,
  explains: true,
  data: semanticMatches,
  limit: { default: 10, max: 200 },
  rows: 'matches',
  narrows: FILTER_NAMES,
  // They work, but listing them would cost tokens in every conversation.
  unlisted: ['language', 'min_score', 'context_lines', 'include_snippet', 'snippet_length', 'spans'],
  aliases: {
    q: 'query',
    paths: 'path',
    repository: 'path',
    repo: 'path',
    root: 'path',
    pattern: 'query',
    threshold: 'min_score',
    include: 'glob',
  },
} as const;
