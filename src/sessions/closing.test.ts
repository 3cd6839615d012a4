import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSessions } from './sessions.ts';

/** A Claude Code log of many prompts. */
function log(id: string, prompts: number): string {
  const text = 'a long prompt about many things '.repeat(60);
  return Array.from({ length: prompts }, (_, i) =>
    JSON.stringify({
      type: 'user',
      uuid: `${id}-${i}`,
      sessionId: id,
      cwd: '/tmp/project',
      version: '2.1.300',
      timestamp: '2026-11-14T10:00:00Z',
      message: { role: 'user', content: `${i} ${text}` },
    }),
  ).join('\n');
}

test('closed in the middle of reading, nothing is half done and the next one goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pinhole-closing-'));
  const logs = join(folder, 'projects', '-tmp-project');
  mkdirSync(logs, { recursive: true });
  for (let i = 0; i < 6; i++) {
    const id = `0000000${i}-0000-4000-8000-000000000000`;
    writeFileSync(join(logs, `${id}.jsonl`), `${log(id, 1_500)}\n`);
  }
  const open = () =>
    openSessions({
      home: join(folder, 'home'),
      folders: [{ provider: 'claude_code', path: join(folder, 'projects') }],
      watch: false,
      log: () => {},
    });
  for (const wait of [0, 30, 120]) {
    const sessions = await open();
    // How far it got by then does not matter: that it may be anywhere is the point.
    await sleep(wait);
    await sessions.close();
  }
  const sessions = await open();
  await sessions.reading.refresh();
  expect(await sessions.reading.health()).toMatchObject({ sessions: 6, events: 9_000, badLines: 0 });
  await sessions.close();
  rmSync(folder, { recursive: true, force: true });
});
