import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { smartCase } from '../../regex/smart-case.ts';
import type { SearchScope } from '../code-trees.ts';
import { globBase } from '../exact/file-filter.ts';
import type { PrintQuery } from './print-search.ts';

const text = z.string().max(4096);
const count = z.int().min(0).max(1_000_000);

const grepRequest = z.strictObject({
  pattern: z.string().max(200_000),
  case: z.enum(['smart', 'sensitive', 'insensitive']).default('sensitive'),
  word: z.boolean().default(false),
  fixed: z.boolean().default(false),
  multiline: z.boolean().default(false),
  /** Where to search, and what to print in front of the names of the files there. */
  paths: z
    .array(z.strictObject({ folder: text, lead: text }))
    .min(1)
    .max(1000),
  globs: z.array(text).max(200).default([]),
  /** The folder that globs are relative to; the root of each tree if absent. */
  base: text.optional(),
  language: text.optional(),
  types: z.strictObject({ only: z.array(text), not: z.array(text) }).optional(),
  hidden: z.boolean().default(false),
  ignored: z.boolean().default(false),
  everything: z.boolean().default(false),
  form: z.enum(['lines', 'only', 'json', 'counts', 'names', 'files']).default('lines'),
  /** Write nothing and end with the first match. */
  quiet: z.boolean().default(false),
  /** Print statistics at the end. */
  stats: z.boolean().default(false),
  invert: z.boolean().default(false),
  before: count.default(0),
  after: count.default(0),
  /** Matching lines per file; all if absent. */
  most: z.int().min(1).optional(),
  names: z.enum(['none', 'inline', 'heading']).default('inline'),
  numbers: z.boolean().default(false),
  columns: z.boolean().default(false),
  offsets: z.boolean().default(false),
  trim: z.boolean().default(false),
  /** Printed where lines between context were left out. */
  gap: text.default('--\n'),
  /** Larger files are not searched, unless they are named. */
  largest: z.int().min(0).optional(),
  colour: z.boolean().default(false),
  nul: z.boolean().default(false),
});

/** All matches of a pattern, and how to print them. */
export type GrepRequest = z.infer<typeof grepRequest>;

/** Checks a request; throws an `invalid_parameter` if it is wrong. */
export function parseGrep(raw: unknown): GrepRequest {
  const parsed = grepRequest.safeParse(raw);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return fail(
    'invalid_parameter',
    `${issue?.path.join('.') ?? 'request'}: ${issue?.message ?? 'not valid'}.`,
  );
}

/** The search of one folder in a request. */
export function printQuery(
  request: GrepRequest,
  path: GrepRequest['paths'][number],
  { tree, below }: SearchScope,
): PrintQuery {
  const { pattern, word, fixed, multiline, form, before, after, invert } = request;
  const { names, numbers, columns, offsets, trim, gap, colour, nul, largest } = request;
  if (multiline && invert)
    fail('invalid_parameter', 'Lines without a match over lines cannot be listed. Leave out -v or -U.');
  const what = form === 'counts' || form === 'names' || form === 'files' ? form : 'matches';
  const most = form === 'names' ? 1 : (request.most ?? Number.POSITIVE_INFINITY);
  const insensitive = request.case === 'smart' ? smartCase(pattern, fixed) : request.case === 'insensitive';
  const shown = form === 'lines' || form === 'only' || form === 'json' ? form : 'counts';
  return {
    pattern: { pattern, insensitive, word, fixed, multiline },
    filter: {
      below,
      globs: request.globs,
      base: request.base === undefined ? undefined : globBase(request.base, tree.root),
      language: request.language,
      types: request.types,
      hidden: request.hidden,
      everything: request.everything,
      largest,
    },
    what,
    ignored: request.ignored,
    stats: request.stats || form === 'json',
    style: {
      form: shown,
      ...(shown === 'counts' ? { before: 0, after: 0 } : { before, after }),
      invert,
      most,
      names,
      numbers,
      columns,
      offsets,
      trim,
      gap,
      colour,
      nul,
      lead: path.lead,
      cut: below === '' ? 0 : below.length + 1,
    },
  };
}
