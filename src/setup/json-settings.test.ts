import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonSettings } from './json-settings.ts';
import { UnusableSettings } from './settings-format.ts';

const plain = jsonSettings({ comments: false });
const commented = jsonSettings({ comments: true });
const path = ['mcpServers', 'pinhole'] as const;
const entry = { command: 'npx', args: ['-y', 'pinhole', 'mcp'] };

describe('adding', () => {
  test('to nothing', () => {
    expect(plain.set('', path, entry)).toBe(`{
  "mcpServers": {
    "pinhole": {
      "command": "npx",
      "args": ["-y", "pinhole", "mcp"]
    }
  }
}
`);
  });

  test('beside other servers, in the indent of the file, comments in place', () => {
    const text = `{
    // my servers
    "mcpServers": {
        "other": { "command": "x" } // keep this
    },
    "theme": "dark"
}
`;
    expect(commented.set(text, path, entry)).toBe(`{
    // my servers
    "mcpServers": {
        "other": { "command": "x" }, // keep this
        "pinhole": {
            "command": "npx",
            "args": ["-y", "pinhole", "mcp"]
        }
    },
    "theme": "dark"
}
`);
  });

  test('keeps a trailing comma, tabs and Windows line ends', () => {
    const text = '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, /* last */\r\n\t},\r\n}\r\n';
    expect(commented.set(text, path, { command: 'x' })).toBe(
      '{\r\n\t"mcpServers": {\r\n\t\t"a": {}, /* last */\r\n\t\t"pinhole": {\r\n\t\t\t"command": "x"\r\n\t\t},\r\n\t},\r\n}\r\n',
    );
  });

  test('to a file on one line stays on one line', () => {
    expect(plain.set('{"a":1}', path, { command: 'x' })).toBe(
      '{"a":1, "mcpServers": { "pinhole": { "command": "x" } }}',
    );
  });

  test('to an object that holds only a comment', () => {
    expect(commented.set('{\n  // nothing yet\n}\n', path, { command: 'x' })).toBe(
      '{\n  // nothing yet\n  "mcpServers": {\n    "pinhole": {\n      "command": "x"\n    }\n  }\n}\n',
    );
  });
});

describe('updating', () => {
  test('changes the command and leaves other keys of the entry', () => {
    const text =
      '{ "mcpServers": { "pinhole": { "command": "old", "env": { "PINHOLE_HOME": "/x" }, "args": ["mcp"] } } }';
    expect(plain.set(text, path, entry)).toBe(
      '{ "mcpServers": { "pinhole": { "command": "npx", "env": { "PINHOLE_HOME": "/x" }, "args": ["-y", "pinhole", "mcp"] } } }',
    );
  });

  test('twice is once', () => {
    const once = plain.set('{"theme": "dark"}', path, entry);
    expect(plain.set(once, path, entry)).toBe(once);
  });
});

describe('removing', () => {
  test('leaves comments around the entry and no empty list of servers', () => {
    const text = `{
  "a": 1, // one
  // about servers
  "mcpServers": {
    "pinhole": { "command": "x" }
  }
}
`;
    expect(commented.remove(text, path)).toBe('{\n  "a": 1 // one\n  // about servers\n}\n');
  });

  test('first, middle and last of several', () => {
    const of = (...names: string[]) =>
      `{\n  "mcpServers": {\n${names.map((name) => `    "${name}": {}`).join(',\n')}\n  }\n}\n`;
    for (const names of [
      ['pinhole', 'a'],
      ['a', 'pinhole', 'b'],
      ['a', 'pinhole'],
    ])
      expect(plain.remove(of(...names), path)).toBe(of(...names.filter((name) => name !== 'pinhole')));
  });

  test('what is not there changes nothing', () => {
    expect(plain.remove('{"mcpServers": {}}', path)).toBe('{"mcpServers": {}}');
    expect(plain.remove('', path)).toBe('');
  });
});

test.each([
  ['{"a": 1', 'it is not valid JSON (close brace expected at line 1, column 8)'],
  ['{\n  "a": 1,\n}', 'it is not valid JSON (property name expected at line 3, column 1)'],
  ['{\n  // no\n}', 'it is not valid JSON (invalid comment token at line 2, column 3)'],
  ['[]', 'it is not a JSON object'],
])('refuses %j and says where', (text, message) => {
  expect(() => plain.set(text, path, entry)).toThrow(new UnusableSettings(message));
});

test('a list of servers that is no object is left alone', () => {
  expect(() => plain.set('{"mcpServers": []}', path, entry)).toThrow('"mcpServers" is not an object');
});

// JSON with comments in any style: what was there before is there after, and removing undoes adding.
const comment = fc.constantFrom('', ' // c', ' /* c */');
const name = fc.stringMatching(/^[a-z]{1,6}$/).filter((text) => text !== 'pinhole');
const style = fc.record({
  indent: fc.constantFrom('  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  trailing: fc.boolean(),
  comments: fc.array(comment, { minLength: 1, maxLength: 5 }),
  names: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
  others: fc.uniqueArray(name, { minLength: 0, maxLength: 3 }),
});

function styled({
  indent,
  eol,
  trailing,
  comments,
  names,
  others,
}: {
  indent: string;
  eol: string;
  trailing: boolean;
  comments: string[];
  names: string[];
  others: string[];
}): string {
  let n = 0;
  const line = (depth: number, text: string, last: boolean) =>
    `${indent.repeat(depth)}${text}${last && !trailing ? '' : ','}${comments[n++ % comments.length]}`;
  const servers = names.map((key, i) => line(2, `"${key}": { "command": "${key}" }`, i === names.length - 1));
  const rest = others.map((key, i) => line(1, `"${key}x": true`, i === others.length - 1));
  return [
    '{',
    `${indent}"mcpServers": {`,
    ...servers,
    line(1, '}', rest.length === 0),
    ...rest,
    '}',
    '',
  ].join(eol);
}

test('adding and removing gives the same bytes, whatever the style', () => {
  fc.assert(
    fc.property(style, (given) => {
      const text = styled(given);
      const added = commented.set(text, path, entry);
      expect(commented.parse(added)).toEqual({
        ...commented.parse(text),
        mcpServers: { ...Object(commented.parse(text).mcpServers), pinhole: entry },
      });
      expect(commented.set(added, path, entry)).toBe(added);
      expect(commented.remove(added, path)).toBe(text);
    }),
  );
});
