import { z } from 'zod';
import { operation } from '../../contract/operation.ts';
import {
  MEANING_COLUMNS,
  MEANING_INPUT,
  MEANING_LIMIT,
  MEANING_NARROWS,
  MEANING_UNLISTED,
  type MeaningServices,
  meaningPage,
  meaningText,
} from './semantic-page.ts';

export const hybridSearch = operation<MeaningServices>()({
  name: 'hybrid_search',
  toolset: 'code',
  readOnly: true,
  explains: true,
  summary: 'Best places in code for a question or a name.',
  input: z.strictObject({ query: z.string().min(1).max(2000), ...MEANING_INPUT }),
  limit: MEANING_LIMIT,
  rows: 'matches',
  columns: MEANING_COLUMNS,
  narrows: MEANING_NARROWS,
  unlisted: MEANING_UNLISTED,
  aliases: { q: 'query', pattern: 'query', threshold: 'min_score', include: 'glob' },
  http: 'GET /api/code/search?mode=hybrid',
  command: {
    words: 'code find',
    positional: ['query', 'path'],
    examples: ["pinhole code find 'where are retries configured'"],
  },
  run: (input, ctx) => meaningPage(input, { mode: 'hybrid', text: input.query }, ctx),
  text: meaningText,
});
