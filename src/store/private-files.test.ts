import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support.ts';
import { tryLock } from './lock.ts';
import { openSqlite } from './sqlite.ts';

test.skipIf(process.platform === 'win32')(
  'databases and lock are for this user alone, also in a folder that others may enter, also old ones',
  async () => {
    const home = temporaryFolder();
    chmodSync(home, 0o755);
    writeFileSync(join(home, 'old.db'), '', { mode: 0o644 });
    const lock = tryLock(join(home, 'background.lock'));
    const databases = [
      await openSqlite(join(home, 'new.db'), []),
      await openSqlite(join(home, 'old.db'), []),
    ];
    const open = readdirSync(home).filter((name) => (statSync(join(home, name)).mode & 0o077) !== 0);
    expect(readdirSync(home)).toContain('new.db-wal');
    expect(open).toEqual([]);
    for (const database of databases) await database.close();
    lock?.release();
  },
);
