import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAIN, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const { env } = processHome();
const home = temporaryFolder();
const project = temporaryFolder();
mkdirSync(join(home, '.codex'));
mkdirSync(join(home, '.cursor'));
const config = join(home, '.codex/config.toml');
writeFileSync(config, '# mine\nmodel = "x"\n');

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function pinhole(...args: string[]): Promise<Run> {
  // No client of this machine may be found: only the made home counts.
  const clean = { ...env, HOME: home, PATH: '' };
  return new Promise((done) =>
    execFile(process.execPath, [MAIN, ...args], { cwd: project, env: clean }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    ),
  );
}

describe('setup', () => {
  test('shows the change and makes none with --dry-run, or without --yes where nobody can be asked', async () => {
    for (const [args, code] of [
      [['--dry-run'], 0],
      [[], 1],
    ] as const) {
      const run = await pinhole('setup', ...args);
      expect(run).toMatchObject({ code, err: '' });
      expect(run.out).toContain('Codex        ~/.codex/config.toml  add\n');
      expect(run.out).toContain(`    + command: "${process.execPath}"\n    + args: ["${MAIN}", "mcp"]\n`);
      expect(run.out).toContain('Cursor       ~/.cursor/mcp.json  new file\n');
      expect(run.out).toContain('Nothing was changed.');
    }
    expect(readFileSync(config, 'utf8')).toBe('# mine\nmodel = "x"\n');
    expect(readdirSync(join(home, '.cursor'))).toEqual([]);
  });

  test('adds, is done the second time, removes', async () => {
    expect((await pinhole('setup', '--yes', '--client', 'codex')).out).toMatch(
      /done {2}Codex: ~\/\.codex\/config\.toml {2}\(backup: ~\/\.codex\/config\.toml\.before-pinhole-\d{8}-\d{6}\)/,
    );
    expect((await pinhole('setup', '--client', 'codex')).out).toContain('nothing to change');
    expect(await pinhole('setup', '--remove', '--yes', '--client', 'codex')).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe('# mine\nmodel = "x"\n');
  });

  test('a command of ones own, in the project', async () => {
    const run = await pinhole(
      ...['setup', '--yes', '--client', 'claude,vscode', '--scope', 'project'],
      ...['--command', 'pinhole mcp --toolsets code'],
    );
    expect(run.code).toBe(0);
    expect(JSON.parse(readFileSync(join(project, '.mcp.json'), 'utf8')).mcpServers.pinhole).toEqual({
      type: 'stdio',
      command: 'pinhole',
      args: ['mcp', '--toolsets', 'code'],
    });
    expect(readdirSync(join(project, '.vscode'))).toEqual(['mcp.json']);
  });

  test('keeps the sessions that were chosen, and other flags, until another choice is made', async () => {
    const args = async (...words: string[]) => {
      expect((await pinhole('setup', '--yes', '--client', 'codex', ...words)).code).toBe(0);
      return /^args = (.*)$/m.exec(readFileSync(config, 'utf8'))?.[1];
    };
    writeFileSync(
      config,
      '[mcp_servers.pinhole]\ncommand = "pinhole"\nargs = ["mcp", "--toolsets", "code"]\n',
    );
    const flags = (words: string) => `["${MAIN}", "mcp", "--toolsets", "code"${words}]`;
    expect(await args('--sessions', 'project')).toBe(flags(', "--sessions", "project"'));
    expect(await args()).toBe(flags(', "--sessions", "project"'));
    expect(await args('--sessions', 'all')).toBe(flags(''));
    writeFileSync(config, '# mine\nmodel = "x"\n');
  });

  test('a settings file of one line shows nothing but our entry', async () => {
    const file = join(home, '.claude.json');
    writeFileSync(
      file,
      '{"oauthAccount":{"secretNote":"hunter2"},"mcpServers":{"x":{"env":{"KEY":"hunter2"}}}}',
    );
    const run = await pinhole('setup', '--dry-run', '--client', 'claude');
    expect(run.out).toContain('+ command: ');
    expect(run.out).not.toContain('hunter2');
    rmSync(file);
  });

  test('removes everything everywhere: both scopes, clients that are gone, the skill', async () => {
    for (const args of [
      ['--client', 'codex,windsurf,goose'],
      ['--client', 'claude,cursor,vscode,zed', '--scope', 'project'],
      ['--skill'],
    ])
      expect((await pinhole('setup', '--yes', ...args)).code).toBe(0);
    expect(existsSync(join(home, '.agents/skills/pinhole/SKILL.md'))).toBe(true);
    const run = await pinhole('setup', '--remove', '--yes');
    expect(run.code).toBe(0);
    expect(run.out.match(/^done /gm)).toHaveLength(9);
    const left = [home, project].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /(json|toml|yaml|md)$/.test(name) && !name.startsWith('project'))
        .filter((name) => readFileSync(join(folder, name), 'utf8').includes('pinhole')),
    );
    expect(left).toEqual([]);
    // Nothing to commit is left in the project.
    expect(readdirSync(project).filter((name) => name.includes('mcp'))).toEqual([]);
    expect((await pinhole('setup', '--remove')).out).toBe('No settings have Pinhole.\n');
  });

  test('wrong usage and broken files', async () => {
    expect(await pinhole('setup', '--client', 'emacs')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^pinhole: Unknown client 'emacs'. Choose one of: claude, .*, pi\./),
    });
    expect(await pinhole('setup', '--scope', 'world')).toMatchObject({ code: 2 });
    expect(await pinhole('setup', 'emacs')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^pinhole: Unknown client 'emacs'/),
    });
    expect(await pinhole('setup', 'codex', '--dry-run')).toEqual(
      await pinhole('setup', '--client', 'codex', '--dry-run'),
    );
    const file = join(home, '.cursor/mcp.json');
    writeFileSync(file, '{');
    const run = await pinhole('setup', '--yes', '--client', 'cursor');
    expect(run.code).toBe(1);
    expect(run.out).toContain('left alone: it is not valid JSON (close brace expected at line 1, column 2)');
    expect(readFileSync(file, 'utf8')).toBe('{');
    writeFileSync(file, '{}');
  });
});

