import { z } from 'zod';
import { operation } from '../../contract/operation.ts';
import type { CodeServices } from '../services.ts';
import { SEMANTIC_DECLARATION, searchQuery, semanticInput } from './semantic-input.ts';
import { semanticPage, semanticText } from './semantic-page.ts';

const hybridSearchInput = z.strictObject({ query: searchQuery, ...semanticInput });

export const hybridSearch = operation<CodeServices>()({
  ...SEMANTIC_DECLARATION,
  name: 'hybrid_search',
  summary: 'Best places in code for a question or a name.',
  input: hybridSearchInput,
  http: 'GET /api/code/search?mode=hybrid',
  command: {
    words: 'code find',
    positional: ['query', 'path'],
    examples: ["pinhole code find 'where are retries configured'"],
  },
  run: (input, ctx) => semanticPage(input, { mode: 'hybrid', text: input.query }, ctx),
  text: semanticText,
});
