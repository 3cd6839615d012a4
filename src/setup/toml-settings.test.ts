import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnusableSettings } from './settings-format.ts';
import { tomlSettings } from './toml-settings.ts';

const path = ['mcp_servers', 'pinhole'] as const;
const entry = { command: 'npx', args: ['-y', 'pinhole', 'mcp'] };
const table = '[mcp_servers.pinhole]\ncommand = "npx"\nargs = ["-y", "pinhole", "mcp"]\n';

const config = `# my settings
model = "gpt-5.2-codex" # the good one
notes = """
[mcp_servers.pinhole]
not a table
"""

[mcp_servers.other]
command = 'x'
args = [
  "[mcp_servers.pinhole]", # not one either
]

# about profiles
[profiles."a.b"]
effort = "high"
`;

describe('adding', () => {
  test('to nothing', () => expect(tomlSettings.set('', path, entry)).toBe(table));

  test('at the end, everything else untouched', () => {
    expect(tomlSettings.set(config, path, entry)).toBe(`${config}\n${table}`);
  });

  test('to a text without a last line break, with Windows line ends', () => {
    expect(tomlSettings.set('a = 1\r\nb = 2', path, { command: 'x' })).toBe(
      'a = 1\r\nb = 2\r\n\r\n[mcp_servers.pinhole]\r\ncommand = "x"\r\n',
    );
  });
});

describe('updating', () => {
  test('changes what differs and leaves comments and other keys', () => {
    const text = `[mcp_servers.pinhole] # mine
command = "old" # why
startup_timeout_sec = 20

[mcp_servers.pinhole.env]
PINHOLE_HOME = "/x"
`;
    expect(tomlSettings.set(text, path, entry)).toBe(`[mcp_servers.pinhole] # mine
args = ["-y", "pinhole", "mcp"]
command = "npx" # why
startup_timeout_sec = 20

[mcp_servers.pinhole.env]
PINHOLE_HOME = "/x"
`);
  });

  test('twice is once', () => {
    const once = tomlSettings.set(config, path, entry);
    expect(tomlSettings.set(once, path, entry)).toBe(once);
  });

  test('an equal entry in another notation is left alone, a different one is refused', () => {
    const inline = '[mcp_servers]\npinhole = { command = "npx", args = ["-y", "pinhole", "mcp"] }\n';
    expect(tomlSettings.set(inline, path, entry)).toBe(inline);
    expect(() => tomlSettings.set(inline, path, { command: 'y' })).toThrow(
      'mcp_servers.pinhole is not a separate table (line 2, column 1). Change it by hand',
    );
  });
});

describe('removing', () => {
  test('takes the table and its sub-tables, leaves comments of others', () => {
    const text = `a = 1

[mcp_servers.pinhole]
command = "x"
# inside
args = []

[mcp_servers.pinhole.env]
A = "1"

# about b
[b]
c = 1
`;
    expect(tomlSettings.remove(text, path)).toBe('a = 1\n\n# about b\n[b]\nc = 1\n');
  });

  test('dotted and inline notations', () => {
    expect(tomlSettings.remove('[mcp_servers]\npinhole.command = "x"\nb.command = "y"\n', path)).toBe(
      '[mcp_servers]\nb.command = "y"\n',
    );
    expect(tomlSettings.remove('[mcp_servers]\n"pinhole" = { command = "x" }\n', path)).toBe(
      '[mcp_servers]\n',
    );
  });
});

test('refuses what does not parse and says where', () => {
  expect(() => tomlSettings.set('a = 1\nb = = 2\n', path, entry)).toThrow(UnusableSettings);
  expect(() => tomlSettings.set('a = 1\nb = = 2\n', path, entry)).toThrow(/at line 2, column \d/);
});

// Any mixture of statements: removing undoes adding, and the parsed rest stays the same.
const statement = fc.constantFrom(
  'x = 1',
  'y = "a # b" # c',
  "z = '''\n[mcp_servers.pinhole]\n'''",
  'w = """a\\"""" # quotes',
  'v = [1, # one\n  2]',
  'u = { a = 1 }',
  '# a comment',
  '',
);
const text = fc
  .array(fc.uniqueArray(statement, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
  .map((blocks) => blocks.map((lines, i) => [`[t${i}]`, ...lines, ''].join('\n')).join('\n'));

test('adding and removing gives the same bytes', () => {
  fc.assert(
    fc.property(text, (before) => {
      const added = tomlSettings.set(before, path, entry);
      expect(tomlSettings.parse(added)).toEqual({
        ...tomlSettings.parse(before),
        mcp_servers: { pinhole: entry },
      });
      expect(tomlSettings.remove(added, path)).toBe(before);
    }),
  );
});
