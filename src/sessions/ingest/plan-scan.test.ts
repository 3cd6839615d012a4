import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claude, lines, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { claudeCode } from '../providers/claude-code/index.ts';
import { PROVIDERS } from '../providers/index.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { ingestFile } from './ingest-file.ts';
import { planScan } from './plan-scan.ts';

const home = mkdtempSync(join(tmpdir(), 'pinhole-scan-'));
const db = await openSqlite(':memory:', SESSIONS_SCHEMA);
afterAll(async () => {
  await db.close();
  rmSync(home, { recursive: true });
});

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const folders = [{ provider: 'claude_code', path: join(home, 'projects') }] as const;
const plan = () =>
  planScan(db, PROVIDERS, folders, {
    ...{ folder: join(home, 'archive'), on: false, unredacted: false, forgotten: [] },
  });

test('logs in a folder that cannot be read are kept; those in a deleted folder are removed', async () => {
  writeLog(join(folders[0].path, '-srv-app', `${ID}.jsonl`), lines([claude({ id: ID }).prompt('hello')]));
  const [planned] = (await plan()).files;
  if (planned === undefined) throw new Error('the log was not found');
  await ingestFile(db, planned.log, { provider: claudeCode, redact: (text) => text });
  expect(await plan()).toMatchObject({ files: [], removed: [] });
  // A file in its place exists but cannot be listed, not even by root.
  rmSync(folders[0].path, { recursive: true });
  writeFileSync(folders[0].path, '');
  const closed = await plan();
  expect([...closed.unreadable.keys()]).toEqual([folders[0].path]);
  expect(closed.removed).toEqual([]);
  rmSync(folders[0].path);
  const gone = await plan();
  expect(gone.unreadable.size).toBe(0);
  expect(gone.removed).toHaveLength(1);
});

test('the newest 200 logs are read first, then the others from the oldest on', async () => {
  const at = (n: number) => join(folders[0].path, '-srv-many', `${String(n).padStart(8, '0')}.jsonl`);
  for (let n = 0; n < 203; n++) {
    writeLog(at(n), lines([claude({ id: ID }).prompt('hello')]));
    utimesSync(at(n), 1_000 + n, 1_000 + n);
  }
  const paths = (await plan()).files.map(({ log }) => log.path);
  expect([...paths.slice(0, 2), ...paths.slice(199)]).toEqual([202, 201, 3, 0, 1, 2].map(at));
  rmSync(folders[0].path, { recursive: true });
});
