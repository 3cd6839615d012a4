import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockOf, lineScanner, OBJECT } from './line-scanner-memory.ts';

const PATHS = ['a', 'b', 'b.a', 'b.c', 'b.c.d', 'é'];
const scanner = lineScanner({ words: [], paths: PATHS });

/** What the scanner says of a line that is followed by another one. */
function values(line: string): readonly unknown[] | undefined {
  const bytes = Buffer.from(`${line}\n"a":9}\n`);
  bytes.copy(blockOf(bytes.length));
  const count = scanner.scan(0, Buffer.byteLength(line) + 1, false, 1);
  return count === 0 ? undefined : scanner.line(0).values?.slice();
}

/** The same from the parsed line. */
function expected(line: string): readonly unknown[] {
  const record: unknown = JSON.parse(line);
  return PATHS.map((path) => {
    const value = path.split('.').reduce<unknown>(fieldOf, record);
    const hasInner = PATHS.some((other) => other.startsWith(`${path}.`));
    return hasInner ? (isPlain(value) ? OBJECT : undefined) : value;
  });
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldOf(value: unknown, name: string): unknown {
  return isPlain(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

test('values of the object and of objects in it', () => {
  expect(values('{"b":{"x":["}\\"",{"a":1}],"c":{"d":"e"},"a":-1.5e3},"z":[],"a":12}')).toEqual([
    12,
    OBJECT,
    -1500,
    OBJECT,
    'e',
    undefined,
  ]);
});

test('the last of two fields with the same name counts, with nothing of the first', () => {
  expect(values('{"b":{"a":1,"c":{"d":2}},"b":{"c":null},"a":1,"a":"x"}')).toEqual([
    'x',
    OBJECT,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('any object has the values that JSON.parse finds, with spaces, escapes and other orders', () => {
  const key = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd', 'é'), fc.string({ unit: 'binary', maxLength: 3 }));
  const { object } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\', '"', '\\"', 'x'.repeat(200), '}{][,', ''),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(0, 1e21, 123456789012345680, 999999999999999, true, false, null),
      fc.array(tie('value'), { maxLength: 3 }),
      tie('object'),
    ),
    object: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  }));
  const spaces = fc.constantFrom('', ' ', '\t', ' \r');
  fc.assert(
    fc.property(object, spaces, (given, space) => {
      const plain = JSON.stringify(given);
      const line = space === '' ? plain : JSON.stringify(given, null, 1).replaceAll('\n', space);
      const found = values(line);
      // A name with an escape is left to the parser.
      if (found !== undefined || !plain.includes('\\')) expect(found).toEqual(expected(line));
    }),
    { numRuns: 150 },
  );
});

test('a line that JSON.parse refuses is refused', () => {
  const line = '{"a":"x\\u00e9\\n","b":{"a":-0.5e+1,"c":{"d":[true,false,null,{"k":""}]}}}';
  const byte = fc.constantFrom(
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '0',
    'e',
    '.',
    '-',
    ' ',
    '\u0001',
    'u',
  );
  fc.assert(
    fc.property(fc.nat(line.length - 1), fc.nat(2), byte, (at, cut, put) => {
      const changed = line.slice(0, at) + put + line.slice(at + cut);
      let parses = true;
      try {
        parses = isPlain(JSON.parse(changed));
      } catch {
        parses = false;
      }
      const found = values(changed);
      if (found !== undefined) expect({ changed, parses }).toEqual({ changed, parses: true });
      if (found !== undefined) expect(found).toEqual(expected(changed));
    }),
    { numRuns: 1000 },
  );
});

test.each(['', '{', '{"a":', '{"a":"', '{"a":1', '{"a":1,', 'null', '{"a":01}', '{"a":1}}', '{"\\u0061":1}'])(
  '%s is left to the parser',
  (line) => {
    expect(values(line)).toBeUndefined();
  },
);

test('values that are nested too deeply are left to the parser', () => {
  expect(values(`{"z":${'['.repeat(300)}${']'.repeat(300)}}`)).toBeUndefined();
});

/** The lines of a text that have one of the words. */
function wanted(text: string, within = 0): readonly string[] {
  const bytes = Buffer.from(text);
  bytes.copy(blockOf(bytes.length));
  const finder = lineScanner({ words: ['"usage"', 'tokens_'], shortWords: ['-title'], within, paths: ['a'] });
  const found: string[] = [];
  for (let at = 0; at < bytes.length; at = finder.position()) {
    const count = finder.scan(at, bytes.length, true, 3);
    for (let index = 0; index < count; index++) {
      const { start, end } = finder.line(index);
      found.push(bytes.toString('utf8', start, end));
    }
  }
  return found;
}

test('lines with one of the words are found wherever the word is, and short ones by their own words', () => {
  const long = `${'x'.repeat(9_000)}-title`;
  const pad = (n: number) => '"usage'.repeat(n % 3) + '"'.repeat(n % 40);
  const lines = Array.from({ length: 80 }, (_, n) =>
    n % 4 === 0
      ? pad(n)
      : n % 4 === 1
        ? `${pad(n)}"usage"${'é'.repeat(n)}`
        : n % 4 === 2
          ? `${pad(n)}tokens_`
          : `-title${n}`,
  );
  const has = (line: string) => /"usage"|tokens_|-title/.test(line) && line !== long;
  const all = [...lines, long, '', '   '];
  expect(wanted(`${all.join('\n')}\n`)).toEqual(all.filter(has));
  expect(wanted(all.join('\n'))).toEqual(all.filter(has));
});

test('a word counts only where it is within the first bytes, if the agent always writes it there', () => {
  const lines = Array.from({ length: 40 }, (_, n) => `${'y'.repeat(n)}"usage"`);
  expect(wanted(`${lines.join('\n')}\n`, 20)).toEqual(lines.filter((_, n) => n + 7 <= 20));
});

test('a block may be larger than the one before, which is still there', () => {
  blockOf(3).write('{"a":1}\n'.slice(0, 3));
  const large = blockOf(5 << 20);
  expect(large.toString('utf8', 0, 3)).toBe('{"a');
  large.write(`{"z":"${'y'.repeat(4 << 20)}","a":7}\n`);
  expect(scanner.scan(0, (4 << 20) + 15, false, 1)).toBe(1);
  expect(scanner.line(0).values?.[0]).toBe(7);
});
