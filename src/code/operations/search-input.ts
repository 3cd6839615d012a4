import { z } from 'zod';

/** Which files to search; may also narrow the kept results of a search. */
export const fileFilters = {
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('only this folder or file (default: the current folder)'),
  glob: z
    .array(z.string().min(1).max(500))
    .max(50)
    .optional()
    .describe('only files that match a glob, or with ! in front only those that do not, e.g. *.ts,!test/**'),
  language: z.string().max(40).optional().describe('only files in this language, e.g. python'),
} as const;

export const FILTER_NAMES: readonly string[] = Object.keys(fileFilters);

/** How much of each match to show. */
export const snippetInput = {
  include_snippet: z.boolean().default(true).describe('show the text of each match'),
  snippet_length: z.int().min(20).max(10_000).default(500).describe('characters to show per match'),
} as const;

/** The folder that the paths of an answer start from. */
export const root = z
  .string()
  .optional()
  .describe('folder that the paths start from, if not the current folder');
