import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
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

export const semanticSearch = operation<MeaningServices>()({
  name: 'semantic_search',
  toolset: 'code',
  readOnly: true,
  explains: true,
  summary: 'Code near in meaning to a query, or like a place ("src/a.ts:40").',
  input: z.strictObject({
    query: z.string().min(1).max(2000).optional(),
    like: z.string().min(3).max(4096).optional(),
    ...MEANING_INPUT,
  }),
  limit: MEANING_LIMIT,
  rows: 'matches',
  columns: MEANING_COLUMNS,
  narrows: MEANING_NARROWS,
  unlisted: MEANING_UNLISTED,
  aliases: { q: 'query', pattern: 'query', threshold: 'min_score', include: 'glob' },
  http: 'GET /api/code/search?mode=semantic',
  command: {
    words: 'code like',
    positional: ['query', 'path'],
    examples: ["pinhole code like 'turns text into tokens'", 'pinhole code like --like src/words.ts:40'],
  },
  run(input, ctx) {
    if ((input.query === undefined) === (input.like === undefined)) {
      fail('invalid_parameter', 'Give either query or like ("path:line").');
    }
    const like = input.like === undefined ? undefined : parsePlace(input.like);
    return meaningPage(input, { mode: 'semantic', text: input.query, like }, ctx);
  },
  text: meaningText,
});

/** `src/a.ts:40` as path and line. */
function parsePlace(place: string): { path: string; line: number } {
  const match = /^(.+):(\d{1,9})$/.exec(place);
  if (match === null)
    fail('invalid_parameter', 'like must be a path from the searched root and a line: "src/a.ts:40".');
  return { path: (match[1] ?? '').replace(/^\.\//, ''), line: Number(match[2]) };
}
