import { expect, test } from 'vitest';
import { z } from 'zod';
import { callWords } from './call-words.ts';
import type { Door } from './caller.ts';
import type { Envelope } from './envelope.ts';
import { type Operation, operation, page, type TextStyle } from './operation.ts';
import { painter } from './painted-text.ts';
import { type Rendering, render, renderCut, renderError } from './render.ts';

const search = operation()({
  name: 'search',
  toolset: 'code',
  readOnly: true,
  summary: 'Search.',
  input: z.strictObject({ id: z.string() }),
  data: z.custom<{ rows: readonly string[] }>(),
  limit: { default: 10, max: 50 },
  http: 'GET /api/things/{id}/hits?mode=all',
  command: { words: 'code search', positional: ['id'] },
  run: () =>
    page<string, { rows: readonly string[] }>({ rows: [], position: String, shape: (rows) => ({ rows }) }),
  text: ({ rows }: { rows: readonly string[] }) => rows.join('\n'),
});

const TERMINAL = { columns: 80, unicode: true };
const PIPED: TextStyle = { units: 'iec', now: 0, zone: 'UTC', paint: painter(undefined) };

function at(door: Door, format: 'json' | 'text' = 'text') {
  const declared = (name: string): Operation<never> | undefined =>
    [search, { ...search, name: 'hidden', toolset: undefined, command: undefined }].find(
      (operation) => operation.name === name,
    );
  return {
    door,
    format,
    style: { ...PIPED, ...(door === 'cli' && { terminal: TERMINAL }) },
    declared,
    words: callWords(door, declared),
  };
}

const written = (
  door: Door,
  parts: Partial<Envelope>,
  rows: readonly string[] = ['a hit'],
  changes: Partial<Rendering> = {},
) =>
  render(
    { data: { rows }, pagination: { total_in_page: rows.length, has_more: false }, meta: {}, ...parts },
    search,
    { ...at(door), ...changes },
  ).text;

test('an answer with nothing to say but its data is only its data', () => {
  expect(written('mcp', {})).toBe('a hit');
  expect(written('mcp', { link: 'http://127.0.0.1/x', meta: { ms: 3 } })).toBe('a hit');
});

test('an empty answer says so, and what was skipped', () => {
  expect(written('mcp', {}, [])).toBe('Nothing found.');
  expect(written('mcp', { meta: { skipped: { binary: 3, too_large: 1 } } }, [])).toBe(
    'Nothing found.\nskipped: 3 binary, 1 too large',
  );
  expect(written('mcp', { meta: { skipped: { binary: 3 } } })).toBe('a hit\nskipped: 3 binary');
});

test('what can make an answer wrong comes first', () => {
  expect(written('mcp', { meta: { index: { doubt: '1 file changed since the search' } } })).toBe(
    '1 file changed since the search.\na hit',
  );
  expect(written('mcp', { meta: { truncated: true } })).toBe(
    'Stopped at the time limit; not everything was searched.\na hit',
  );
  expect(written('mcp', { meta: { truncated: true, searched: '1,204 files' } })).toBe(
    'Stopped at the time limit; searched until then: 1,204 files.\na hit',
  );
  const indexing = { files: 1_635, of: 118_583, seconds_left: 40 };
  const line =
    'Only 1,635 of 118,583 files are indexed so far; results may be incomplete: ask again in about 40 s.';
  expect(written('mcp', { meta: { indexing } })).toBe(`${line}\na hit`);
  expect(written('mcp', { meta: { indexing } }, [])).toBe(`${line}\nNothing found.`);
  expect(written('mcp', { meta: { indexing: { files: 0, of: 1 } } }, [])).toBe(
    'Only 0 of 1 file is indexed so far; results may be incomplete: ask again in a few seconds.\nNothing found.',
  );
  // The number of files is not known yet.
  expect(written('mcp', { meta: { indexing: {} } }, [])).toBe(
    'Not everything is indexed yet; results may be incomplete: ask again in a few seconds.\nNothing found.',
  );
});

test('each door words the next page and the next call its own way', () => {
  const parts = {
    pagination: { total_in_page: 1, total: 60, left: 37, has_more: true, next_cursor: 'c12' },
    next: [{ operation: 'search', input: { id: 'two words', limit: 5 } }],
  };
  expect(written('mcp', parts, ['a hit'], { guides: true })).toBe(
    'a hit\nmore: cursor=c12 (37 left)\nnext: search id="two words" limit=5',
  );
  expect(written('cli', parts)).toBe(
    "a hit\nmore: pinhole code search --cursor c12 (37 left)\nnext: pinhole code search 'two words' --limit 5",
  );
  expect(written('rest', parts)).toContain('next: /api/things/two%20words/hits?mode=all&limit=5');
});

