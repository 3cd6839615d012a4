import { z } from 'zod';
import { fail, inputMessage } from '../../contract/errors.ts';
import { operation } from '../../contract/operation.ts';
import type { CodeServices } from '../services.ts';
import { SEMANTIC_DECLARATION, searchQuery, semanticInput } from './semantic-input.ts';
import { semanticPage, semanticText } from './semantic-page.ts';

const semanticSearchInput = z.strictObject({
  query: searchQuery.optional(),
  like: z.string().min(3).max(4096).optional().describe('find code similar to this place: path:line'),
  ...semanticInput,
});

export const semanticSearch = operation<CodeServices>()({
  ...SEMANTIC_DECLARATION,
  name: 'semantic_search',
  summary: 'Code close in meaning to a query, or similar to a place ("src/a.ts:40").',
  input: semanticSearchInput,
  http: 'GET /api/code/search?mode=semantic',
  command: {
    words: 'code like',
    positional: ['query', 'path'],
    examples: ["pinhole code like 'turns text into tokens'", 'pinhole code like --like src/words.ts:40'],
  },
  run(input, ctx) {
    if ((input.query === undefined) === (input.like === undefined))
      fail('invalid_parameter', 'Give query or like, but not both.');
    const like = input.like === undefined ? undefined : parseLine(input.like);
    return semanticPage(input, { mode: 'semantic', text: input.query, like }, ctx);
  },
  text: semanticText,
});

/** `src/a.ts:40` as path and line. */
function parseLine(place: string): { path: string; line: number } {
  const [, path, line] = /^(?:\.\/)?(.+):(\d{1,9})$/.exec(place) ?? [];
  if (path === undefined)
    fail(
      'invalid_parameter',
      inputMessage`${{ input: 'like' }} must be a path and a line, e.g. src/a.ts:40.`,
    );
  return { path, line: Number(line) };
}
