// Runs a real client offline against the scripted model and keeps its log as a fixture.
// npm run fixtures -- CLIENT [--keep]
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { loadSources } from '../bench/source.mjs';
import { CLIENTS } from './fixtures/clients.mjs';
import { redactFolder } from './fixtures/redact.mjs';
import { startModel } from './fixtures/scripted-model.mjs';

const OUT = resolve('test/fixtures/client-logs');
const PROMPTS = ['SCRIPT=first Make add() take text.', 'SCRIPT=second Ask a helper.'];
const NOWHERE = 'http://127.0.0.1:9';
const PATIENCE_MS = 180_000;

const [name, ...flags] = process.argv.slice(2);
const client = CLIENTS[name];
if (client === undefined) {
  console.error(`Usage: npm run fixtures -- CLIENT\nClients: ${Object.keys(CLIENTS).join(', ')}`);
  process.exit(2);
}

const base = realpathSync(mkdtempSync(join(tmpdir(), 'pinhole-fixture-')));
const home = join(base, 'home');
const project = join(base, 'project');
const installed = process.env.FIXTURES_INSTALLED ?? join(base, 'installed');
mkdirSync(home);
mkdirSync(join(project, 'src'), { recursive: true });
writeFileSync(join(project, 'README.md'), '# Adding\n');
writeFileSync(join(project, 'src', 'add.js'), 'export const add = (a, b) => a + b;\n');
execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: project });

/** Installs the client's packages, unless they are there. */
function install() {
  mkdirSync(installed, { recursive: true });
  if (existsSync(join(installed, 'node_modules', client.package))) return;
  writeFileSync(join(installed, 'package.json'), '{"private":true}');
  const packages = [`${client.package}@${client.version ?? 'latest'}`, ...(client.more ?? [])];
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages],
    { cwd: installed, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (status === 0) return;
  console.error(
    `${name}: npm cannot install ${packages.join(' ')} (see above), so its fixture stays as it is. ` +
      'If a release is broken, name an older one as "version" in scripts/fixtures/clients.mjs.',
  );
  rmSync(base, { recursive: true, force: true });
  process.exit(1);
}

/** Runs one command of the client to its end. */
function run({ command, args, env = {} }) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd: project,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        CI: 'true',
        TERM: 'dumb',
        DO_NOT_TRACK: '1',
        HTTP_PROXY: NOWHERE,
        HTTPS_PROXY: NOWHERE,
        NO_PROXY: '127.0.0.1,localhost',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
    });
    let said = '';
    const hear = (chunk) => {
      said += chunk;
      if (process.env.FIXTURES_SHOW === '1') process.stderr.write(chunk);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', (code) => done({ code, said }));
  });
}

install();
const manifest = JSON.parse(
  readFileSync(join(installed, 'node_modules', client.package, 'package.json'), 'utf8'),
);
const model = await startModel(client.scripts(project));
const place = {
  home,
  project,
  modelUrl: model.url,
  file: (...parts) => join(installed, 'node_modules', ...parts),
};
client.prepare?.(place);
const outputs = [];
for (const prompt of PROMPTS.slice(0, client.prompts)) {
  const { code, said } = await run(client.launch(place, prompt, outputs.length));
  outputs.push(said);
  if (code !== 0) console.error(`${name} ended with ${code}:\n${said.slice(-2000)}`);
}
const shown = (await client.shown?.(place, { run, outputs })) ?? undefined;
await client.finish?.(place);
await model.close();

const served = model.asked.filter(({ side }) => !side);
const sum = (asked) =>
  asked.reduce(
    (total, { usage }) => ({
      input: total.input + usage.input - usage.cached,
      cached: total.cached + usage.cached,
      output: total.output + usage.output,
      reasoning: total.reasoning + usage.reasoning,
    }),
    { input: 0, cached: 0, output: 0, reasoning: 0 },
  );
const expected = {
  client: name,
  package: client.package,
  version: manifest.version,
  made: 'real run',
  ...(client.prompts === undefined ? {} : { turns: client.prompts }),
  ...(client.apart ? { turns: 1, apart: true } : {}),
  ...(client.countsItself ? {} : { requests: served.length, served: sum(served) }),
  side: sum(model.asked.filter(({ side }) => side)),
  ...(shown === undefined ? {} : { shown }),
  ...(client.subagent ? { subagent: true } : {}),
  ...(client.untried ? { untried: client.untried } : {}),
  ...(client.lacks ? { lacks: client.lacks } : {}),
};
console.log(JSON.stringify(expected, null, 2));
if (model.others.length > 0) console.log('other requests:', [...new Set(model.others)].join(', '));
if (flags.includes('--keep')) console.log(`kept: ${base}`);
else {
  const out = join(OUT, name);
  rmSync(out, { recursive: true, force: true });
  for (const path of client.logs) {
    const from = join(home, path);
    if (!existsSync(from)) throw new Error(`${name} wrote no ${path}`);
    mkdirSync(dirname(join(out, 'home', path)), { recursive: true });
    cpSync(from, join(out, 'home', path), { recursive: true, filter: client.keeps ?? (() => true) });
  }
  redactFolder(
    join(out, 'home'),
    { [project]: '/srv/project', [home]: '/home/you', [base]: '/tmp' },
    client.tables,
  );
  writeFileSync(join(out, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
  rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  console.log(`fixture: ${out}`);
  const checked = spawnSync(
    'npx',
    ['vitest', 'run', 'src/sessions/providers/client-logs.test.ts', '-t', `a log of '${name}'`],
    { stdio: 'inherit' },
  );
  // The drift test: what this release writes that the reader does not know.
  const { unknownOf } = await loadSources('fixture-drift', ['test/fixtures/client-logs/unknown-of']);
  const unknown = await unknownOf(name);
  console.log(
    unknown.length === 0
      ? `${name} ${manifest.version}: every record type and field is known`
      : [`${name} ${manifest.version}: unknown record types and fields:`, ...unknown].join('\n  '),
  );
  process.exitCode = checked.status ?? 1;
}
