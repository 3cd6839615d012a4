import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { argumentsFromText } from './arguments.ts';
import { errorText } from './errors.ts';
import { inputFacts, inputJsonSchema, parseInput, withKnownNames } from './input.ts';
import { operation, single } from './operation.ts';

const search = operation()({
  name: 'search',
  toolset: 'code',
  readOnly: true,
  summary: 'Search.',
  input: z.strictObject({
    query: z.string().min(1).max(100),
    session_id: z.string().optional(),
    kind: z.enum(['a', 'b']).optional(),
    glob: z.array(z.string()).max(3).optional(),
    deep: z.boolean().optional(),
    count: z.int().optional(),
    index: z.int().min(0).optional(),
    path: z.string().optional(),
    paths: z.array(z.string()).optional(),
  }),
  data: z.object({}),
  limit: { default: 10, max: 50 },
  aliases: { pattern: 'query' },
  run: () => single({}),
  text: () => '',
});

const problem = (input: Record<string, unknown>) => {
  try {
    parseInput(search, input);
  } catch (error) {
    return errorText(error);
  }
  return 'no error';
};

describe('errors name the fix', () => {
  test.each([
    [{ query: 'x', limit: 0 }, 'limit must be 1..50.'],
    [{ query: 'x', limit: -1 }, 'limit must be 1..50.'],
    [{ query: 'x', limit: 1e9 }, 'limit must be 1..50.'],
    [{ query: 'x', limit: 1.5 }, 'limit must be an integer.'],
    [{ query: 'x', index: -1 }, 'index must be at least 0.'],
    [{ query: 'x', limit: '10' }, 'limit must be a number.'],
    [{ query: '' }, 'query must be 1..100 characters.'],
    [{ query: 7 }, 'query must be a string.'],
    [{}, 'query is required: a string.'],
    [{ query: 'x', kind: 'c' }, 'kind must be one of a, b.'],
    [{ query: 'x', glob: ['1', '2', '3', '4'] }, 'glob must be at most 3 items.'],
    [{ query: 'x', glob: [1] }, 'glob[0] must be a string.'],
    [
      { query: 'x', colour: 1 },
      "Unknown argument 'colour'; this operation takes: query, session_id, kind, glob, deep, count, index, path, paths, limit, cursor.",
    ],
  ])('%j', (input, message) => expect(problem(input)).toBe(message));
});

test('near misses are accepted, nulls are absent', () => {
  const named = withKnownNames(search, { pattern: 'x', sessionId: 'abc', page_size: 5, deep: null });
  expect(named).toEqual({ query: 'x', session_id: 'abc', limit: 5 });
  expect(withKnownNames(search, { query: 'x', pageSize: 5, cursor: '' })).toEqual({ query: 'x', limit: 5 });
});

test('a list for an input that takes one goes to the input that takes several', () => {
  expect(withKnownNames(search, { path: ['a', 'b'] })).toEqual({ paths: ['a', 'b'] });
  expect(withKnownNames(search, { path: 'a', paths: ['b'] })).toEqual({ path: 'a', paths: ['b'] });
  expect(withKnownNames(search, { query: ['a'] })).toEqual({ query: ['a'] });
});

test('the right name wins over an alias of it', () => {
  expect(withKnownNames(search, { pattern: 'alias', query: 'right' })).toEqual({ query: 'right' });
});

test('the schema that a model reads has nothing it does not need', () => {
  const schema = inputJsonSchema(search);
  expect(schema.$schema).toBeUndefined();
  expect(schema.required).toBeUndefined();
  expect(schema.properties).toMatchObject({
    count: { type: 'integer' },
    limit: { minimum: 1, maximum: 50, default: 10 },
  });
  expect(JSON.stringify(schema)).not.toContain('9007199254740991');
});

test('words from a query string or a command line become what the schema expects', () => {
  expect(
    argumentsFromText(inputFacts(search), {
      query: '12',
      limit: '5',
      deep: 'true',
      glob: 'a,b',
      count: 'many',
    }),
  ).toEqual({
    query: '12',
    limit: 5,
    deep: true,
    glob: ['a', 'b'],
    count: 'many',
  });
});

test.each(['limit', 'page_size', 'page-size', 'pageSize'])('a number given as %s is a number', (name) => {
  expect(withKnownNames(search, argumentsFromText(inputFacts(search), { [name]: '5' }))).toEqual({
    limit: 5,
  });
});

test('a list is split at commas, but not inside a glob', () => {
  const list = (glob: string | string[]) => argumentsFromText(inputFacts(search), { glob }).glob;
  expect(list('a,b')).toEqual(['a', 'b']);
  expect(list(['a,b', 'c'])).toEqual(['a', 'b', 'c']);
  expect(list('*.{ts,tsx},!x[,]y')).toEqual(['*.{ts,tsx}', '!x[,]y']);
  expect(list('{open,half')).toEqual(['{open', 'half']);
  expect(list('')).toEqual(['']);
});

describe('a word given twice', () => {
  test.each(['query', 'pattern', 'limit', 'deep', 'kind', 'cursor'])('%s is refused', (name) => {
    expect(() => argumentsFromText(inputFacts(search), { [name]: ['1', '1'] })).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        message: `${name} is given 2 times; give it once.`,
      }),
    );
  });

  test('is a list where lists are taken, and left to the contract where the name is unknown', () => {
    expect(
      argumentsFromText(inputFacts(search), { glob: ['a', 'a'], colour: ['red', 'blue'], query: ['x'] }),
    ).toEqual({
      glob: ['a', 'a'],
      colour: ['red', 'blue'],
      query: 'x',
    });
  });
});
