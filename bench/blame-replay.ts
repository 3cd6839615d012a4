import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApp } from '../src/app/open-app.ts';

export interface BlameReplay {
  lines: number;
  withSession: number;
  /** CPU time, git's processes included: first for reading the commits and edits, then per question. */
  coldMs: number;
  cpuMs: number;
  /** Git's share of that. */
  gitMs: number;
  /** Wall time per question. */
  medianMs: number;
  p95Ms: number;
  maxBytes: number;
}

const LINES = 200;
const TICK_MS = 10;

/** CPU time in milliseconds, of this process and of its children that have ended. */
function cpuWithChildren(): { readonly own: number; readonly git: number } {
  const [user = 0, system = 0] = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .slice(13, 15)
    .map(Number);
  const own = process.cpuUsage();
  return { own: (own.user + own.system) / 1000, git: (user + system) * TICK_MS };
}

/** Asks about random lines of a checkout, once everything is indexed. */
export async function replayBlame(
  home: string,
  clone: string,
  work: string,
  before: string,
  env: NodeJS.ProcessEnv,
): Promise<BlameReplay> {
  const root = join(work, 'checkout');
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  execFileSync('git', ['clone', '-q', '--shared', clone, root]);
  git('checkout', '-q', git('rev-list', '-1', `--before=${before}`, 'HEAD').trim());
  const files = git('ls-files', '*.go', '*.md', '*.sh', '*.yaml', '*.toml').split('\n').filter(Boolean);
  const all = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .flatMap((text, at) => (text.trim() === '' ? [] : [{ path, line: at + 1 }])),
  );
  const app = await openApp({ home, log: () => {}, baseUrl: () => '', env });
  const ask = async (path: string, line: number) => {
    const caller = {
      ...({
        door: 'mcp',
        client: 'bench',
        id: `bench-${Math.random()}`,
        format: 'text',
        budget: 8_000,
      } as const),
      ...{ roots: [root], cwd: root },
    };
    const answer = await app.engine.run('blame', { path: join(root, path), line }, { caller });
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.rendered.text;
  };
  await app.services.sessions.reading.refresh();
  const cold = cpuWithChildren();
  await app.services.commits.refresh(root);
  const started = cpuWithChildren();
  const times: number[] = [];
  const texts: string[] = [];
  for (let asked = 0, seed = 1; asked < LINES; asked++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    const { path, line } = all[seed % all.length] ?? { path: '', line: 1 };
    const at = performance.now();
    texts.push(await ask(path, line));
    times.push(performance.now() - at);
  }
  const ended = cpuWithChildren();
  await app.close();
  times.sort((a, b) => a - b);
  return {
    lines: LINES,
    withSession: texts.filter((text) => /^session /m.test(text)).length,
    coldMs: started.own + started.git - cold.own - cold.git,
    cpuMs: (ended.own + ended.git - started.own - started.git) / LINES,
    gitMs: (ended.git - started.git) / LINES,
    medianMs: times[LINES / 2] ?? 0,
    p95Ms: times[Math.floor(LINES * 0.95)] ?? 0,
    maxBytes: Math.max(...texts.map((text) => Buffer.byteLength(text))),
  };
}
