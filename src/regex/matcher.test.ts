import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeFiles } from '../../test/fixtures/code/made-tree.ts';
import { questions, ripgrepArguments } from '../../test/fixtures/code/patterns.ts';
import { escapePattern } from './escape-pattern.ts';
import { createMatcher, type Matcher } from './matcher.ts';
import { smartCase } from './smart-case.ts';
import { PatternError, UnsupportedPattern } from './syntax.ts';

const plain = (pattern: string) => ({ pattern, insensitive: false, word: false, fixed: false });

/** Numbers of the matching lines. */
function matchingLines(matcher: Matcher, bytes: Buffer): number[] {
  const lines: number[] = [];
  for (let from = 0, line = 1; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from);
    const to = newline === -1 ? bytes.length : newline;
    if (matcher.test(bytes, from, to)) lines.push(line);
    from = to + 1;
  }
  return lines;
}

describe('classes in any case beside ripgrep', () => {
  const texts = ['k', 'K', 'K', 's', 'ſ', 'ß', 'ẞ', 'a', 'B', 'z', '5', '_', ' ', 'é', 'É', 'и', '漢'];
  it.each([
    '[[:^alpha:]]',
    '[[:alpha:]]',
    '[[:^lower:]]',
    '\\P{ASCII}',
    '\\P{Lu}',
    '\\p{Lu}',
    '[^\\p{Lu}]',
    '[\\P{Lu}]',
    '[^k]',
    '[[^k]]',
    '[s[^k]]',
    '[a-z&&[A-C]]',
    '[a-z--[K]]',
    '[\\w~~[a-z]]',
    '[^a-z&&[^k]]',
    '[\\W\\d]',
  ])('%s', (pattern) => {
    const matcher = createMatcher({ ...plain(pattern), insensitive: true });
    const found = texts.filter((text) => {
      const bytes = Buffer.from(text);
      return matcher.test(bytes, 0, bytes.length);
    });
    const peer = spawnSync(rgPath, ['--no-config', '-i', '-e', pattern], {
      input: texts.join('\n'),
      encoding: 'utf8',
    });
    expect(found).toEqual(peer.stdout.split('\n').slice(0, -1));
  });
});

describe('a matcher beside ripgrep', () => {
  const files = Object.entries(madeFiles()).filter(
    ([name]) => name !== 'deep/large.c' && !name.startsWith('utf16'),
  );
  const bytes = Buffer.concat(files.map(([, content]) => content));
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pinhole-matcher-'));
    writeFileSync(join(folder, 'text'), bytes);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('finds the same lines for 500 patterns, and knows which it cannot run', () => {
    let unsupported = 0;
    for (const question of questions(500)) {
      const args = [
        ...ripgrepArguments(question),
        '-n',
        '--no-filename',
        '-a',
        '-o',
        '--replace',
        '',
        'text',
      ];
      const peer = spawnSync(rgPath, args, { cwd: folder, encoding: 'latin1', maxBuffer: 1e8 });
      const name = JSON.stringify(question);
      let matcher: Matcher;
      try {
        matcher = createMatcher(question);
      } catch (error) {
        if (error instanceof UnsupportedPattern) unsupported++;
        else
          expect({ name, error, status: peer.status }).toMatchObject({
            error: expect.any(PatternError),
            status: 2,
          });
        continue;
      }
      const expected = [
        ...new Set(
          peer.stdout
            .split('\n')
            .filter(Boolean)
            .map((line) => Number.parseInt(line, 10)),
        ),
      ];
      expect({ name, status: peer.status, lines: matchingLines(matcher, bytes) }).toEqual({
        name,
        status: expected.length > 0 ? 0 : 1,
        lines: expected,
      });
    }
    expect(unsupported).toBeLessThan(12);
  });
});

