import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { codex, lines } from '../../test/fixtures/sessions/logs.ts';
import type { Place } from '../setup/place.ts';
import { checkClients, configuredServers } from './check-clients.ts';
import { checkLogs } from './check-logs.ts';
import { checkDataFolder, checkNode } from './check-machine.ts';
import { checkServers } from './check-servers.ts';
import { type Finding, isHealthy } from './doctor-finding.ts';

const root = mkdtempSync(join(realpathSync(tmpdir()), 'pinhole-doctor-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let count = 0;
function newPlace(): Place {
  const home = join(root, String(count++));
  mkdirSync(join(home, 'project'), { recursive: true });
  return { home, cwd: join(home, 'project'), env: { PATH: '', HOME: home }, platform: 'linux' };
}

function write(place: Place, path: string, text: string): string {
  const file = join(place.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('Node.js 20.19 is the oldest', () => {
  expect(checkNode('20.19.0').state).toBe('ok');
  expect(checkNode('26.1.0').state).toBe('ok');
  expect(checkNode('20.18.3')).toEqual({
    check: 'node',
    state: 'fail',
    text: 'Node.js 20.18.3 is too old',
    fix: 'install Node.js 20.19 or newer',
  });
});

describe('data folder', () => {
  test('with room and to oneself is fine', () => {
    const home = join(root, 'data');
    expect(checkDataFolder(home, () => 5e9)).toEqual([
      { check: 'data', state: 'ok', text: `${home}, 5.0 GB free` },
    ]);
  });

  test('short of room, open to others', () => {
    const home = join(root, 'open');
    mkdirSync(home);
    chmodSync(home, 0o755);
    expect(checkDataFolder(home, () => 5e8)).toMatchObject([
      { state: 'warn', fix: 'free some space, or set PINHOLE_HOME to a folder on another disk' },
      { state: 'warn', fix: `chmod 700 ${home}` },
    ]);
    expect(checkDataFolder(home, () => 5e6)[0]?.state).toBe('fail');
  });

  test('with a damaged database', () => {
    const home = join(root, 'damaged');
    mkdirSync(home, { mode: 0o700 });
    for (const name of ['pinhole.db', 'pinhole.db.damaged-2026-11-15T10-00-00'])
      writeFileSync(join(home, name), '');
    expect(checkDataFolder(home, () => 5e9)[1]).toEqual({
      check: 'data',
      state: 'warn',
      text: `pinhole.db was damaged, and its last good copy was used instead; the damaged file is ${home}/pinhole.db.damaged-2026-11-15T10-00-00`,
      fix: 'check your allowed folders, selections and queries, then delete the damaged file',
    });
  });

  test('that cannot be made fails', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const findings = checkDataFolder(join(file, 'x'));
    expect(findings).toMatchObject([{ state: 'fail', text: `${join(file, 'x')} is not writable (ENOTDIR)` }]);
    expect(isHealthy(findings)).toBe(false);
  });
});

describe('clients', () => {
  test('none, one without Pinhole, one with it, one with a lost program, one broken', () => {
    const place = newPlace();
    expect(checkClients(place)).toMatchObject([{ state: 'warn', fix: 'pinhole setup --client NAME' }]);
    write(place, '.codex/config.toml', 'model = "x"\n');
    expect(checkClients(place)).toEqual([
      {
        check: 'clients',
        state: 'warn',
        text: 'Pinhole is not set up in Codex',
        fix: 'pinhole setup --client codex',
      },
    ]);
    const file = write(
      place,
      '.codex/config.toml',
      `[mcp_servers.pinhole]\ncommand = "${process.execPath}"\nargs = ["${join(place.home, 'main.js')}", "mcp"]\n`,
    );
    expect(checkClients(place)).toMatchObject([
      {
        state: 'fail',
        text: `Codex would start ${join(place.home, 'main.js')}, which does not exist (${file})`,
      },
    ]);
    write(place, 'main.js', '');
    expect(checkClients(place)).toEqual([{ check: 'clients', state: 'ok', text: `Codex (${file})` }]);
    write(place, '.codex/config.toml', 'model = \n');
    expect(checkClients(place)).toMatchObject([{ state: 'fail', text: expect.stringContaining('line 1') }]);
  });

  test('a program by name must be on PATH', () => {
    const place = newPlace();
    write(place, '.cursor/mcp.json', '{"mcpServers": {"pinhole": {"command": "npx"}}}');
    expect(checkClients(place)).toMatchObject([
      { state: 'fail', text: expect.stringContaining('would start npx') },
    ]);
    const npx = write(place, 'bin/npx', '');
    chmodSync(npx, 0o755);
    expect(checkClients({ ...place, env: { PATH: dirname(npx) } })).toMatchObject([{ state: 'ok' }]);
  });
});

describe('clients in a project', () => {
  test('entries of clients that are not installed are checked too, and the fix names the scope', () => {
    const place = { ...newPlace(), cwd: join(newPlace().home, 'project') };
    const file = join(place.cwd, '.cursor/mcp.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"mcpServers": {"pinhole": {"command": "/gone/node"}}}');
    expect(checkClients(place)).toEqual([
      {
        check: 'clients',
        state: 'fail',
        text: `Cursor would start /gone/node, which does not exist (${file})`,
        fix: 'pinhole setup --client cursor --scope project',
      },
    ]);
  });

  test("Claude Code's entry for this folder counts, one for another folder does not", () => {
    const place = newPlace();
    const entry = { mcpServers: { pinhole: { command: process.execPath, args: ['mcp'] } } };
    const file = write(place, '.claude.json', JSON.stringify({ projects: { [place.cwd]: entry } }));
    expect(checkClients(place)).toEqual([{ check: 'clients', state: 'ok', text: `Claude Code (${file})` }]);
    write(place, '.claude.json', JSON.stringify({ projects: { '/other': entry } }));
    expect(checkClients(place)).toMatchObject([{ text: 'Pinhole is not set up in Claude Code' }]);
  });

  test('a package without our scope or without a version is a warning', () => {
    const place = newPlace();
    const npx = write(place, 'bin/npx', '');
    chmodSync(npx, 0o755);
    write(
      place,
      '.cursor/mcp.json',
      '{"mcpServers": {"pinhole": {"command": "npx", "args": ["-y", "pinhole", "mcp"]}}}',
    );
    expect(checkClients({ ...place, env: { PATH: dirname(npx) } })).toMatchObject([
      { state: 'warn', fix: 'pinhole setup --client cursor' },
    ]);
  });
});

describe('servers', () => {
  const server = (script: string) => ({ command: process.execPath, args: ['-e', script] });
  const lists = `require('readline').createInterface({input: process.stdin}).on('line', (line) => {
    const {id, method} = JSON.parse(line);
    const tools = process.env.TWO ? [{}, {}] : [{}];
    if (id) console.log(JSON.stringify({jsonrpc: '2.0', id, result: method === 'tools/list' ? {tools} : {}}));
  })`;

  async function checked(place: Place, answerMs?: number): Promise<readonly Finding[]> {
    const findings: Finding[] = [];
    for await (const finding of checkServers(configuredServers(place), place, answerMs))
      findings.push(finding);
    return findings;
  }

  test('are started as the client would, and asked for their tools', async () => {
    const place = { ...newPlace(), env: {} };
    const servers = { mcpServers: { pinhole: { ...server(lists), env: { TWO: '1' } } } };
    const cursor = write(place, '.cursor/mcp.json', JSON.stringify(servers));
    const windsurf = write(
      place,
      '.codeium/windsurf/mcp_config.json',
      JSON.stringify({ mcpServers: { pinhole: server('console.error("no such folder"); process.exit(3)') } }),
    );
    const findings = await checked(place);
    expect(findings).toMatchObject([
      { check: 'servers', state: 'ok', text: expect.stringContaining(`Cursor (${cursor}): 2 tools in `) },
      {
        state: 'fail',
        text: expect.stringMatching(/ended with exit code 3: no such folder$/),
        fix: 'pinhole setup --client windsurf',
      },
    ]);
    expect(findings[1]?.text).toContain(windsurf);
  });

  test('which share a command are started once, and the others say so', async () => {
    const place = { ...newPlace(), env: {} };
    const servers = JSON.stringify({ mcpServers: { pinhole: { ...server(lists), env: { TWO: '1' } } } });
    write(place, '.cursor/mcp.json', servers);
    const windsurf = write(place, '.codeium/windsurf/mcp_config.json', servers);
    expect((await checked(place))[1]?.text).toBe(`Windsurf (${windsurf}): 2 tools, same command as Cursor`);
  });

  test('that say nothing are given up', async () => {
    const place = { ...newPlace(), env: {} };
    const silent = { mcpServers: { pinhole: server('process.stdin.resume()') } };
    write(place, '.qwen/settings.json', JSON.stringify(silent));
    expect(await checked(place, 100)).toMatchObject([
      { state: 'fail', text: expect.stringMatching(/did not answer within 0\.1 s$/) },
    ]);
  });
});

describe('logs', () => {
  const NOW = Date.UTC(2026, 10, 15);
  const DAY = 86_400_000;

  test('none', async () => {
    const { env } = newPlace();
    expect(await checkLogs(env, NOW)).toMatchObject([{ check: 'logs', state: 'warn' }]);
  });

  test('logs of an agent whose format is only known from its description', async () => {
    const place = newPlace();
    write(place, '.local/share/amp/threads/T-1.json', '{"id": "T-1", "messages": []}');
    expect(await checkLogs(place.env, NOW)).toMatchObject([
      {
        state: 'ok',
        text: expect.stringMatching(
          /^Amp: 1 log, .*\(written from the published format, never tried on a real log\)$/,
        ),
      },
    ]);
  });

  test('counts, sizes and what is deleted soon', async () => {
    const place = newPlace();
    const old = write(
      place,
      '.claude/projects/-p/0b1d6b0c-0000-4000-8000-000000000000.jsonl',
      'x'.repeat(1024),
    );
    const fresh = write(
      place,
      '.claude/projects/-p/0b1d6b0c-0000-4000-8000-000000000001.jsonl',
      'x'.repeat(1024),
    );
    utimesSync(old, (NOW - 26 * DAY) / 1000, (NOW - 26 * DAY) / 1000);
    utimesSync(fresh, NOW / 1000, NOW / 1000);
    expect(await checkLogs(place.env, NOW)).toEqual([
      {
        check: 'logs',
        state: 'ok',
        text: `Claude Code: 2 logs, 2.0 kB in ${join(place.home, '.claude/projects')}`,
      },
      {
        check: 'retention',
        state: 'warn',
        text: 'Claude Code deletes logs after 30 days: 1 within a week, the first 2026-11-19',
        fix: 'keep copies with pinhole sessions archive on, or set "cleanupPeriodDays": 3650 in ~/.claude/settings.json',
      },
    ]);
    write(place, '.claude/settings.json', '{"cleanupPeriodDays": 3650}');
    expect((await checkLogs(place.env, NOW))[1]).toEqual({
      check: 'retention',
      state: 'ok',
      text: 'Claude Code deletes logs after 3,650 days; none within a week',
    });
  });
});

describe('logs of other agents', () => {
  test('folders that are not read are named, each of them', async () => {
    const place = newPlace();
    write(place, '.hermes/state.db', '{}\n');
    write(place, '.continue/sessions/1.json', '{}\n');
    write(place, '.kiro/sessions/1.json', '{}\n');
    write(place, '.local/share/kiro-cli/data.sqlite3', '');
    const texts = (await checkLogs(place.env, Date.now())).map(({ text }) => text);
    expect(texts.filter((text) => text.endsWith(' are not read'))).toEqual([
      `Hermes: logs in ${place.home}/.hermes/state.db are not read`,
      `Continue: logs in ${place.home}/.continue/sessions are not read`,
      `Kiro: logs in ${place.home}/.kiro/sessions are not read`,
      `Kiro: logs in ${place.home}/.local/share/kiro-cli are not read`,
    ]);
    expect(texts.some((text) => text.startsWith('no session logs of Claude Code'))).toBe(true);
  });

  test('a log of another agent in the folder of one, and a file of no agent, cost one line each', async () => {
    const place = newPlace();
    const folder = join(place.home, '.claude/projects/p');
    const thread = '01a1dcbe-0000-7000-8000-000000000001';
    const rollout = write(place, `.claude/projects/p/rollout-${thread}.jsonl`, lines([codex.meta(thread)]));
    const notes = write(place, '.claude/projects/p/notes.jsonl', '{"note":"buy milk"}\n');
    const texts = async () =>
      (await checkLogs(place.env, Date.now()))
        .filter(({ check }) => check === 'logs')
        .map(({ text }) => text);
    expect(await texts()).toEqual([
      `${rollout} is in the folder of Claude Code, but is a log of Codex and read as such`,
      `${notes} is not read: its records are not those of Claude Code or another agent that Pinhole knows`,
    ]);
    write(place, `.claude/projects/p/rollout-2-${thread}.jsonl`, lines([codex.meta(thread)]));
    const list = write(place, '.claude/projects/p/list.jsonl', '{"note":"buy bread"}\n');
    expect(await texts()).toEqual([
      `2 logs in ${dirname(folder)}, the folder of Claude Code, are logs of Codex and read as such, e.g. ${join(folder, `rollout-${thread}.jsonl`)}`,
      `2 files in ${dirname(folder)} are not read: their records are not those of Claude Code or another agent that Pinhole knows, e.g. ${list}`,
    ]);
  });

  test('a folder on a drive that hangs costs one line; other logs are still counted', async () => {
    const place = newPlace();
    const slow = join(place.home, '.kimi-code/sessions');
    write(place, '.codex/sessions/2026/03/01/rollout-x.jsonl', '{}\n');
    const look = async (path: string) => (path === slow ? new Promise<never>(() => {}) : undefined);
    const texts = (await checkLogs(place.env, Date.now(), { look, maxWaitMs: 20 })).map(({ text }) => text);
    expect(texts).toContain(
      `cannot read ${slow}: the folder did not respond within 0.02 s; check its drive. Pinhole tries again later`,
    );
    expect(texts.some((text) => text.startsWith('Codex: 1 log, '))).toBe(true);
  });

  test('a file that is not a database costs one line; other logs are still counted', async () => {
    const place = newPlace();
    const file = write(place, '.local/share/opencode/opencode.db', 'not a database\n'.repeat(200));
    write(place, '.codex/sessions/2026/03/01/rollout-x.jsonl', '{}\n');
    const texts = (await checkLogs(place.env, Date.now())).map(({ text }) => text);
    expect(texts).toContain(`cannot read ${file}: file is not a database`);
    expect(texts.some((text) => text.startsWith('Codex: 1 log, '))).toBe(true);
  });
});
