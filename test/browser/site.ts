import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Background, startBackground } from '../../src/daemon/background.ts';
import { personHeaders } from '../sign-in.ts';
import { makeDemoSessions } from './demo-sessions.ts';
import { makeDemoTree } from './demo-tree.ts';

/** A running Pinhole with a project, its index and its agents' sessions. */
export interface Site {
  readonly base: string;
  readonly project: string;
  readonly index: string;
  readonly background: Background;
  /** The cookie of someone who signed in, as `name=value`. */
  cookie(): Promise<string>;
  /** One REST API call, as our own page makes it. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  api(method: string, path: string, body?: unknown): Promise<any>;
  /** Stops Pinhole; the returned function starts it again at the same address. */
  stop(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export interface SiteOptions {
  readonly scale?: number;
  readonly sessions?: number;
  /** Where everything goes; a fresh folder by default. */
  readonly folder?: string;
  /** False leaves out text that tries to run as a script. */
  readonly evil?: boolean;
  /** False leaves everything empty: the first run. */
  readonly filled?: boolean;
  /** Where it listens, if not on loopback alone. */
  readonly host?: string;
}

export async function openSite(options: SiteOptions = {}): Promise<Site> {
  if (options.folder !== undefined) mkdirSync(options.folder);
  const folder = realpathSync(options.folder ?? mkdtempSync(join(tmpdir(), 'pinhole-page-')));
  const project = join(folder, 'atlas');
  const filled = options.filled ?? true;
  mkdirSync(project);
  if (filled) makeDemoTree(project, options.scale ?? 0.02, options.evil ?? true);
  const places = filled
    ? makeDemoSessions(folder, project, options.sessions ?? 8, options.evil ?? true)
    : { claudeHome: join(folder, 'none'), codexHome: join(folder, 'none'), geminiHome: join(folder, 'none') };
  // The clients' own variables say where their logs are; a clean-up plan uses this home's trash.
  process.env.CLAUDE_CONFIG_DIR = places.claudeHome;
  process.env.CODEX_HOME = places.codexHome;
  process.env.GEMINI_CLI_HOME = places.geminiHome;
  process.env.HOME = folder;
  process.env.XDG_DATA_HOME = join(folder, 'share');
  const start = async (port: number): Promise<Background> => {
    const host = options.host ?? '127.0.0.1';
    const begun = await startBackground({
      home: join(folder, 'data'),
      host,
      port,
      strictPort: true,
      idleMs: undefined,
    });
    if (begun === undefined) throw new Error('no background process');
    return begun;
  };
  let background = await start(0);
  const { port } = background;
  let signedIn = personHeaders(background);
  const base = `http://127.0.0.1:${background.port}`;
  const api = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    // A fresh connection each time: a kept one may be closed by the server just as it is used again.
    const headers = {
      ...(await signedIn),
      'content-type': 'application/json',
      connection: 'close',
    };
    const answer = await fetch(base + path, { method, headers, ...init });
    const parsed = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(parsed.error)}`);
    return parsed;
  };
  const site = {
    base,
    project,
    get background() {
      return background;
    },
    cookie: async () => (await signedIn).cookie,
    api,
    async stop() {
      await background.stop();
      return async () => {
        background = await start(port);
        signedIn = personHeaders(background);
      };
    },
    async close() {
      await background.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  if (!filled) return Object.assign(site, { index: '' });
  await api('POST', '/api/allowed', { path: project });
  const index = await ended(api, await api('POST', '/api/indexes', { root: project }));
  await ended(api, await api('POST', '/api/indexes', { root: project, what: 'code' }));
  await background.app.services.sessions.reading.refresh();
  return Object.assign(site, { index });
}

/** Waits for a job; returns the index it made. */
async function ended(
  api: Site['api'],
  started: { readonly data: { readonly job_id: string } },
): Promise<string> {
  for (;;) {
    const { data } = await api('GET', `/api/jobs/${started.data.job_id}`);
    if (data.status === 'done') return data.index_id ?? '';
    if (data.status !== 'running' && data.status !== 'queued') throw new Error(JSON.stringify(data));
    await sleep(30);
  }
}
