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
import { launchBrowser } from '../browser/browser.ts';
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

// A stranger's machine: an empty folder, a small project, an empty home each. Only npm's own settings come along.
const folder = realpathSync(temporaryFolder());
const project = join(folder, 'project');
let npmEnv: NodeJS.ProcessEnv;
let tarball: string;
let installed: Run;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}
let packed: Packed;

/** The Node.js that runs this test, and those that the packages `node-PLATFORM` bring, by their first number. */
const OTHER_NODES = (process.env.PINHOLE_TEST_NODES ?? '22,24').split(',').filter((word) => word !== '');
const RUNNING = process.versions.node.split('.')[0] ?? '';
const VERSIONS = [RUNNING, ...OTHER_NODES.filter((version) => version !== RUNNING)];
const nodes = new Map([[RUNNING, process.execPath]]);

async function fetchNode(version: string): Promise<string> {
  const place = realpathSync(temporaryFolder());
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const got = await run('npm', [...INSTALL, '--prefix', place, `${name}@${version}`], place, npmEnv);
  expect(got.code, `Node.js ${version} cannot be had: ${got.err}`).toBe(0);
  const program = join(
    place,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  expect((await run(program, ['--version'], place)).out).toMatch(new RegExp(`^v${version}\\.`));
  return program;
}

const INSTALL = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
const main = join(folder, 'node_modules/@pinhole-tools/pinhole/dist/main.js');
const bundle = join(folder, 'bundle');

beforeAll(async () => {
  const settings = await run('npm', ['config', 'get', 'userconfig'], folder);
  const cache = await run('npm', ['config', 'get', 'cache'], folder);
  // Whatever set it: the registry that the checkout itself was installed from.
  const registry = await run('npm', ['config', 'get', 'registry'], process.cwd());
  // How this machine reaches the registry, such as a proxy or a certificate of its own, comes along too.
  const network = Object.entries(process.env).filter(([name]) =>
    /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|NO)_PROXY)$/i.test(name),
  );
  npmEnv = {
    ...Object.fromEntries(network),
    PATH: process.env.PATH,
    HOME: realpathSync(temporaryFolder()),
    npm_config_userconfig: settings.out.trim(),
    npm_config_cache: cache.out.trim(),
    npm_config_registry: registry.out.trim(),
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
  installed = await run('npm', [...INSTALL, tarball], folder, npmEnv);
  expect(installed.code, installed.err).toBe(0);
  for (const version of VERSIONS) if (!nodes.has(version)) nodes.set(version, await fetchNode(version));
  const made = await run(process.execPath, ['scripts/mcpb.mjs', tarball], process.cwd());
  expect(made.code, made.err).toBe(0);
  const file = made.out.slice(0, made.out.lastIndexOf(':'));
  const unpacked = await run('npx', ['mcpb', 'unpack', file, bundle], process.cwd());
  expect(unpacked.code, unpacked.err).toBe(0);
});

describe('the package', () => {
  test('has the command, the model, the page, the skill and the notices, and nothing else of ours', () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of [
      ...['dist/main.js', 'dist/THIRD-PARTY.txt', 'dist/web/index.html', 'dist/web/.views.json'],
      ...['model/weights/meta.json', 'packaging/plugin/skills/pinhole/SKILL.md'],
      ...['LICENSE', 'CHANGELOG.md', 'package.json', 'npm-shrinkwrap.json', 'dist/pinhole.1'],
    ])
      expect(paths).toContain(path);
    const allowed =
      /^(dist\/(main\.js|pinhole\.1|THIRD-PARTY\.txt|chunks\/|grammars\/|workers\/|web\/)|model\/weights\/|packaging\/plugin\/skills\/|docs\/[^/]+\.md$|docs\/api\/reference\.md$|docs\/guide\/|(LICENSE|[A-Z]+\.md|package\.json|npm-shrinkwrap\.json)$)/;
    expect(paths.filter((path) => !allowed.test(path) || /\.(ts|map)$|\.stamp$/.test(path))).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(LARGEST_BYTES);
  });

  test('has every page that its README links to', () => {
    const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      ([, to]) => to,
    );
    const paths = new Set(packed.files.map(({ path }) => path));
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((link) => !paths.has(link ?? ''))).toEqual([]);
  });

  test('brings along only what is not bundled, without a warning and without scripts', () => {
    const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    for (const name of ['zod', 'hono', '@modelcontextprotocol']) expect(names).not.toContain(name);
    // Settings of this machine that npm does not know are not ours.
    const warnings = installed.err.split('\n').filter((line) => /warn/i.test(line) && !/config/.test(line));
    expect(warnings).toEqual([]);
  });
});

