import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Background, startBackground } from '../../src/daemon/background.ts';
import type { CollectMessage } from '../../src/team/collect-message.ts';
import { temporaryFolder } from '../support.ts';

/** Starts a team server node in this process, with the test's additions to its environment. */
export async function startNode(
  url: string,
  {
    host = '127.0.0.1',
    port = 0,
    env = {},
  }: { readonly host?: string; readonly port?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Background> {
  const added = { PINHOLE_DATABASE_URL: url, ...env };
  Object.assign(process.env, added);
  try {
    const options = { host, port, strictPort: true, idleMs: undefined };
    const node = await startBackground({ home: temporaryFolder(), ...options });
    if (node === undefined) throw new Error('no node');
    return node;
  } finally {
    for (const name of Object.keys(added)) delete process.env[name];
  }
}

/** A port that was free a moment ago, for settings that name an address before anything listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  server.close();
  await once(server, 'close');
  if (typeof place !== 'object' || place === null) throw new Error('no port');
  return place.port;
}

export const addressOf = (node: Background) => `http://127.0.0.1:${node.port}`;

export interface SentLog {
  readonly id: string;
  readonly project: string;
  readonly root: string;
  readonly machine?: string;
  readonly person?: string;
  /** The session that started it. */
  readonly parent?: string;
  readonly records: readonly unknown[];
}

/** A complete Claude Code log, as a collector sends it. */
export function logMessage({
  id,
  project,
  root,
  machine = 'laptop',
  person = 'ann',
  parent,
  records,
}: SentLog): CollectMessage {
  let at = 0;
  const sent = records.map((record) => {
    const text = JSON.stringify(record);
    const made = { at, length: text.length + 1, text };
    at += made.length;
    return made;
  });
  return {
    machine: { id: `machine-${machine}`, name: machine },
    person,
    version: '0.1.0',
    now: 0,
    log: {
      path: `/home/${person}/.claude/projects/p/${id}.jsonl`,
      provider: 'claude_code',
      run: `run-${id.slice(0, 8)}`,
      place: { id, ...(parent !== undefined && { parentId: parent }) },
      project,
      root,
    },
    from: 0,
    to: at,
    records: sent,
  };
}