describe('a matcher', () => {
  it('says where the first match is, in bytes', () => {
    const line = Buffer.from('日本 foo foobar');
    expect(createMatcher(plain('fo+')).locate(line, 0, line.length)).toEqual({ start: 7, end: 10 });
    expect(createMatcher(plain('foo|foobar')).locate(line, 8, line.length)).toEqual({ start: 3, end: 6 });
    expect(createMatcher(plain('bar$')).locate(line, 0, line.length)).toEqual({ start: 14, end: 17 });
    expect(createMatcher(plain('nope')).locate(line, 0, line.length)).toBeUndefined();
  });

  it.each([
    'a(',
    'a)',
    '*a',
    'a**{',
    '[a',
    '[z-a]',
    'a{2',
    'a{3,2}',
    '\\q',
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '\\1',
    'a\\nb',
    '\\x{110000}',
    '(?P<n',
    '[[:nope:]]',
    '\\',
  ])('refuses %s with a position', (pattern) => {
    expect(() => createMatcher(plain(pattern))).toThrow(PatternError);
  });

  it('derives the texts that a matching line must contain', () => {
    const texts = (pattern: string, insensitive = false) =>
      createMatcher({ ...plain(pattern), insensitive }).texts?.map((literal) => literal.text);
    expect(texts('PM_RESUME')).toEqual(['PM_RESUME']);
    expect(texts('[A-Z]+_RESUME')).toEqual(['_RESUME']);
    expect(texts('spin_lock.*irq.*&dev')).toEqual(['spin_lock']);
    expect(texts('(foo|ba)r(x|y)')).toEqual(['foorx', 'foory', 'barx', 'bary']);
    expect(texts('colou?r')).toEqual(['color', 'colour']);
    expect(texts('\\bfoo\\b')).toEqual(['foo']);
    expect(texts('Mutex', true)).toEqual(['mutex']);
    expect(texts('\\w{5}\\s+')).toBeUndefined();
    expect(texts('foo|\\d')).toBeUndefined();
    expect(texts('x*')).toBeUndefined();
    expect(texts('(abc){3}d')).toEqual(['abcabcabcd']);
    expect(texts('(abc)+d')).toEqual(['abc']);
  });

  it.each(['(?-u:\\B)', '(?-u:\\b{start-half})', '(?-u:\\b{end-half})'])(
    'leaves %s to ripgrep, since it holds inside a character',
    (pattern) => {
      expect(() => createMatcher(plain(pattern))).toThrow(UnsupportedPattern);
    },
  );

  it.each(['\\Aab', 'ab\\z', '\\Aab\\z', '(?-m)^ab', '(?-m)ab$'])(
    'leaves %s to ripgrep where a line is a part of a text, and runs it where it is one',
    (pattern) => {
      expect(() => createMatcher(plain(pattern))).toThrow(UnsupportedPattern);
      const matcher = createMatcher({ ...plain(pattern), apart: true });
      const matches = ['ab', 'xab', 'abx'].filter((text) => matcher.test(Buffer.from(text), 0, text.length));
      const asLines = createMatcher(
        plain(pattern.replace('(?-m)', '').replace('\\A', '^').replace('\\z', '$')),
      );
      expect(matches).toEqual(
        ['ab', 'xab', 'abx'].filter((text) => asLines.test(Buffer.from(text), 0, text.length)),
      );
      expect(matches.length).toBeLessThan(3);
      expect(matches).toContain('ab');
    },
  );

  it('knows when a text alone is proof', () => {
    const suffices = (pattern: string) => createMatcher(plain(pattern)).textsSuffice;
    expect(suffices('foo')).toBe(true);
    expect(suffices('foo|bar')).toBe(true);
    expect(suffices('\\bfoo')).toBe(false);
    expect(suffices('foo.')).toBe(false);
    expect(suffices('(a|b|c|d|e)(f|g|h|i|j)')).toBe(false);
  });

  it('escapes any text', () => {
    const text = '\\.+*?()|[]{}^$#&-~/ é"\'';
    const line = Buffer.from(`x${text}y`);
    const matcher = createMatcher(plain(escapePattern(text)));
    expect(matcher.locate(line, 0, line.length)).toEqual({ start: 1, end: line.length - 1 });
  });

  it.each([
    ['foo', true],
    ['Foo', false],
    ['foo\\W', true],
    ['\\S\\W', false],
    ['\\p{Lu}x', true],
    ['é', true],
    ['É', false],
    ['[A-Z]', false],
    ['(?P<Name>x)', true],
    ['\\.', false],
    ['\\x{e4}', true],
    ['\\u00e4', true],
    ['[\\U000000e4]', true],
    ['\\xC4', false],
    ['a\\u{c4}', false],
    ['\\\\x4B', false],
    ['\\\\xe4', true],
  ])('smart case of %s', (pattern, insensitive) => {
    expect(smartCase(pattern, false)).toBe(insensitive);
  });
});
