import { operation } from '../../contract/operation.ts';
import type { CodeServices } from '../services.ts';
import { answerOneOrItsAlternatives } from './regex-alternatives.ts';
import { regexSearchInput, searchesIn } from './regex-input.ts';
import { regexMatches } from './regex-matches.ts';
import { answerSeveral } from './regex-several.ts';
import { regexText } from './regex-text.ts';
import { FILTER_NAMES } from './search-input.ts';

export const regexSearch = operation<CodeServices>()({
  name: 'regex_search',
  toolset: 'code',
  readOnly: true,
  explains: true,
  summary: 'Every line that matches a regex.',
  input: regexSearchInput,
  data: regexMatches,
  // A page of hits ends when the answer is full; a smaller limit would end it earlier.
  limit: { default: 200, max: 200 },
  rows: ['matches', 'files'],
  narrows: FILTER_NAMES,
  unlisted: [
    'case',
    'language',
    'word',
    'fixed',
    'multiline',
    'hidden',
    'everything',
    'rev',
    'include_snippet',
    'snippet_length',
    'spans',
  ],
  aliases: {
    query: 'pattern',
    q: 'pattern',
    regex: 'pattern',
    patterns: 'pattern',
    paths: 'path',
    include: 'glob',
    revision: 'rev',
    commit: 'rev',
    branch: 'rev',
    word_regexp: 'word',
  },
  http: 'GET /api/code/search?mode=regex',
  command: {
    words: 'code search',
    positional: ['pattern', 'path'],
    needs: ['pattern'],
    examples: [
      "pinhole code search 'fn \\w+' src",
      'pinhole code search -i -t ts -C 2 createserver',
      'pinhole code search -e listen -e close src test',
      "pinhole code search -U 'catch \\(\\w+\\) \\{\\s*\\}' src",
    ],
    flags: {
      'regexp|e': 'pattern',
      'ignore-case|i': 'case=insensitive',
      'case-sensitive|s': 'case=sensitive',
      'word-regexp|w': 'word',
      'fixed-strings|F': 'fixed',
      'multiline|U': 'multiline',
      'context|C': 'context_lines',
      'glob|g': 'glob',
      'type|t': 'language',
      'files-with-matches|l': 'output=files',
      'count|c': 'output=count',
    },
  },

  async run(input, context) {
    const searches = searchesIn(input);
    const [only, ...others] = searches;
    if (only !== undefined && others.length === 0) return answerOneOrItsAlternatives(only, context);
    return answerSeveral(searches, context);
  },

  text: regexText,
});
