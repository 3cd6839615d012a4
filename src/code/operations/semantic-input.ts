import { z } from 'zod';
import { FILTER_NAMES, fileFilters, root, snippetInput } from './search-input.ts';

/** What semantic_search and hybrid_search both take. */
export const semanticInput = {
  ...fileFilters,
  min_score: z.number().min(0).max(1).default(0).describe('leave out matches that score lower'),
  ...snippetInput,
} as const;

export type SemanticInput = z.output<z.ZodObject<typeof semanticInput>>;

export const searchQuery = z.string().min(1).max(2000).describe('a question, a few words or a name');

const semanticRow = z.object({
  path: z.string(),
  line_start: z.int(),
  line_end: z.int(),
  symbol: z.string().optional().describe('name that is defined there'),
  in: z.string().optional().describe('what encloses it, outermost first'),
  language: z.string().optional(),
  score: z.number().describe('0 to 1'),
  text: z.string().optional(),
});

export const semanticMatches = z.object({ root, matches: z.array(semanticRow) });

export type SemanticRow = z.infer<typeof semanticRow>;
export type SemanticMatches = z.infer<typeof semanticMatches>;

/** What the declarations of both operations share. */
export const SEMANTIC_DECLARATION = {
  toolset: 'code',
  readOnly: true,
  explains: true,
  data: semanticMatches,
  limit: { default: 10, max: 50 },
  rows: 'matches',
  narrows: FILTER_NAMES,
  // They work, but listing them would cost tokens in every conversation.
  unlisted: ['language', 'min_score', 'include_snippet', 'snippet_length'],
  aliases: { q: 'query', pattern: 'query', threshold: 'min_score', include: 'glob' },
} as const;
