import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What Entire recorded about a session when one of its commits was made. */
export interface Checkpoint {
  readonly session: string;
  readonly created: string;
  readonly files: readonly string[];
  /** Lines of the commit that Entire attributes to the agent, and all of its lines. */
  readonly agent: number | undefined;
  readonly committed: number | undefined;
  /** Whether the log as of then is available: a snapshot of the repository may lack large files. */
  readonly hasLog: boolean;
}

const CHECKPOINTS = process.env.PINHOLE_CHECKPOINTS ?? 'entire/checkpoints/v1';

/** Objects by id, in order; missing ones are left out. */
async function objects(
  clone: string,
  ids: readonly string[],
  each: (id: string, content: Buffer) => void,
): Promise<void> {
  const child = spawn('git', ['-C', clone, 'cat-file', '--batch'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
  });
  child.stdin.end(`${ids.join('\n')}\n`);
  let rest = Buffer.alloc(0);
  let header: { id: string; size: number } | undefined;
  for await (const piece of child.stdout) {
    rest = Buffer.concat([rest, piece]);
    for (;;) {
      if (header === undefined) {
        const end = rest.indexOf(10);
        if (end < 0) break;
        const [id = '', kind, size] = rest.subarray(0, end).toString().split(' ');
        rest = rest.subarray(end + 1);
        if (kind === 'missing') continue;
        header = { id, size: Number(size) };
      }
      if (rest.length < header.size + 1) break;
      each(header.id, rest.subarray(0, header.size));
      rest = rest.subarray(header.size + 1);
      header = undefined;
    }
  }
}

/** Writes the longest log of each session to a folder, as its agent had it; returns the checkpoints. */
export async function unpackCheckpoints(
  clone: string,
  logs: string,
  before: string,
): Promise<ReadonlyMap<string, readonly Checkpoint[]>> {
  const tree = execFileSync('git', ['-C', clone, 'ls-tree', '-r', CHECKPOINTS], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
    .split('\n')
    .filter(Boolean)
    .map((line) => /^\d+ blob (\w+)\t(.+)$/.exec(line) ?? []);
  const byPath = new Map(tree.map(([, id = '', path = '']) => [path, id]));
  const metadata = new Map(
    tree.flatMap(([, id = '', path = '']) => (path.endsWith('/metadata.json') ? [[id, path]] : [])),
  );
  const known: { readonly id: string; readonly log: string; readonly checkpoint: Checkpoint }[] = [];
  const sessionOf = new Map<string, string>();
  await objects(clone, [...metadata.keys()], (id, content) => {
    const said = JSON.parse(content.toString());
    if (typeof said.session_id !== 'string') return;
    const session = said.session_id.replace(/^\d{4}-\d\d-\d\d-/, '');
    const created = String(said.created_at ?? '');
    const log = byPath.get((metadata.get(id) ?? '').replace('metadata.json', 'full.jsonl')) ?? '';
    const checkpoint = {
      ...{ session, created, files: said.files_touched ?? [], hasLog: false },
      ...{
        agent: said.initial_attribution?.agent_lines,
        committed: said.initial_attribution?.total_committed,
      },
    };
    known.push({ id: said.checkpoint_id, log, checkpoint });
    if (log !== '' && created !== '' && created < before) sessionOf.set(log, session);
  });
  const sizes = new Map<string, number>();
  const there = new Set<string>();
  mkdirSync(logs, { recursive: true });
  await objects(clone, [...sessionOf.keys()], (id, content) => {
    const session = sessionOf.get(id) ?? '';
    there.add(id);
    if (content.length <= (sizes.get(session) ?? 0)) return;
    sizes.set(session, content.length);
    writeFileSync(join(logs, `${session}.jsonl`), content);
    writeSubagents(join(logs, session, 'subagents'), session, content.toString());
  });
  const checkpoints = new Map<string, Checkpoint[]>();
  for (const { id, log, checkpoint } of known)
    checkpoints.set(id, [...(checkpoints.get(id) ?? []), { ...checkpoint, hasLog: there.has(log) }]);
  return checkpoints;
}

/**
 * The client writes a log for each subagent, which checkpoints lack. The main log reports each of their records, so they
 * are recreated from it.
 */
function writeSubagents(folder: string, session: string, log: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const line of log.split('\n')) {
    if (!line.includes('"agent_progress"')) continue;
    const { data, ...record } = JSON.parse(line);
    if (data?.type !== 'agent_progress' || typeof data.agentId !== 'string' || !data.message?.message)
      continue;
    const { cwd, version, gitBranch, uuid, parentUuid, timestamp } = record;
    mkdirSync(folder, { recursive: true });
    appendFileSync(
      join(folder, `agent-${data.agentId}.jsonl`),
      `${JSON.stringify({
        ...{ cwd, version, gitBranch, uuid, parentUuid, timestamp },
        ...data.message,
        ...{ sessionId: session, agentId: data.agentId, isSidechain: true },
      })}\n`,
    );
  }
}
