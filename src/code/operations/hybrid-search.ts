import { z } from 'zod';
import { operation } from '../../contract/operation.ts';
import {
  MEANING_INPUT,
  MEANING_LIMIT,
  MEANING_NARROWS,
  type MeaningServices,
  meaningPage,
  meaningText,
} from './meaning.ts';

export const hybridSearch = operation<MeaningServices>()({
  name: 'hybrid_search',
  toolset: 'code',
  readOnly: true,
  summary: 'Best places in a source tree for a question or a name, by meaning and words; start here.',
  input: z.strictObject({ query: z.string().min(1).max(2000), ...MEANING_INPUT }),
  limit: MEANING_LIMIT,
  narrows: MEANING_NARROWS,
  aliases: { q: 'query', pattern: 'query', threshold: 'min_score', include: 'glob' },
  http: 'GET /api/code/hybrid',
  command: {
    words: 'code find',
    positional: ['query', 'path'],
    examples: ["pinhole code find 'where are retries configured'"],
  },
  run: (input, ctx) => meaningPage(input, { mode: 'hybrid', text: input.query }, ctx),
  text: meaningText,
});
