import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { applyChange } from './apply.ts';
import { CLIENTS, type ClientName, isInstalled } from './clients.ts';
import { lineDiff } from './diff.ts';
import { defaultLaunch, splitCommand } from './launch.ts';
import { onPath, type Place } from './place.ts';
import { planClient, type SetupRequest } from './plan-changes.ts';

const root = mkdtempSync(join(realpathSync(tmpdir()), 'pinhole-setup-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const launch = { command: 'npx', args: ['-y', 'pinhole', 'mcp'] };
const NOW = Date.UTC(2026, 10, 15, 3, 45, 12);
let place: Place;
let count = 0;

beforeEach(() => {
  const home = join(root, String(count++));
  mkdirSync(join(home, 'project'), { recursive: true });
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
    return { ...change, backup: applyChange(change, NOW) };
  });
}

const where = {
  claude: ['.claude.json', 'project/.mcp.json'],
  codex: ['.codex/config.toml', 'project/.codex/config.toml'],
  gemini: ['.gemini/settings.json', 'project/.gemini/settings.json'],
  cursor: ['.cursor/mcp.json', 'project/.cursor/mcp.json'],
  vscode: ['.config/Code/User/mcp.json', 'project/.vscode/mcp.json'],
  opencode: ['.config/opencode/opencode.json', 'project/opencode.json'],
} as const;

describe.each(CLIENTS.map(({ name }) => name))('%s', (name) => {
  test('adds, then has nothing to change, then removes', () => {
    for (const [i, scope] of (['user', 'project'] as const).entries()) {
      const file = join(place.home, where[name][i] ?? '');
      expect(run(name, { scope })).toMatchObject([{ what: 'add', file, backup: undefined }]);
      expect(statSync(file).mode & 0o777).toBe(scope === 'user' ? 0o600 : 0o666 & ~process.umask());
      expect(run(name, { scope })).toMatchObject([{ what: 'nothing' }]);
      const [removed] = run(name, { scope, launch: undefined });
      expect(removed).toMatchObject({ what: 'remove', backup: `${file}.before-pinhole-20261115-034512` });
      expect(client(name).format.parse(readFileSync(file, 'utf8'))).toEqual({});
      expect(run(name, { scope, launch: undefined })).toMatchObject([{ what: 'nothing' }]);
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
      }[name],
    );
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

  test('inline TOML tables that cannot be extended are refused', () => {
    write('.codex/config.toml', 'mcp_servers = { other = { command = "x" } }\n');
    expect(run('codex')).toMatchObject([{ what: 'refused', reason: expect.stringContaining('TOML') }]);
  });

  test('a change by the client between plan and write is not lost', () => {
    const file = write('.claude.json', '{"a": 1}');
    const [change] = planClient(client('claude'), place, { scope: 'user', launch });
    writeFileSync(file, '{"a": 2}');
    expect(() => change && applyChange(change, NOW)).toThrow('it changed while setup was running');
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
      args: ['-y', 'pinhole', 'mcp', '--read-only'],
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
    expect(run('opencode', { launch: undefined })).toMatchObject([{ what: 'remove', file }]);
  });
});

describe('the command clients run', () => {
  test('from a checkout: by path', () => {
    expect(defaultLaunch('/src/pinhole/dist/main.js', place)).toEqual({
      command: process.execPath,
      args: ['/src/pinhole/dist/main.js', 'mcp'],
    });
  });

  test('through npx: by npx; on Windows through the shell', () => {
    const main = '/home/x/.npm/_npx/1/node_modules/pinhole/dist/main.js';
    expect(defaultLaunch(main, place)).toEqual(launch);
    expect(defaultLaunch(main, { ...place, platform: 'win32' })).toEqual({
      command: 'cmd',
      args: ['/c', 'npx', '-y', 'pinhole', 'mcp'],
    });
  });

  test('installed for good: by name', () => {
    const main = write('lib/node_modules/pinhole/dist/main.js', '');
    const bin = join(place.home, 'bin');
    mkdirSync(bin);
    const there = { ...place, env: { PATH: bin } };
    expect(defaultLaunch(main, there)).toEqual(launch);
    chmodSync(main, 0o755);
    symlinkSync(main, join(bin, 'pinhole'));
    expect(onPath('pinhole', there)).toBe(main);
    expect(defaultLaunch(main, there)).toEqual({ command: 'pinhole', args: ['mcp'] });
  });

  test('given as one line', () => {
    expect(splitCommand(`"/a b/node" main.js mcp --root='/x y'`)).toEqual({
      command: '/a b/node',
      args: ['main.js', 'mcp', '--root=/x y'],
    });
    expect(() => splitCommand('  ')).toThrow('--command must name a program.');
  });
});

test('the difference shows two lines around', () => {
  expect(lineDiff('a\nb\nc\nd\ne\n', 'a\nb\nc\nx\nd\ne\n')).toEqual(['  b', '  c', '+ x', '  d', '  e']);
  expect(lineDiff('', 'a\n')).toEqual(['+ a']);
  expect(lineDiff('a\n', 'a\n')).toEqual([]);
});
