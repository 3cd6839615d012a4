import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support.ts';
import { openSqlite } from '../../store/sqlite.ts';
import { sessionFinder } from './find-session.ts';
import { SESSIONS_SCHEMA } from './sessions-schema.ts';

test('one that is not known while logs are read may be known soon', async () => {
  const db = await openSqlite(join(temporaryFolder(), 'sessions.db'), SESSIONS_SCHEMA);
  onTestFinished(() => db.close());
  await expect(sessionFinder(db, () => false).find('fb3cff44')).rejects.toMatchObject({
    code: 'session_not_found',
    message: "No session 'fb3cff44'.",
    next: { operation: 'list_sessions', input: {} },
    retryable: false,
  });
  await expect(sessionFinder(db, () => true).find('fb3cff44')).rejects.toMatchObject({
    code: 'session_not_found',
    message: "No session 'fb3cff44' so far: logs are still being read. Ask again in a few seconds.",
    details: { session_id: 'fb3cff44' },
    retryable: true,
  });
});
