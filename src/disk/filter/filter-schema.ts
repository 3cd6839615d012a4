import { z } from 'zod';
import { fail, inputMessage, PinholeError } from '../../contract/errors.ts';
import { isObject } from '../../contract/guards.ts';
import { alternatives, plainGlobs, type Token } from '../../glob/parse-glob.ts';
import { PatternError, UnsupportedPattern } from '../../regex/syntax.ts';
import { KIND_NAMES } from '../scan/node-kinds.ts';
import { userId } from '../tree/user-names.ts';
import {
  AGE_HELP,
  DEPTH_HELP,
  ENTRIES_HELP,
  parseAge,
  parseDepth,
  parseSize,
  type Range,
  SIZE_HELP,
} from './size-and-age.ts';
import { matcherOf } from './text-marks.ts';

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
  readonly size?: Range | undefined;
  readonly disk_size?: Range | undefined;
  readonly modified?: Range | undefined;
  readonly depth?: Range | undefined;
  readonly entries?: Range | undefined;
  readonly target?: TextTest | undefined;
  readonly broken?: boolean | undefined;
  readonly owner?: string | undefined;
  readonly sparse?: boolean | undefined;
  readonly linked?: boolean | undefined;
  readonly error?: boolean | undefined;
  readonly duplicates?: boolean | undefined;
  readonly unique?: boolean | undefined;
  readonly regenerable?: boolean | undefined;
  readonly touched_by_agent?: boolean | undefined;
  readonly written_by_agent?: boolean | undefined;
}

const MAX_FILTERS_PER_LIST = 50;
const MAX_DEPTH = 8;

/**
 * Checks a filter from a caller. A mistake is an `invalid_parameter` whose message starts with its place, such as
 * `filter.all[1].size`.
 */
