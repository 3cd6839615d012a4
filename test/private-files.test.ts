import { execFile } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { claude, lines, writeLog } from './fixtures/sessions/logs.ts';
import { connectClient, MAIN, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const run = promisify(execFile);

/** What others could read or enter, if they may enter the folder itself. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = lstatSync(path);
    if (stats.isSymbolicLink()) return [];
    return (stats.mode & 0o077) === 0 ? [] : [`${path} ${(stats.mode & 0o777).toString(8)}`];
  });
}

test.skipIf(process.platform === 'win32')(
  'in a data folder that everybody may enter, nobody else can read anything',
  async () => {
    const place = processHome();
    const home = join(place.home, 'data');
    mkdirSync(home);
    chmodSync(home, 0o755);
    // Left by an older version.
    const older = ['background.log', 'sql-history', 'sessions.json', 'pinhole.db.backup-1'];
    for (const name of [...older, 'commits.db', 'meanings.db', 'collect.db', 'collect.lock'])
      writeFileSync(join(home, name), '', { mode: 0o644 });
    mkdirSync(join(home, 'code'), { mode: 0o755 });
    chmodSync(join(home, 'code'), 0o755);
    writeFileSync(join(home, 'not-ours.txt'), '', { mode: 0o644 });
    const root = temporaryFolder();
    writeFileSync(join(root, 'a.ts'), 'export const needle = 1;\n');
    const id = 'aaaaaaaa-1111-4111-8111-111111111111';
    writeLog(
      join(place.home, '.claude/projects/p', `${id}.jsonl`),
      lines([claude({ id, cwd: root }).prompt('a prompt')]),
    );
    const env = { ...place.env, PINHOLE_HOME: home };
    const pinhole = (...args: string[]) =>
      run('sh', ['-c', 'umask 022; exec "$@"', 'sh', process.execPath, MAIN, ...args], { env, cwd: root });
    try {
      await pinhole('index', root);
      await pinhole('code', 'search', 'needle', root);
      await pinhole('sessions', 'archive', 'on');
      await pinhole('sessions', 'list');
      await pinhole('sql', 'select * from sessions');
      const client = await connectClient({ env }, { cwd: root });
      await client.callTool({ name: 'hybrid_search', arguments: { query: 'needle' } });
      await client.close();
      expect(openToOthers(home)).toEqual([`${join(home, 'not-ours.txt')} 644`]);
      for (const folder of ['code', 'disk', 'archive', 'run'])
        expect(openToOthers(join(home, folder))).toEqual([]);
      expect(readdirSync(home)).toEqual(
        expect.arrayContaining(['pinhole.db', 'sessions.db', 'code', 'disk']),
      );
    } finally {
      await pinhole('stop');
    }
  },
);
