import type { CollectMessage, CollectRecord } from '../../src/team/collect-message.ts';

/** Prompts of one session, one after the other, as Claude Code logs them. */
export function recordsOf(count: number): [CollectRecord, CollectRecord, CollectRecord, ...CollectRecord[]] {
  let at = 0;
  const records = Array.from({ length: count }, (_, index) => {
    const text = JSON.stringify({
      type: 'user',
      uuid: `u${index}`,
      sessionId: '5e55a001-0000-4000-8000-000000000001',
      cwd: '/home/ann/api',
      timestamp: new Date(Date.UTC(2026, 10, 1, 0, index)).toISOString(),
      message: { role: 'user', content: `prompt number ${index}` },
    });
    const record = { at, length: text.length + 1, text };
    at += record.length;
    return record;
  });
  return records as ReturnType<typeof recordsOf>; // callers name at most as many as they ask for
}

export function messageOf({
  run = 'run-0001',
  from = 0,
  records,
  to,
}: {
  readonly run?: string;
  readonly from?: number;
  readonly to?: number;
  readonly records: readonly CollectRecord[];
}): CollectMessage {
  const last = records.at(-1);
  return {
    machine: { id: 'machine-0001', name: 'laptop' },
    person: 'ann',
    version: '0.1.0',
    now: 0,
    log: {
      path: '/home/ann/.claude/projects/-home-ann-api/5e55a001-0000-4000-8000-000000000001.jsonl',
      provider: 'claude_code',
      run,
      place: { id: '5e55a001-0000-4000-8000-000000000001' },
      project: 'example.com/acme/api',
      root: '/home/ann/api',
    },
    from,
    to: to ?? (last === undefined ? from : last.at + last.length),
    records: [...records],
  };
}