describe('by npx, in an empty folder and an empty home', () => {
  test('tells its version and shows what setup would do: exactly this version', async () => {
    const elsewhere = realpathSync(temporaryFolder());
    copyFileSync(tarball, join(elsewhere, packed.filename));
    const local = `./${packed.filename}`;
    const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const told = await run('npx', ['--yes', local, '--version'], elsewhere, npmEnv);
    expect(told.out, told.err).toBe(`${version}\n`);
    const words = ['--yes', local, 'setup', '--dry-run', '--client', 'codex'];
    const setup = await run('npx', words, elsewhere, npmEnv);
    expect(setup.code, setup.err).toBe(0);
    expect(setup.out).toContain(`+ command: "npx"\n    + args: ["-y", "${name}@${version}", "mcp"]`);
    expect(existsSync(join(npmEnv.HOME ?? '', '.codex'))).toBe(false);
  });
});

describe.each(VERSIONS)('installed without install scripts, on Node.js %s', (version) => {
  const home = realpathSync(temporaryFolder());
  const env = (): Record<string, string> => ({
    PATH: process.env.PATH ?? '',
    HOME: home,
    PINHOLE_PORT: '0',
    PINHOLE_IDLE_SECONDS: '120',
  });
  const node = () => nodes.get(version) ?? '';
  const pinhole = (...args: string[]) => run(node(), [main, ...args], project, env());
  afterAll(() => pinhole('stop'));

  /** The names of the tools, and what `cd` answers. */
  async function askServer(args: readonly string[]): Promise<{ names: string[]; listing: string }> {
    const client = new Client({ name: 'stranger', version: '1.0.0' }, { capabilities: {} });
    await client.connect(
      new StdioClientTransport({
        command: node(),
        args: [...args],
        cwd: project,
        env: env(),
        stderr: 'pipe',
      }),
    );
    try {
      const { tools } = await client.listTools();
      const answer = await client.callTool({ name: 'cd', arguments: { path: project } });
      return { names: tools.map(({ name }) => name), listing: JSON.stringify(answer.content) };
    } finally {
      await client.close();
    }
  }

  test('serves its tools over stdio, and answers', async () => {
    const { names, listing } = await askServer([main, 'mcp']);
    for (const name of ['sql', 'regex_search']) expect(names).toContain(name);
    expect(listing).toContain('src');
  });

  test('so does the .mcpb bundle, started as its manifest says', async () => {
    const manifest = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8'));
    expect(manifest.compatibility.platforms).toEqual([process.platform]);
    const { command, args } = manifest.server.mcp_config;
    expect(command).toBe('node');
    const filled = args.map((word: string) =>
      word.replace(/\$\{__dirname\}/, bundle).replace(/\$\{user_config\.folder\}/, project),
    );
    const { names, listing } = await askServer(filled);
    expect(names).toContain('sql');
    expect(listing).toContain('src');
  });

  test('searches code, lists sessions, sums up a disk', async () => {
    const search = await pinhole('code', 'search', 'createServer');
    expect(search.out, search.err).toContain('src/server.ts');
    const found = await pinhole('code', 'find', 'function that makes a server', '--json');
    expect(JSON.parse(found.out).data.matches[0].path, found.err).toBe('src/server.ts');
    const sessions = await pinhole('sessions', 'list', '--json');
    expect(JSON.parse(sessions.out).data.sessions).toEqual([]);
    const indexed = await pinhole('index', project, '--wait-seconds', '20', '--json');
    expect(JSON.parse(indexed.out).data.status, indexed.err).toBe('done');
    expect((await pinhole('disk')).out).toMatch(/1 files?, 1 folders?/);
  });

  test('shows the page in a browser', async () => {
    const { out } = await pinhole('open', '--print');
    const address = /http:\/\/\S+/.exec(out)?.[0] ?? '';
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('response', (response) => {
        if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
      });
      await page.goto(address);
      await page.getByRole('navigation').first().waitFor();
      expect(await page.title()).toContain('Pinhole');
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('writes the skill, is well, and ends', async () => {
    expect((await pinhole('setup', '--skill', '--yes')).code).toBe(0);
    expect(existsSync(join(home, '.agents/skills/pinhole/SKILL.md'))).toBe(true);
    const doctor = await pinhole('doctor', '--json');
    const { healthy, findings } = JSON.parse(doctor.out).data;
    expect(healthy, doctor.out).toBe(true);
    expect(findings[0].text).toMatch(new RegExp(`Node\\.js ${version}\\.`));
    expect((await pinhole('stop')).out).toBe('Pinhole stopped.\n');
    expect(statSync(join(home, '.local/share/pinhole/pinhole.db')).isFile()).toBe(true);
  });
});
