import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support.ts';

const LARGEST_BYTES = 30_000_000;

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(program: string, args: readonly string[], cwd: string, env = process.env): Promise<Run> {
  return new Promise((done) =>
    execFile(program, args, { cwd, env, maxBuffer: 50_000_000 }, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err }),
    ),
  );
}

// A stranger's machine: an empty home, an empty folder, a small project. Only npm's own settings come along.
const home = realpathSync(temporaryFolder());
const folder = realpathSync(temporaryFolder());
const project = join(folder, 'project');
let env: NodeJS.ProcessEnv;
let tarball: string;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Packed;

const pinhole = (...args: string[]) => run(join(folder, 'node_modules/.bin/pinhole'), args, project, env);

beforeAll(async () => {
  const settings = await run('npm', ['config', 'get', 'userconfig'], folder);
  const cache = await run('npm', ['config', 'get', 'cache'], folder);
  env = {
    PATH: process.env.PATH,
    HOME: home,
    PINHOLE_PORT: '0',
    PINHOLE_IDLE_SECONDS: '120',
    npm_config_userconfig: settings.out.trim(),
    npm_config_cache: cache.out.trim(),
  };
  const pack = await run('npm', ['pack', '--json', '--pack-destination', folder], process.cwd());
  expect(pack.code, pack.err).toBe(0);
  packed = JSON.parse(pack.out)[0];
  tarball = join(folder, packed.filename);
  mkdirSync(join(project, 'src'), { recursive: true });
  writeFileSync(
    join(project, 'src/server.ts'),
    'export function createServer(port: number) {\n  return port;\n}\n',
  );
  writeFileSync(join(folder, 'package.json'), '{"private": true}');
  const install = await run('npm', ['install', '--no-audit', '--no-fund', tarball], folder, env);
  expect(install.code, install.err).toBe(0);
});
afterAll(() => pinhole('stop'));

describe('the package', () => {
  test('has the command, the model, the page and the notices, and nothing of ours', () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of [
      ...['dist/main.js', 'dist/THIRD-PARTY.txt', 'dist/web/index.html', 'dist/web/.views.json'],
      'model/weights/meta.json',
      ...['LICENSE', 'CHANGELOG.md', 'package.json'],
    ])
      expect(paths).toContain(path);
    const allowed =
      /^(dist\/(main\.js|THIRD-PARTY\.txt|chunks\/|workers\/|web\/)|model\/weights\/|(LICENSE|README\.md|CHANGELOG\.md|package\.json)$)/;
    expect(paths.filter((path) => !allowed.test(path) || /\.(ts|map)$|\.stamp$/.test(path))).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(LARGEST_BYTES);
  });

  test('brings along only what is not bundled', () => {
    const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    for (const name of ['zod', 'hono', '@modelcontextprotocol']) expect(names).not.toContain(name);
  });
});

describe('by npx, in an empty folder and an empty home', () => {
  test('tells its version and shows what setup would do', async () => {
    const elsewhere = realpathSync(temporaryFolder());
    copyFileSync(tarball, join(elsewhere, packed.filename));
    const local = `./${packed.filename}`;
    const version = await run('npx', ['--yes', local, '--version'], elsewhere, env);
    expect(version.out, version.err).toBe(`${JSON.parse(readFileSync('package.json', 'utf8')).version}\n`);
    const setup = await run(
      'npx',
      ['--yes', local, 'setup', '--dry-run', '--client', 'codex'],
      elsewhere,
      env,
    );
    expect(setup.code, setup.err).toBe(0);
    expect(setup.out).toContain('+ command = "npx"\n    + args = ["-y", "pinhole", "mcp"]');
    expect(existsSync(join(home, '.codex'))).toBe(false);
  });
});

describe('installed', () => {
  test('serves its tools over stdio, and answers', async () => {
    const client = new Client({ name: 'stranger', version: '1.0.0' }, { capabilities: {} });
    await client.connect(
      new StdioClientTransport({
        command: join(folder, 'node_modules/.bin/pinhole'),
        args: ['mcp'],
        cwd: project,
        env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value ?? ''])),
        stderr: 'pipe',
      }),
    );
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    for (const name of ['cd', 'inspect', 'index', 'job_progress', 'list_sessions'])
      expect(names).toContain(name);
    const answer = await client.callTool({ name: 'cd', arguments: { path: '.' } });
    expect(JSON.stringify(answer.content)).toContain('src');
    await client.close();
  });

  test('searches code, lists sessions, sums up a disk', async () => {
    const search = await pinhole('code', 'search', 'createServer');
    expect(search.out, search.err).toContain('src/server.ts');
    const found = await pinhole('code', 'find', 'function that makes a server', '--json');
    expect(JSON.parse(found.out).data.matches[0].path, found.err).toBe('src/server.ts');
    const sessions = await pinhole('sessions', 'list', '--json');
    expect(JSON.parse(sessions.out).data.sessions).toEqual([]);
    const cd = await pinhole('disk', 'cd', '.');
    expect(cd.out, cd.err).toContain('src');
    const { job_id } = JSON.parse((await pinhole('index', project, '--json')).out).data;
    await expect
      .poll(async () => JSON.parse((await pinhole('job', job_id, '--json')).out).data.status, {
        timeout: 30_000,
      })
      .toBe('done');
    expect((await pinhole('disk')).out).toMatch(/1 files?, 1 folders?/);
  });

  test('serves the page', async () => {
    const { url } = JSON.parse((await pinhole('status', '--json')).out);
    const { token } = JSON.parse(readFileSync(join(home, '.local/share/pinhole/background.json'), 'utf8'));
    const get = (path: string) => fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    const page = await get('/');
    expect(page.status).toBe(200);
    const html = await page.text();
    expect(html).toContain('<title>Pinhole');
    for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g))
      expect((await get(path)).status, path).toBe(200);
  });

  test('runs, is well, and ends', async () => {
    const { url } = JSON.parse((await pinhole('status', '--json')).out);
    const page = await fetch(`${url}/sessions`);
    expect(await page.text()).toContain('<title>Pinhole</title>');
    expect(page.status).toBe(200);
    const doctor = await pinhole('doctor', '--json');
    expect(JSON.parse(doctor.out).healthy, doctor.out).toBe(true);
    expect((await pinhole('stop')).out).toBe('Pinhole stopped.\n');
    expect(statSync(join(home, '.local/share/pinhole/pinhole.db')).isFile()).toBe(true);
  });
});