export function parseFilter(given: unknown, now: number): Filter {
  const value = typeof given === 'string' ? fromText(given) : given;
  refuseTooDeep(value, 'filter', 0);
  const parsed = filterSchema(now).safeParse(value);
  if (parsed.success) return parsed.data;
  // An unknown test explains more than the errors that follow from it.
  const { issues } = parsed.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const place = `filter${(issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
  return fail('invalid_parameter', `${place}: ${issue?.message ?? 'not a filter'}`, { details: { place } });
}

/** Filters also arrive as text: from a query string, a command line, or a model that quotes them. */
function fromText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fail(
      'invalid_parameter',
      inputMessage`${{ input: 'filter' }}: not valid JSON. Write it like {"size":">1GB"}.`,
      {
        details: { place: 'filter' },
      },
    );
  }
}

function refuseTooDeep(value: unknown, place: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH * 2)
    fail('invalid_parameter', `${place}: filters can be nested at most ${MAX_DEPTH} levels deep.`, {
      details: { place },
    });
  for (const [key, below] of Object.entries(value))
    refuseTooDeep(
      below,
      Array.isArray(value) ? `${place}[${key}]` : `${place}.${key.slice(0, 20)}`,
      depth + 1,
    );
}

const flag = z.boolean('must be true or false').optional();

function filterSchema(now: number): z.ZodType<Filter> {
  const nested: z.ZodType<Filter> = z.lazy(() => filter);
  const list = z
    .array(nested, { error: 'must be a list of filters' })
    .min(1, 'must not be empty')
    .max(MAX_FILTERS_PER_LIST, `can have at most ${MAX_FILTERS_PER_LIST} filters`);
  const filter: z.ZodType<Filter> = z
    .strictObject(
      {
        all: list.optional(),
        any: list.optional(),
        not: nested.optional(),
        name: textTest('name').optional(),
        path: textTest('path').optional(),
        ext: oneOrMore(
          z
            .string('must be a string such as log')
            .max(32, 'can have at most 32 characters')
            .refine(
              (ext) => !/[*?/]/.test(ext),
              'is the part after the last dot, such as log; use name for globs',
            )
            .transform((ext) => ext.replace(/^\./, '').toLowerCase()),
        ).optional(),
        kind: oneOrMore(z.enum(KIND_NAMES, `must be one of ${KIND_NAMES.join(', ')}`)).optional(),
        size: range(parseSize, SIZE_HELP).optional(),
        disk_size: range(parseSize, SIZE_HELP).optional(),
        modified: range((text) => parseAge(text, now), AGE_HELP).optional(),
        depth: range(parseDepth, DEPTH_HELP).optional(),
        entries: range(parseDepth, ENTRIES_HELP).optional(),
        target: textTest('target').optional(),
        owner: z
          .union([z.string().min(1).max(64), z.int().min(0)], 'must be a user name or number')
          .transform(String)
          .refine(
            (owner) => userId(owner) !== undefined,
            'no user with that name on this machine; you can also use a number',
          )
          .optional(),
        broken: flag,
        sparse: flag,
        linked: flag,
        error: flag,
        duplicates: flag,
        unique: flag,
        regenerable: flag,
        touched_by_agent: flag,
        written_by_agent: flag,
      },
      {
        error: (issue) =>
          issue.code === 'unrecognized_keys' ? unknownKeys(issue.keys) : 'must be an object',
      },
    )
    .refine((tests) => Object.keys(tests).length > 0, 'must contain at least one test');
  return filter;
}

/** Every test, as descriptions and errors list them. */
const TEST_NAMES =
  'all, any, not, name, path, ext, kind, size, disk_size, modified, depth, entries, owner, target, broken, linked, sparse, error, duplicates, unique, regenerable, written_by_agent, touched_by_agent';

function unknownKeys(keys: unknown): string {
  const named = Array.isArray(keys) ? keys.slice(0, 3).join("', '") : '';
  return `unknown test '${named}'; use one of ${TEST_NAMES}`;
}

function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value : [value]),
    z
      .array(item)
      .min(1, 'must not be empty')
      .max(MAX_FILTERS_PER_LIST, `can have at most ${MAX_FILTERS_PER_LIST} values`),
  );
}

function range(parse: (text: string) => Range | undefined, help: string) {
  return z.union([z.string(), z.number()], { error: help }).transform((value, ctx) => {
    const found = parse(String(value));
    if (found !== undefined) return found;
    ctx.addIssue({ code: 'custom', message: `'${String(value).slice(0, 40)}' is not understood; ${help}` });
    return z.NEVER;
  });
}

const PATTERN_HELP = "must be a glob such as '*.log', or { regex: '…' }, or { glob: '…', ignore_case: true }";
const MAX_PATTERN_LENGTH = 1000;

const textTest = (field: 'name' | 'path' | 'target') =>
  z.unknown().transform((value, ctx): TextTest => {
    const wrong = (message: string, ...path: string[]) => {
      ctx.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    };
    const given: unknown = typeof value === 'string' ? { glob: value } : value;
    if (!isObject(given)) return wrong(PATTERN_HELP);
    const { ignore_case: ignoreCase = false, ...patterns } = given;
    const [[type, pattern] = [], ...others] = Object.entries(patterns);
    if ((type !== 'glob' && type !== 'regex') || others.length > 0) return wrong(PATTERN_HELP);
    const path = typeof value === 'string' ? [] : [type];
    if (typeof pattern !== 'string') return wrong('must be a string', ...path);
    if (pattern.length === 0 || pattern.length > MAX_PATTERN_LENGTH)
      return wrong(`must have 1 to ${MAX_PATTERN_LENGTH} characters, not ${pattern.length}`, ...path);
    if (typeof ignoreCase !== 'boolean') return wrong('must be true or false', 'ignore_case');
    const test: TextTest = { type, pattern, ignoreCase };
    const problem = patternProblem(test) ?? (field === 'name' ? nameProblem : pathProblem)(test);
    return problem === undefined ? test : wrong(problem, ...path);
  });

/** A name has no slash, so a glob for names that requires one would match nothing. */
function nameProblem({ type, pattern }: TextTest): string | undefined {
  if (type === 'regex' || !alternatives(pattern).every(needsSlash)) return undefined;
  return `names do not contain '/'; write { path: '${pattern.startsWith('/') || pattern.startsWith('**') ? '' : '**/'}${pattern}' } instead`;
}

/** Two stars match folders only as a whole part of a path; next to other characters they would match too little. */
function pathProblem({ type, pattern }: TextTest): string | undefined {
  if (type === 'regex') return undefined;
  const parts = plainGlobs(pattern).flatMap((plain) => plain.split('/'));
  const part = parts.find((part) => part !== '**' && /(?<!\\)\*\*/.test(part));
  return part === undefined
    ? undefined
    : `'**' must be a whole part of the path; for '${part}' write '${part.replace(/\*\*/, '**/*')}'`;
}

function needsSlash(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.type === 'char' && token.char === '/');
}

/** What is wrong with a pattern, and where; undefined if nothing is. */
function patternProblem(test: TextTest): string | undefined {
  try {
    matcherOf(test);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError)
      return `${error.message} at character ${error.position} of the ${test.type}`;
    if (error instanceof UnsupportedPattern)
      return `${error.message} is not supported here (^ and $ match the start and the end)`;
    if (error instanceof PinholeError) return error.message;
    throw error;
  }
}
