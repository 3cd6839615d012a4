import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claude, lines, text, writeLog } from '../../../test/fixtures/sessions/logs.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { claudeCode as provider } from '../providers/claude-code/index.ts';
import { logFile } from '../providers/log-files.ts';
import { SESSIONS_SCHEMA } from '../store/sessions-schema.ts';
import { ingestFile } from './ingest-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pinhole-ingest-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
const redact = (words: string) => words;

test('a log that two threads read at once is one session with all of its records', async () => {
  const log = claude({ id: ID });
  const path = writeLog(
    join(folder, `${ID}.jsonl`),
    lines([log.prompt('one'), log.answer('msg_1', text('two'))]),
  );
  const db = await openSqlite(join(folder, 'sessions.db'), SESSIONS_SCHEMA);
  const file = logFile(provider, path);
  // Both have seen that the log is new before either of them writes.
  const first = ingestFile(db, file, { provider, redact });
  const second = ingestFile(db, file, { provider, redact });
  appendFileSync(path, lines([log.prompt('three')]));
  await Promise.all([first, second]);
  await ingestFile(db, file, { provider, redact });
  expect(await db.all('SELECT id, events, turns FROM sessions')).toMatchObject([
    { id: ID, events: 3, turns: 2 },
  ]);
  expect(await db.all('SELECT idx FROM events ORDER BY idx')).toHaveLength(3);
  await db.close();
});