describe('doctor', () => {
  test('checks everything, in words and as JSON', async () => {
    await pinhole('setup', '--yes', '--client', 'codex');
    const words = await pinhole('doctor');
    expect(words).toMatchObject({ code: 0, err: '' });
    expect(words.out).toMatch(/^ok {4}node {7}Node\.js \d/);
    expect(words.out).toMatch(/process {4}(started|runs) at http:\/\/127\.0\.0\.1:\d+/);
    expect(words.out).toContain('Codex (');
    expect(words.out).toContain('warn  clients    Pinhole is not set up in Cursor\n');
    expect(words.out).toContain('fix: pinhole setup --client cursor\n');
    const { data } = JSON.parse((await pinhole('doctor', '--json')).out);
    expect(data.healthy).toBe(true);
    expect(data.findings[0]).toEqual({
      check: 'node',
      state: 'ok',
      text: `Node.js ${process.versions.node}`,
    });
  });

  test('--deep starts the servers of the clients and lists their tools', async () => {
    const { out } = await pinhole('doctor', '--deep');
    expect(out).toMatch(/^ok {4}servers {4}Codex \(.*config\.toml\): \d+ tools in \d+ ms$/m);
  });

  test('fails when a client would start what is not there', async () => {
    await pinhole('setup', '--yes', '--client', 'codex', '--command', '/nowhere/pinhole mcp');
    const { code, out } = await pinhole('doctor');
    expect(code).toBe(1);
    expect(out).toContain('FAIL  clients    Codex would start /nowhere/pinhole, which does not exist');
    expect(out).toContain('1 problem to fix before Pinhole works.');
  });
});
