import { z } from 'zod';
import { fail, inputMessage } from '../../contract/errors.ts';
import { SKIPS } from './hit-rows.ts';
import { fileFilters, snippetInput } from './search-input.ts';

const MAX_SEARCHES = 20;

const pattern = z.string().min(1).max(2000);
const path = z.string().min(1).max(4096);

const fields = {
  glob: fileFilters.glob,
  language: fileFilters.language,
  case: z
    .enum(['smart', 'sensitive', 'insensitive'])
    .default('smart')
    .describe('smart ignores case unless the pattern has capitals'),
  word: z.boolean().optional().describe('match whole words only'),
  fixed: z.boolean().optional().describe('treat the pattern as plain text'),
  multiline: z
    .boolean()
    .optional()
    .describe('a match may span lines: \\n and \\s match line breaks, and so does . after (?s)'),
  hidden: z.boolean().optional().describe('search hidden files and folders too'),
  everything: z.boolean().optional().describe('search binary, minified and very large files too'),
  rev: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^-\s]\S*$/, 'must be the name of a commit, branch or tag')
    .optional()
    .describe('search the files of this commit, branch or tag instead of those on disk'),
  output: z
    .enum(['hits', 'files', 'count', 'file'])
    .optional()
    .describe(
      'hits are matching lines (default), files are paths with a number of hits, count is the total only, file writes all matches to a file on this machine',
    ),
  skip: z
    .array(z.enum(SKIPS))
    .max(SKIPS.length)
    .optional()
    .describe(
      'leave out hits in comments, docs (prose files), tests, prototypes, lines that define something, imports or generated files',
    ),
  include_snippet: z.boolean().default(true).describe('show the lines, not only their numbers'),
  ...snippetInput,
} as const;

/** One of several searches; what it leaves out is taken from the call. */
const oneOfSeveral = z.strictObject({
  ...fields,
  pattern: pattern.optional(),
  path: path.optional(),
  case: fields.case.removeDefault().optional(),
  include_snippet: fields.include_snippet.removeDefault().optional(),
  snippet_length: fields.snippet_length.removeDefault().optional(),
});

export const regexSearchInput = z.strictObject({
  pattern: z
    .union([pattern, z.array(pattern).min(1).max(MAX_SEARCHES)])
    .optional()
    .describe('regular expression, in the syntax of ripgrep; a list is searched for one by one'),
  path: z
    .union([path, z.array(path).min(1).max(MAX_SEARCHES)])
    .optional()
    .describe('only this folder or file (default: the current folder); a list is searched one by one'),
  ...fields,
  searches: z
    .array(oneOfSeveral)
    .min(1)
    .max(MAX_SEARCHES)
    .optional()
    .describe(
      'several searches in one answer, each with pattern, path, glob, skip, output and so on; what one leaves out is as above',
    ),
});

type RegexSearchInput = z.output<typeof regexSearchInput>;

/** One pattern in one place. */
export type OneSearchInput = Omit<RegexSearchInput, 'pattern' | 'path' | 'searches'> & {
  readonly pattern: string;
  readonly path?: string | undefined;
};

/** The searches of a call, in order: every pattern in every path. */
export function searchesIn({ searches, ...shared }: RegexSearchInput): readonly OneSearchInput[] {
  const alone: z.output<typeof oneOfSeveral> = {};
  const wanted = (searches ?? [alone]).flatMap((one) => {
    const input = {
      ...shared,
      ...one,
      case: one.case ?? shared.case,
      include_snippet: one.include_snippet ?? shared.include_snippet,
      snippet_length: one.snippet_length ?? shared.snippet_length,
    };
    const paths = [input.path].flat();
    return [input.pattern]
      .flat()
      .flatMap((pattern) => paths.map((path) => ({ ...input, pattern: pattern ?? required(), path })));
  });
  if (wanted.length > MAX_SEARCHES)
    fail('invalid_parameter', `That is ${wanted.length} searches; one call takes ${MAX_SEARCHES}.`);
  return wanted;
}

function required(): never {
  fail(
    'invalid_parameter',
    inputMessage`${{ input: 'pattern' }} is required: a string, or ${{ input: 'searches' }} with one each.`,
  );
}
