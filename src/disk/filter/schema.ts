import { RE2JS } from 're2js';
import { z } from 'zod';
import { fail, PinholeError } from '../../contract/errors.ts';
import { glob } from '../scan/glob.ts';
import { KIND_NAMES } from '../scan/kinds.ts';
import { AGE_HELP, DEPTH_HELP, parseAge, parseDepth, parseSize, SIZE_HELP, type Span } from './measure.ts';

/** How a name or a path is tested. */
export interface TextTest {
  readonly type: 'glob' | 'regex';
  readonly pattern: string;
  readonly ignoreCase: boolean;
}

/** A checked filter. Several tests in one object must all hold. */
export interface Filter {
  readonly all?: readonly Filter[] | undefined;
  readonly any?: readonly Filter[] | undefined;
  readonly not?: Filter | undefined;
  readonly name?: TextTest | undefined;
  readonly path?: TextTest | undefined;
  readonly ext?: readonly string[] | undefined;
  readonly kind?: readonly (typeof KIND_NAMES)[number][] | undefined;
  readonly size?: Span | undefined;
  readonly disk_size?: Span | undefined;
  readonly modified?: Span | undefined;
  readonly depth?: Span | undefined;
  readonly owner?: string | undefined;
  readonly sparse?: boolean | undefined;
  readonly linked?: boolean | undefined;
  readonly error?: boolean | undefined;
  readonly duplicates?: boolean | undefined;
  readonly touched_by_agent?: boolean | undefined;
}

const MOST_BELOW = 50;
const DEEPEST = 8;

/**
 * Checks a filter from outside. A mistake is an `invalid_parameter` whose message starts with its place, such
 * as `filter.all[1].size`.
 */
export function parseFilter(given: unknown, now: number): Filter {
  const value = typeof given === 'string' ? fromText(given) : given;
  tooDeep(value, 'filter', 0);
  const parsed = filterSchema(now).safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = `filter${(issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
  return fail('invalid_parameter', `${place}: ${issue?.message ?? 'not a filter'}`, { place });
}

/** Filters also come as text: from a query string, the command line, or a model that quotes. */
function fromText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail('invalid_parameter', `filter: not JSON; write it like {"size":">1GB"}`, { place: 'filter' });
  }
}

function tooDeep(value: unknown, place: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEEPEST * 2)
    fail('invalid_parameter', `${place}: filters nest at most ${DEEPEST} levels.`, { place });
  for (const below of Object.values(value)) tooDeep(below, place, depth + 1);
}

function filterSchema(now: number): z.ZodType<Filter> {
  const nested: z.ZodType<Filter> = z.lazy(() => filter);
  const list = z
    .array(nested, { error: 'must be a list of filters' })
    .min(1, 'must not be empty')
    .max(MOST_BELOW, `has at most ${MOST_BELOW} filters`);
  const filter: z.ZodType<Filter> = z
    .strictObject(
      {
        all: list.optional(),
        any: list.optional(),
        not: nested.optional(),
        name: textTest.optional(),
        path: textTest.optional(),
        ext: oneOrMore(
          z
            .string()
            .max(32)
            .transform((ext) => ext.replace(/^\./, '').toLowerCase()),
        ).optional(),
        kind: oneOrMore(z.enum(KIND_NAMES, `must be one of ${KIND_NAMES.join(', ')}`)).optional(),
        size: span(parseSize, SIZE_HELP).optional(),
        disk_size: span(parseSize, SIZE_HELP).optional(),
        modified: span((text) => parseAge(text, now), AGE_HELP).optional(),
        depth: span(parseDepth, DEPTH_HELP).optional(),
        owner: z.string('must be a user name or number').min(1).max(64).optional(),
        sparse: z.boolean('must be true or false').optional(),
        linked: z.boolean('must be true or false').optional(),
        error: z.boolean('must be true or false').optional(),
        duplicates: z.boolean('must be true or false').optional(),
        touched_by_agent: z.boolean('must be true or false').optional(),
      },
      {
        error: (issue) =>
          issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys) : 'must be an object',
      },
    )
    .refine((tests) => Object.keys(tests).length > 0, 'must hold at least one test');
  return filter;
}

const TESTS =
  'all, any, not, name, path, ext, kind, size, disk_size, modified, depth, owner, sparse, linked, error, duplicates, touched_by_agent';

function unknownKeys(keys: unknown): string {
  const named = Array.isArray(keys) ? keys.slice(0, 3).join("', '") : '';
  return `unknown test '${named}'; there are ${TESTS}`;
}

function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value : [value]),
    z.array(item).min(1).max(MOST_BELOW),
  );
}

function span(parse: (text: string) => Span | undefined, help: string) {
  return z.union([z.string(), z.number()], { error: help }).transform((value, ctx) => {
    const found = parse(String(value));
    if (found !== undefined) return found;
    ctx.addIssue({ code: 'custom', message: `'${String(value).slice(0, 40)}' is not understood; ${help}` });
    return z.NEVER;
  });
}

const PATTERN_HELP = "must be a glob such as '*.log', or { regex: '…' }, or { glob: '…', ignore_case: true }";

const PATTERN = z.string(PATTERN_HELP).min(1).max(1000);

const textTest = z
  .union(
    [
      PATTERN,
      z.strictObject({ glob: PATTERN, ignore_case: z.boolean().optional() }, PATTERN_HELP),
      z.strictObject({ regex: PATTERN, ignore_case: z.boolean().optional() }, PATTERN_HELP),
    ],
    { error: PATTERN_HELP },
  )
  .transform((value, ctx): TextTest => {
    const test: TextTest =
      typeof value === 'string'
        ? { type: 'glob', pattern: value, ignoreCase: false }
        : 'glob' in value
          ? { type: 'glob', pattern: value.glob, ignoreCase: value.ignore_case ?? false }
          : { type: 'regex', pattern: value.regex, ignoreCase: value.ignore_case ?? false };
    try {
      if (test.type === 'glob') glob(test.pattern);
      else compileRegex(test);
    } catch (error) {
      const reason =
        error instanceof PinholeError || error instanceof Error ? error.message : 'not a pattern';
      ctx.addIssue({ code: 'custom', message: reason.slice(0, 200) });
      return z.NEVER;
    }
    return test;
  });

/** A regular expression in linear time; throws when it is none. */
export function compileRegex(test: TextTest): RE2JS {
  return RE2JS.compile(test.pattern, test.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
}
