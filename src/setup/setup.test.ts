import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { PINNED_PACKAGE } from '../contract/version.ts';
import { applyChange } from './apply.ts';
import { type ClientName, SCOPES } from './client.ts';
import { CLIENTS, isInstalled } from './clients.ts';
import { entryDiff } from './diff.ts';
import { defaultLaunch, splitCommand } from './launch.ts';
import { onPath, type Place } from './place.ts';
import { planClient, type SetupRequest } from './plan-changes.ts';
import type { SettingsFormat } from './settings-format.ts';
import { planSkill } from './skill.ts';

const root = mkdtempSync(join(realpathSync(tmpdir()), 'pinhole-setup-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const launch = { command: 'npx', args: ['-y', PINNED_PACKAGE, 'mcp'] };
const NOW = Date.UTC(2026, 10, 15, 3, 45, 12);
let place: Place;
let backups: string;
let count = 0;

beforeEach(() => {
  const home = join(root, String(count++));
  mkdirSync(join(home, 'project'), { recursive: true });
  backups = join(home, 'backups');
  place = { home, cwd: join(home, 'project'), env: { PATH: '' }, platform: 'linux' };
});

function client(name: ClientName) {
  const found = CLIENTS.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

function write(path: string, text: string): string {
  const file = join(place.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function run(name: ClientName, request: Partial<SetupRequest> = {}) {
  const changes = planClient(client(name), place, { scope: 'user', launch, ...request });
  return changes.map((change) => {
    if (change.what === 'nothing' || change.what === 'refused') return { ...change, backup: undefined };
    return { ...change, backup: applyChange(change, NOW, backups) };
  });
}

const where = {
  claude: ['.claude.json', 'project/.mcp.json'],
  codex: ['.codex/config.toml', 'project/.codex/config.toml'],
  gemini: ['.gemini/settings.json', 'project/.gemini/settings.json'],
  cursor: ['.cursor/mcp.json', 'project/.cursor/mcp.json'],
  vscode: ['.config/Code/User/mcp.json', 'project/.vscode/mcp.json'],
  opencode: ['.config/opencode/opencode.json', 'project/opencode.json'],
  'claude-desktop': ['.config/Claude/claude_desktop_config.json'],
  windsurf: ['.codeium/windsurf/mcp_config.json'],
  zed: ['.config/zed/settings.json', 'project/.zed/settings.json'],
  cline: ['.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'],
  copilot: ['.copilot/mcp-config.json'],
  junie: ['.junie/mcp/mcp.json', 'project/.junie/mcp/mcp.json'],
  goose: ['.config/goose/config.yaml'],
  qwen: ['.qwen/settings.json', 'project/.qwen/settings.json'],
  kilo: ['.config/kilo/kilo.json', 'project/kilo.json'],
  kimi: ['.kimi-code/mcp.json', 'project/.kimi-code/mcp.json'],
  droid: ['.factory/mcp.json', 'project/.factory/mcp.json'],
  pi: ['.pi/agent/mcp.json', 'project/.pi/mcp.json'],
} as const satisfies Record<ClientName, readonly string[]>;

/** Settings of a person with servers of their own, in the notations that clients use; those with comments first. */
const SETTINGS = [
  `// above
{
  "mine": [1, 2], // beside
  "CONTAINER": {
    // of the first
    "first": { "command": "npx" },
    /* of the last */
    "last": { "command": "npx", "env": { "A": "b" } }, // behind it
    // below
  },
  "theme": "dark"
}
// end
`,
  `# above
mine = [1, 2] # beside

[CONTAINER.first]
command = "npx" # of the first

# of the last
[CONTAINER.last]
command = "npx"
env = { A = "b" }
# end
`,
  `# above
mine: [1, 2] # beside
CONTAINER:
  # of the first
  first:
    command: npx
  # of the last
  last:
    command: npx
    env:
      A: b # behind it
theme: dark
# end
`,
  `{
    "mine": [1, 2],
    "CONTAINER": {
        "first": { "command": "npx" },
        "last": { "command": "npx", "env": { "A": "b" } }
    },
    "theme": "dark"
}
`,
];

function reads(format: SettingsFormat, text: string): boolean {
  try {
    return Object.hasOwn(format.parse(text), 'mine');
  } catch {
    return false;
  }
}

test('a settings file without an end is left alone, and so is what is no file', () => {
  mkdirSync(join(place.home, '.codex'));
  symlinkSync('/dev/zero', join(place.home, '.codex/config.toml'));
  expect(run('codex')).toMatchObject([{ what: 'refused', reason: 'it is not a plain file' }]);
  mkdirSync(join(place.home, '.cursor/mcp.json'), { recursive: true });
  expect(run('cursor')).toMatchObject([{ what: 'refused', reason: 'it is not a plain file' }]);
  const large = write('.gemini/settings.json', '');
  truncateSync(large, 100_000_000);
  expect(run('gemini')).toMatchObject([{ what: 'refused', reason: 'it is larger than 64 MB' }]);
});

describe.each(CLIENTS.map(({ name }) => name))('%s', (name) => {
  test('adds, then has nothing to change, then removes without a trace', () => {
    for (const [i, scope] of SCOPES.entries()) {
      const path: string | undefined = where[name][i];
      if (path === undefined) {
        expect(run(name, { scope })).toEqual([]);
        continue;
      }
      const file = join(place.home, path);
      expect(run(name, { scope })).toMatchObject([{ what: 'add', file, backup: undefined }]);
      expect(statSync(file).mode & 0o777).toBe(scope === 'user' ? 0o600 : 0o666 & ~process.umask());
      expect(run(name, { scope })).toMatchObject([{ what: 'nothing' }]);
      const folder = scope === 'user' ? dirname(file) : backups;
      const backup = join(folder, `${basename(file)}.with-pinhole-20261115-034512`);
      expect(run(name, { scope, launch: undefined })).toMatchObject([{ what: 'remove', backup }]);
      expect(existsSync(file)).toBe(false);
      expect(run(name, { scope, launch: undefined })).toEqual([]);
    }
  });

  test('what it writes is what the client documents', () => {
    run(name);
    const settings = client(name).format.parse(readFileSync(join(place.home, where[name][0]), 'utf8'));
    const { command, args } = launch;
    expect(settings).toEqual(
      {
        claude: { mcpServers: { pinhole: { type: 'stdio', command, args } } },
        codex: { mcp_servers: { pinhole: { command, args } } },
        gemini: { mcpServers: { pinhole: { command, args } } },
        cursor: { mcpServers: { pinhole: { command, args } } },
        vscode: { servers: { pinhole: { type: 'stdio', command, args } } },
        opencode: { mcp: { pinhole: { type: 'local', command: [command, ...args], enabled: true } } },
        'claude-desktop': { mcpServers: { pinhole: { command, args } } },
        windsurf: { mcpServers: { pinhole: { command, args } } },
        zed: { context_servers: { pinhole: { command, args } } },
        cline: { mcpServers: { pinhole: { command, args } } },
        copilot: { mcpServers: { pinhole: { type: 'local', command, args, tools: ['*'] } } },
        junie: { mcpServers: { pinhole: { command, args } } },
        goose: {
          extensions: { pinhole: { enabled: true, type: 'stdio', name: 'pinhole', cmd: command, args } },
        },
        qwen: { mcpServers: { pinhole: { command, args } } },
        kilo: { mcp: { pinhole: { type: 'local', command: [command, ...args], enabled: true } } },
        kimi: { mcpServers: { pinhole: { command, args } } },
        droid: { mcpServers: { pinhole: { type: 'stdio', command, args } } },
        pi: { mcpServers: { pinhole: { command, args } } },
      }[name],
    );
  });

  test('comments and other entries stay where they are, and removing gives the old bytes', () => {
    const { container, format } = client(name);
    const text = SETTINGS.find((one) => reads(format, one))?.replaceAll('CONTAINER', container) ?? '';
    const file = write(where[name][0], text);
    const comments = text.match(/(?:\/\/|#) .*/g) ?? [];
    expect(run(name)).toMatchObject([{ what: 'add', file }]);
    const after = readFileSync(file, 'utf8');
    for (const comment of comments) expect(after).toContain(comment);
    expect(format.parse(after)).toMatchObject({
      mine: [1, 2],
      [container]: { first: { command: 'npx' }, pinhole: {}, last: { command: 'npx', env: { A: 'b' } } },
    });
    run(name, { launch: undefined });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('is found by its settings', () => {
    expect(isInstalled(client(name), place)).toBe(false);
    mkdirSync(dirname(join(place.home, name === 'claude' ? '.claude/settings.json' : where[name][0])), {
      recursive: true,
    });
    expect(isInstalled(client(name), place)).toBe(true);
  });
});

describe('files of people', () => {
  test('the backup has the old bytes, the mode stays, a link stays a link', () => {
    const real = write('dotfiles/config.toml', 'model = "x" # mine\n');
    mkdirSync(join(place.home, '.codex'));
    symlinkSync(real, join(place.home, '.codex/config.toml'));
    const [done] = run('codex');
    expect(lstatSync(join(place.home, '.codex/config.toml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(done?.backup ?? '', 'utf8')).toBe('model = "x" # mine\n');
    expect(readFileSync(real, 'utf8')).toContain('[mcp_servers.pinhole]');
    expect(readdirSync(join(place.home, 'dotfiles'))).toEqual(['config.toml']);
  });

  test('a file that does not parse is refused with the place, and stays as it is', () => {
    const file = write('.cursor/mcp.json', '{ "mcpServers": {\n');
    expect(run('cursor')).toMatchObject([
      { what: 'refused', reason: 'it is not valid JSON (close brace expected at line 2, column 1)' },
    ]);
    expect(readFileSync(file, 'utf8')).toBe('{ "mcpServers": {\n');
    expect(readdirSync(dirname(file))).toEqual(['mcp.json']);
  });

  test('inline TOML tables that cannot be extended are refused, and not called invalid', () => {
    write('.codex/config.toml', 'mcp_servers = { other = { command = "x" } }\n');
    const [{ what, reason } = {}] = run('codex') as Partial<ReturnType<typeof run>[number]>[];
    expect(what).toBe('refused');
    expect(reason).toBe(
      'mcp_servers is an inline table (line 1, column 1), which cannot be extended. Turn it into [mcp_servers.NAME] tables, then run setup again',
    );
  });

  test('a switch that a person turned off stays off', () => {
    const file = write(
      '.config/opencode/opencode.json',
      '{"mcp": {"pinhole": {"type": "local", "command": ["old", "mcp"], "enabled": false}}}',
    );
    expect(run('opencode')).toMatchObject([{ what: 'update' }]);
    expect(JSON.parse(readFileSync(file, 'utf8')).mcp.pinhole.enabled).toBe(false);
    const goose = write(
      '.config/goose/config.yaml',
      'GOOSE_MODEL: x # mine\nextensions:\n    pinhole:\n        enabled: false\n        type: stdio\n        cmd: old\n        args:\n            - mcp\n            - --read-only\n        timeout: 300\n    other:\n        enabled: true\nlast: 1\n',
    );
    expect(run('goose')).toMatchObject([{ what: 'update' }]);
    expect(readFileSync(goose, 'utf8')).toBe(
      `GOOSE_MODEL: x # mine\nextensions:\n    pinhole:\n        name: "pinhole"\n        enabled: false\n        type: stdio\n        cmd: "npx"\n        args: ${JSON.stringify([...launch.args, '--read-only'])}\n        timeout: 300\n    other:\n        enabled: true\nlast: 1\n`,
    );
    run('goose', { launch: undefined });
    expect(readFileSync(goose, 'utf8')).toBe(
      'GOOSE_MODEL: x # mine\nextensions:\n    other:\n        enabled: true\nlast: 1\n',
    );
    run('goose');
    expect(readFileSync(goose, 'utf8')).toContain('extensions:\n    pinhole:\n        enabled: true\n');
  });

  test('removing finds entries for single folders, in every file, of clients that are gone', () => {
    const file = write(
      '.claude.json',
      '{"projects": {"/a": {"mcpServers": {"pinhole": {"command": "x"}}, "cost": 1}, "/b": {"mcpServers": {}}}}',
    );
    const [change] = run('claude', { launch: undefined });
    expect(change).toMatchObject({ what: 'remove', entries: { before: { command: 'x' } } });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      projects: { '/a': { mcpServers: {}, cost: 1 }, '/b': { mcpServers: {} } },
    });
    for (const name of ['opencode.json', 'opencode.jsonc'])
      write(`project/${name}`, '{"theme": "x", "mcp": {"pinhole": {}}}');
    expect(run('opencode', { scope: 'project', launch: undefined })).toMatchObject([
      { what: 'remove' },
      { what: 'remove' },
    ]);
  });

  test('in a project, a working entry stays; one that runs an unpinned package does not', () => {
    const program = write('bin/npx', '');
    chmodSync(program, 0o755);
    place = { ...place, env: { PATH: dirname(program) } };
    const entry = (...args: string[]) =>
      write('project/.mcp.json', JSON.stringify({ mcpServers: { pinhole: { command: 'npx', args } } }));
    const change = () => run('claude', { scope: 'project', keepWorking: true })[0]?.what;
    entry('-y', '@pinhole-tools/pinhole@0.0.9', 'mcp');
    expect(change()).toBe('nothing');
    entry('-y', 'pinhole', 'mcp');
    expect(change()).toBe('update');
    entry('-y', '@pinhole-tools/pinhole', 'mcp');
    expect(change()).toBe('update');
    write('project/.mcp.json', '{"mcpServers": {"pinhole": {"command": "/gone/node", "args": []}}}');
    expect(change()).toBe('update');
  });

  test('a change by the client between plan and write is not lost', () => {
    const file = write('.claude.json', '{"a": 1}');
    const [change] = planClient(client('claude'), place, { scope: 'user', launch });
    writeFileSync(file, '{"a": 2}');
    expect(() => change && applyChange(change, NOW, backups)).toThrow('it changed while setup was running');
    expect(readFileSync(file, 'utf8')).toBe('{"a": 2}');
  });

  test('an update keeps flags behind mcp and other keys of the entry', () => {
    const file = write(
      '.gemini/settings.json',
      '{"mcpServers": {"pinhole": {"command": "/old/node", "args": ["/old/main.js", "mcp", "--read-only"], "trust": true}}}',
    );
    expect(run('gemini')).toMatchObject([{ what: 'update' }]);
    expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.pinhole).toEqual({
      command: 'npx',
      args: [...launch.args, '--read-only'],
      trust: true,
    });
  });

  test('a byte-order mark stays', () => {
    const file = write('.cursor/mcp.json', '\ufeff{}\n');
    run('cursor');
    expect(readFileSync(file, 'utf8').startsWith('\ufeff{')).toBe(true);
  });

  test('each edition of VS Code that is in use gets its own', () => {
    mkdirSync(join(place.home, '.config/Code - Insiders/User'), { recursive: true });
    mkdirSync(join(place.home, '.config/VSCodium/User'), { recursive: true });
    expect(run('vscode').map(({ file }) => file.slice(place.home.length))).toEqual([
      '/.config/Code - Insiders/User/mcp.json',
      '/.config/VSCodium/User/mcp.json',
    ]);
  });

  test('opencode.jsonc is used where it exists', () => {
    const file = write('.config/opencode/opencode.jsonc', '{\n  // mine\n}\n');
    expect(run('opencode')).toMatchObject([{ what: 'add', file }]);
    // A second file beside it does not get a second entry.
    write('.config/opencode/opencode.json', '{}\n');
    expect(run('opencode')).toMatchObject([{ what: 'nothing', file }]);
    expect(run('opencode', { launch: undefined })).toMatchObject([
      { what: 'nothing' },
      { what: 'remove', file },
    ]);
  });
});

describe('the command clients run', () => {
  test('from a checkout: by path', () => {
    expect(defaultLaunch('/src/pinhole/dist/main.js', place, 'user')).toEqual({
      command: process.execPath,
      args: ['/src/pinhole/dist/main.js', 'mcp'],
    });
  });

  test('by npx and exact version: through npx, and in files that others use; on Windows through the shell', () => {
    const main = '/home/x/.npm/_npx/1/node_modules/@pinhole-tools/pinhole/dist/main.js';
    expect(defaultLaunch(main, place, 'user')).toEqual(launch);
    expect(defaultLaunch('/src/pinhole/dist/main.js', place, 'project')).toEqual(launch);
    const windows = 'C:\\Users\\x\\AppData\\Local\\npm-cache\\_npx\\1\\node_modules\\p\\main.js';
    expect(defaultLaunch(windows, { ...place, platform: 'win32' }, 'user')).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', ...launch.args],
    });
  });

  test('installed: by absolute paths, with the name of Node.js that stays', () => {
    const main = write('lib/node_modules/pinhole/dist/main.js', '');
    const bin = join(place.home, 'bin');
    mkdirSync(bin);
    const there = { ...place, env: { PATH: bin } };
    expect(defaultLaunch(main, there, 'user')).toEqual(launch);
    chmodSync(main, 0o755);
    symlinkSync(main, join(bin, 'pinhole'));
    expect(onPath('pinhole', there)).toBe(main);
    expect(defaultLaunch(main, there, 'user')).toEqual({ command: process.execPath, args: [main, 'mcp'] });
    symlinkSync(process.execPath, join(bin, 'node'));
    expect(defaultLaunch(main, there, 'user').command).toBe(join(bin, 'node'));
  });

  test('given as one line', () => {
    expect(splitCommand(`"/a b/node" main.js mcp --root='/x y'`)).toEqual({
      command: '/a b/node',
      args: ['main.js', 'mcp', '--root=/x y'],
    });
    expect(() => splitCommand('  ')).toThrow('--command must name a program.');
  });
});

test('the difference shows the keys of our entry, and nothing else', () => {
  write(
    '.claude.json',
    '{"token": "hunter2", "mcpServers": {"pinhole": {"command": "old", "args": ["mcp"], "env": {"K": "hunter2"}}}}',
  );
  const [change] = run('claude');
  const lines = entryDiff(change?.entries?.before, change?.entries?.after);
  expect(lines).toEqual([
    '- command: "old"',
    '- args: ["mcp"]',
    '+ type: "stdio"',
    '+ command: "npx"',
    `+ args: ["-y", "${PINNED_PACKAGE}", "mcp"]`,
  ]);
  expect(entryDiff({ command: 'x' }, undefined)).toEqual(['- command: "x"']);
});

test('the skill is written for all agents, updated, and removed', () => {
  const apply = (remove: boolean) =>
    planSkill(place, 'user', remove).map((change) => {
      if (change.what !== 'nothing') applyChange(change, NOW, backups);
      return change.what;
    });
  expect(apply(false)).toEqual(['add', 'add']);
  const file = join(place.home, '.agents/skills/pinhole/SKILL.md');
  expect(readFileSync(file, 'utf8')).toMatch(/^---\nname: pinhole\n/);
  expect(existsSync(join(place.home, '.claude/skills/pinhole/SKILL.md'))).toBe(true);
  expect(apply(false)).toEqual(['nothing', 'nothing']);
  writeFileSync(file, 'old');
  expect(apply(false)).toEqual(['update', 'nothing']);
  expect(apply(true)).toEqual(['remove', 'remove']);
  expect(existsSync(file)).toBe(false);
  expect(apply(true)).toEqual(['nothing', 'nothing']);
});

describe('paths on other systems', () => {
  const filesOn = (platform: NodeJS.Platform, home: string, env: Place['env']) =>
    Object.fromEntries(
      CLIENTS.map((each) => [each.name, each.files({ home, cwd: home, env, platform }, 'user')[0]?.[0]]),
    );

  test('Windows: drive letters, backslashes, APPDATA', () => {
    const home = 'C:\\Users\\Ada';
    const APPDATA = 'C:\\Users\\Ada\\AppData\\Roaming';
    expect(filesOn('win32', home, { APPDATA })).toEqual({
      claude: `${home}\\.claude.json`,
      codex: `${home}\\.codex\\config.toml`,
      gemini: `${home}\\.gemini\\settings.json`,
      cursor: `${home}\\.cursor\\mcp.json`,
      vscode: `${APPDATA}\\Code\\User\\mcp.json`,
      opencode: `${home}\\.config\\opencode\\opencode.json`,
      'claude-desktop': `${APPDATA}\\Claude\\claude_desktop_config.json`,
      windsurf: `${home}\\.codeium\\windsurf\\mcp_config.json`,
      zed: `${APPDATA}\\Zed\\settings.json`,
      cline: `${APPDATA}\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json`,
      copilot: `${home}\\.copilot\\mcp-config.json`,
      junie: `${home}\\.junie\\mcp\\mcp.json`,
      goose: `${APPDATA}\\Block\\goose\\config\\config.yaml`,
      qwen: `${home}\\.qwen\\settings.json`,
      kilo: `${home}\\.config\\kilo\\kilo.json`,
      kimi: `${home}\\.kimi-code\\mcp.json`,
      droid: `${home}\\.factory\\mcp.json`,
      pi: `${home}\\.pi\\agent\\mcp.json`,
    });
  });

  test('macOS: Application Support for desktop programs, .config for those of the terminal', () => {
    const support = '/Users/ada/Library/Application Support';
    expect(filesOn('darwin', '/Users/ada', {})).toMatchObject({
      vscode: `${support}/Code/User/mcp.json`,
      'claude-desktop': `${support}/Claude/claude_desktop_config.json`,
      zed: '/Users/ada/.config/zed/settings.json',
      goose: '/Users/ada/.config/goose/config.yaml',
    });
  });
});
