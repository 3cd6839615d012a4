import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claude, lines, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { claudeCode } from '../providers/claude-code/index.ts';
import { PROVIDERS } from '../providers/index.ts';
import { logFile } from '../providers/log-files.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { readFiles, readPaths } from './read-files.ts';
import type { FromReader } from './reader-messages.ts';

const folder = mkdtempSync(join(tmpdir(), 'pinhole-read-'));
const db = await openSqlite(':memory:', SESSIONS_SCHEMA);
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

test('how much there is to read is reported before the first log is begun', async () => {
  const files = ['aaaaaaaa', 'bbbbbbbb'].map((start) => {
    const id = `${start}-1111-4111-8111-111111111111`;
    const path = writeLog(join(folder, `${id}.jsonl`), lines([claude({ id }).prompt('hello')]));
    return { log: logFile(claudeCode, path), size: statSync(path).size };
  });
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const told: FromReader[] = [];
  const toldBefore: number[] = [];
  await readFiles(
    {
      ...{ db, providers: PROVIDERS, redact: (text) => text },
      tell: (message) => void told.push(message),
      waitWhileHeld: () => void toldBefore.push(told.length),
    },
    files,
  );
  expect(told[0]).toEqual({ kind: 'progress', done: 0, total });
  expect(toldBefore[0]).toBe(1);
  expect(told[1]).toEqual({ kind: 'progress', done: files[0]?.size, total });
});

test('logs that another thread leaves to this one count with their sizes', async () => {
  const id = 'cccccccc-1111-4111-8111-111111111111';
  const place = join(folder, 'projects');
  const path = writeLog(join(place, '-srv-app', `${id}.jsonl`), lines([claude({ id }).prompt('hello')]));
  const totals: number[] = [];
  const tools = {
    ...{ db, providers: PROVIDERS, redact: (text: string) => text, waitWhileHeld: () => {} },
    tell: (message: FromReader) => {
      if (message.kind === 'progress') totals.push(message.total);
    },
  };
  const folders = [{ provider: 'claude_code', path: place }];
  await readPaths(tools, [path], folders, { forgotten: [] }, { [path]: 4711 });
  expect(totals).toEqual([4711, 4711]);
});