test('over REST a next call carries its address', () => {
  const next = [{ operation: 'search', input: { id: 'x' } }];
  const { text } = render({ data: {}, next, meta: {} }, search, at('rest', 'json'));
  expect(JSON.parse(text).next).toEqual([
    { operation: 'search', input: { id: 'x' }, href: '/api/things/x/hits?mode=all' },
  ]);
});

test('agents see a next call that goes on, or where the answer is empty, cut or not clear without it', () => {
  const next = [{ operation: 'other', input: { id: 'x' } }];
  expect(written('mcp', { next })).toBe('a hit');
  expect(written('mcp', { next }, ['a hit'], { guides: true })).toBe('a hit\nnext: other id=x');
  expect(written('mcp', { next }, [])).toBe('Nothing found.\nnext: other id=x');
  const long = { data: { rows: ['a'.repeat(100)] }, next, meta: {} };
  expect(renderCut(long, search, at('mcp'), 50).rendered.text).toMatch(/bytes\]\nnext: other id=x$/);
  const same = [{ operation: 'search', input: { id: 'x' } }];
  expect(written('mcp', { next: same })).toBe('a hit\nnext: search id=x');
});

test('over MCP a call to an operation that is not a tool, or not listed, is left out', () => {
  const next = [
    { operation: 'hidden', input: {} },
    { operation: 'search', input: { id: 'x' } },
  ];
  expect(written('mcp', { next }, [])).toBe('Nothing found.\nnext: search id=x');
  expect(written('mcp', { next }, [], { tools: ['other'] })).toBe('Nothing found.');
  expect(written('cli', { next })).toBe('a hit\nnext: pinhole hidden\nnext: pinhole code search x');
  // In a pipe, as for an agent: what continues the same question, and nothing else.
  const piped = { style: PIPED };
  expect(written('cli', { next }, ['a hit'], piped)).toBe('a hit\nnext: pinhole code search x');
  const answer = render({ data: {}, next: next.slice(0, 1), meta: {} }, search, at('mcp', 'json'));
  expect(JSON.parse(answer.text)).not.toHaveProperty('next');
  const error = { code: 'not_found' as const, message: 'No.', retryable: false };
  const failed = { error: { ...error, next: { operation: 'hidden', input: {} } } };
  expect(JSON.parse(renderError(failed, at('mcp', 'json'), 8_000).text)).toEqual({ error });
});

test('an error is a line with the call that fixes it, or JSON', () => {
  const error = {
    code: 'not_found' as const,
    message: "No thing 'x'.",
    next: { operation: 'search', input: { id: 'y' } },
    retryable: false,
  };
  expect(JSON.parse(renderError({ error }, at('mcp', 'json'), 8_000).text)).toEqual({ error });
  expect(JSON.parse(renderError({ error }, at('rest'), 8_000).text)).toMatchObject({ error });
  expect(renderError({ error }, at('cli'), 8_000).text).toBe("No thing 'x'.\nTry: pinhole code search y");
  expect(renderError({ error }, at('mcp'), 8_000).text).toBe("not_found: No thing 'x'.\nnext: search id=y");
});

test('the text of an error has the details that its message lacks', () => {
  const error = {
    code: 'ambiguous_session_prefix' as const,
    message: "'fb3' matches 2 sessions; give more characters.",
    details: { prefix: 'fb3', matches: ['fb3cff44', 'fb3a1b2c'], operation: 'search' },
    retryable: false,
  };
  expect(renderError({ error }, at('mcp'), 8_000).text).toBe(
    "ambiguous_session_prefix: 'fb3' matches 2 sessions; give more characters.\nmatches: fb3cff44, fb3a1b2c",
  );
});

test('on a terminal lines fit and hints step back; a text with marks of its own is shown without colours', () => {
  const terminal = { columns: 6, unicode: true, colours: true, rows: 2 };
  const style = { ...PIPED, terminal, paint: painter(terminal) };
  const next = [{ operation: 'other', input: {} }];
  expect(written('cli', { next }, ['a long hit'], { style })).toBe('a lon…\n\u001b[2mnext:…\u001b[22m');
  expect(written('cli', { next }, ['\ufdd0\ufdd1a\ufdef'], { style })).not.toContain('\u001b');
});
