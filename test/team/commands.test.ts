import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN } from '../processes.ts';
import { temporaryFolder } from '../support.ts';
import { recordsOf } from './messages.ts';
import { type SharedPostgres, sharedPostgres } from './postgres.ts';

/* A team server, its tokens and a machine that sends its logs, as people run them. */

let pg: SharedPostgres;
let node: ChildProcess | undefined;
let database = '';
const home = temporaryFolder();
const log = join(home, '.claude/projects/-home-ann-api/5e55a001-0000-4000-8000-000000000001.jsonl');

beforeAll(async () => {
  pg = await sharedPostgres();
  database = await pg.database();
});
afterAll(async () => {
  if (node?.exitCode === null) {
    node.kill('SIGTERM');
    await once(node, 'exit');
  }
});

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const environment = (more: NodeJS.ProcessEnv) => ({
  ...{ PATH: process.env.PATH, HOME: home, PINHOLE_HOME: join(home, 'data'), PINHOLE_PORT: '0' },
  ...more,
});

function pinhole(words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<Said> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...words], { env: environment(more) }, (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

const token = (...words: readonly string[]) =>
  pinhole(['team', 'token', ...words], { PINHOLE_DATABASE_URL: database });

/** Starts a node in a folder of its own; its address. */
async function startNode(): Promise<string> {
  const folder = temporaryFolder();
  const started = spawn(process.execPath, [MAIN, 'start', '--database', database], {
    env: environment({ PINHOLE_HOME: join(folder, 'data') }),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  node = started;
  let said = '';
  for await (const chunk of started.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    const [, address] = /running at (http:\S+)[\s\S]*Data/.exec(said) ?? [];
    // Nobody asked to share the folder that it was started in.
    if (address !== undefined) {
      expect(said).not.toContain('may now read');
      return address;
    }
  }
  throw new Error(`no node: ${said}`);
}

const TOKEN = /^pinhole_[\w-]{43}\n$/;

test('tokens are made, listed, rotated and revoked', async () => {
  expect((await token('list')).out).toContain('There are no tokens yet.');
  const made = await token('create', 'desk', '--project', 'github.com/acme/api');
  expect(made).toEqual({
    code: 0,
    out: expect.stringMatching(TOKEN),
    err: 'Copy the token now. It is not shown again.\n',
  });
  expect((await token('rotate', 'desk')).out).toMatch(TOKEN);
  const day = new Date().toISOString().slice(0, 10);
  expect((await token('list')).out.replaceAll(day, 'DAY')).toBe(
    [
      'name  scopes  projects             made        used  revoked',
      'desk  read    github.com/acme/api  DAY  -     -',
      '',
    ].join('\n'),
  );
  expect((await token('revoke', 'desk')).out).toBe("The token 'desk' was revoked.\n");
  const refusals = await Promise.all([
    token('rotate', 'desk'),
    token('create', 'two words'),
    token('list', 'desk'),
    token('revoke', 'desk', '--scope', 'read'),
    pinhole(['team', 'token', 'list', '--database', 'rubbish']),
  ]);
  expect(refusals.map(({ code, out, err }) => [code === 0, out, err])).toEqual([
    [false, '', "pinhole: There is no token 'desk', or it was revoked. See: pinhole team token list\n"],
    [false, '', "pinhole: 'two words' is not a name for a token. Use up to 64 letters, digits and . _ @ -\n"],
    [false, '', "pinhole: Unexpected argument 'desk'. See --help.\n"],
    [false, '', 'pinhole: --scope and --project belong to create; revoke takes neither.\n'],
    [false, '', 'pinhole: The address of the database must look like postgres://user@host/name.\n'],
  ]);
  // The name is free again.
  expect((await token('create', 'desk', '--scope', 'collect')).out).toMatch(TOKEN);
});

test('a machine shows what it would send, and sends it once', async () => {
  const records = recordsOf(3);
  mkdirSync(join(log, '..'), { recursive: true });
  writeFileSync(log, records.map(({ text }) => `${text}\n`).join(''));
  const [address, { out: collects }] = await Promise.all([
    startNode(),
    token('create', 'laptop', '--scope', 'collect'),
  ]);
  const dry = await pinhole(['collect', '--dry-run']);
  expect(dry.out.replace(/ +/g, ' ').trim().split('\n')).toEqual([
    'records size redacted project log',
    ` 3 ${records.reduce((sum, { text }) => sum + text.length, 0)} B 0 /home/ann/api ${log}`,
    'Nothing was sent. New: 3 records of 1 log.',
  ]);
  const send = (given: string) =>
    pinhole(['collect', '--to', address, '--once'], given === '' ? {} : { PINHOLE_COLLECT_TOKEN: given });
  const unknown = await send('pinhole_unknown');
  expect([unknown.code, unknown.err]).toEqual([
    1,
    `pinhole: ${address} does not know this token, or it was revoked. An administrator makes one: pinhole team token create NAME --scope collect. Give it in PINHOLE_COLLECT_TOKEN.\n`,
  ]);
  expect((await send('')).err).toContain(`${address} needs a token.`);
  expect(await send(collects.trim())).toEqual({ code: 0, out: 'Sent 3 records of 1 log.\n', err: '' });
  expect((await send(collects.trim())).out).toBe('Nothing new.\n');
  expect((await pinhole(['collect', '--once', '--watch', '--to', address])).err).toBe(
    'pinhole: Give --once or --watch, not both.\n',
  );
});
