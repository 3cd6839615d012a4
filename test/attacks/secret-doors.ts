import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TABLES } from '../../src/sql/subjects.ts';
import { call, claude, lines, text, thinking, writeLog } from '../fixtures/sessions/logs.ts';
import { connectClient, MAIN, onlyText, type ProcessHome } from '../processes.ts';
import type { MadeUp } from './secret-kinds.ts';

export const SESSION = 'aaaaaaaa-1111-4111-8111-111111111111';
const EVENTS_PER_SECRET = 6;

/** Plants each secret in a log, in a source file and, if it can be one, in a file name. */
export function plant(home: string, root: string, secrets: readonly MadeUp[]): void {
  const log = claude({ id: SESSION, cwd: root });
  writeLog(
    join(home, '.claude/projects/p', `${SESSION}.jsonl`),
    lines(
      secrets.flatMap(({ text: shown }, n) => [
        log.prompt(`please look at ${shown}`),
        log.answer(`msg_${n}_0`, thinking(`I see ${shown} here`)),
        log.answer(`msg_${n}_1`, call(`t${n}`, 'Bash', { command: `echo go; ${shown}` })),
        log.result(`t${n}`, `out:\n${shown}\nend`, { error: n % 2 === 0 }),
        log.answer(
          `msg_${n}_2`,
          call(`e${n}`, 'Write', { file_path: join(root, `w${n}.txt`), content: shown }),
        ),
        log.answer(`msg_${n}_3`, text(`Done with ${shown}`)),
      ]),
    ),
  );
  for (const [n, { text: shown }] of secrets.entries()) {
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src', `conf${n}.txt`), `first line ${n}\n${shown}\nlast line ${n}\n`);
    if (/[/\0\n]/.test(shown) || Buffer.byteLength(shown) > 240) continue;
    mkdirSync(join(root, 'names'), { recursive: true });
    writeFileSync(join(root, 'names', shown), 'x');
  }
  const git = (...args: string[]) => execFileSync('git', ['-C', root, '-c', 'user.name=Mia', ...args]);
  git('init', '-q', '-b', 'main');
  git('add', '-A', 'src');
  const message = secrets.map(({ text: shown }) => shown).join('\n\n');
  git('-c', 'user.email=mia@example.com', 'commit', '-q', '-m', `feat: settings\n\n${message}`);
}

/** Collects everything that a door shows. */
export type Door = () => Promise<string>;

/** The doors through which secrets could leak. */
export async function doorsOf(
  place: ProcessHome,
  root: string,
  count: number,
): Promise<Readonly<Record<string, Door>>> {
  const client = await connectClient(place, { cwd: root, args: ['--toolsets', 'all'] });
  const tool = async (name: string, input: Record<string, unknown>) =>
    onlyText(await client.callTool({ name, arguments: input }));
  // Nothing is allowed yet, but the first call reads the logs and starts the index.
  await tool('list_sessions', {});
  await promisify(execFile)(process.execPath, [MAIN, 'allow', root], { env: place.env });
  const { port } = place.background();
  const rest = async (path: string, query: Record<string, string | number> = {}, init: RequestInit = {}) => {
    const url = new URL(`http://127.0.0.1:${port}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      ...init,
      headers: { ...place.script(), ...(init.body ? { 'content-type': 'application/json' } : {}) },
    });
    return response.text();
  };
  const post = (path: string, body: object) => rest(path, {}, { method: 'POST', body: JSON.stringify(body) });
  const pages = async (path: string, query: Record<string, string | number> = {}) => {
    const shown: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: string = await rest(path, cursor === '' ? query : { cursor });
      shown.push(page);
      cursor = JSON.parse(page).pagination?.next_cursor;
    }
    return shown.join('\n');
  };
  const { job_id, index_id } = JSON.parse(await post('/api/indexes', { root })).data;
  for (let status = 'queued'; status === 'queued' || status === 'running'; )
    status = JSON.parse(await rest(`/api/jobs/${job_id}`)).data.status;
  const each = async (one: (n: number) => Promise<string>, total = count) => {
    const shown: string[] = [];
    for (let n = 0; n < total; n++) shown.push(await one(n));
    return shown.join('\n');
  };
  const file = (n: number) => join(root, 'src', `conf${n}.txt`);
  const session = `/api/agent-sessions/${SESSION}`;
  return {
    'sessions: events, steps, full, search, reasoning, history': async () =>
      [
        await each(async (n) => rest(`${session}/events/${n}`), count * EVENTS_PER_SECRET),
        await each(async (n) => rest(`${session}/events/${n}`, { raw: 'true' }), count * EVENTS_PER_SECRET),
        await pages(`${session}/full`, { limit: 200 }),
        await each((n) => rest(`${session}/turns/${n}/steps`)),
        await pages('/api/agent-events', { query: 'please look', limit: 50 }),
        await pages(`${session}/reasoning`, { limit: 50 }),
        await each((n) => rest('/api/files/history', { path: join(root, `w${n}.txt`), diff_lines: 40 })),
      ].join('\n'),
    'sessions: turns, analysis, what is stored': async () =>
      [
        await pages(`${session}/turns`, { limit: 50, include_reasoning: 'true' }),
        await rest(`${session}/analysis`),
        await rest(`${session}/timeline`),
        await rest(session),
        ...readdirSync(place.home)
          .filter((name) => /^(?:sessions|commits|meanings)\.db/.test(name))
          .map((name) => readFileSync(join(place.home, name), 'latin1')),
      ].join('\n'),
    'code: hybrid, semantic, view, outline': async () =>
      each(async (n) =>
        [
          await rest('/api/code/search', { mode: 'hybrid', query: `first line ${n}`, path: file(n) }),
          await tool('semantic_search', { query: `line ${n}`, path: file(n) }),
          await rest('/api/files/view', { path: file(n) }),
          await rest('/api/files/view', { path: file(n), line: 2, lines: 1, format: 'text' }),
          await rest('/api/code/outline', { path: file(n) }),
        ].join('\n'),
      ),
    'code by line: regex, grep, matches, csv, ndjson': async () => {
      const search = { mode: 'regex', pattern: '.', path: root, limit: 200 };
      const sources = { pattern: '.', path: join(root, 'src') };
      const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'grep', '.', 'src'], {
        env: place.env,
        cwd: root,
        maxBuffer: 1 << 28,
      });
      return [
        stdout,
        await pages('/api/code/search', search),
        ...(await Promise.all(
          ['csv', 'ndjson', 'text'].map((format) => rest('/api/code/search', { ...search, format })),
        )),
        await rest('/api/code/matches', sources),
        await rest('/api/code/matches', { ...sources, format: 'json' }),
        await each((n) => tool('regex_search', { pattern: '.', path: file(n), snippet_length: 20 })),
        await each(async (n) => rest('/api/files/view', { path: file(n), line: 3, lines: 1 })),
      ].join('\n');
    },
    'names: cd, find, tree, largest': async () =>
      [
        await pages('/api/cd', { path: join(root, 'names'), limit: 200 }),
        await pages(`/api/indexes/${index_id}/find`, { ext: '*', limit: 200 }).catch(() => ''),
        await pages(`/api/indexes/${index_id}/find`, { size: '>0', limit: 200 }),
        await pages(`/api/indexes/${index_id}/reports/largest`, { limit: 200 }),
        await rest(`/api/indexes/${index_id}/treemap`),
        await tool('cd', { path: join(root, 'names') }),
      ].join('\n'),
    'sql: every table': async () => {
      const shown: string[] = [];
      for (const { name } of TABLES)
        shown.push(
          await post('/api/sql', { query: `select * from ${name}`, limit: 1000, max_bytes: 1_000_000 }),
        );
      return shown.join('\n');
    },
    'brief, recall, session export': async () =>
      [
        await rest(`${session}/brief`),
        await rest('/api/recall', { session_id: SESSION }),
        ...(await Promise.all(['markdown', 'html', 'json'].map((as) => pages(`${session}/export`, { as })))),
      ].join('\n'),
    'git: history, rev, blame, commits, how fixed': async () =>
      [
        await pages('/api/code/history', { pattern: '.', path: root, limit: 50 }),
        await pages('/api/code/search', { mode: 'regex', pattern: '.', path: root, rev: 'HEAD', limit: 200 }),
        await pages('/api/commits', { path: root }),
        await pages('/api/commits/trace', { path: root }),
        await each((n) => rest('/api/blame', { path: `${file(n)}:2` })),
        await each((n) => post('/api/how-fixed', { error: `out: end ${n}` })),
      ].join('\n'),
    'export for a script': () => rest(`/api/indexes/${index_id}/export`),
    'download for a script': async () => {
      const found = JSON.parse(await rest(`/api/indexes/${index_id}/find`, { name: 'conf*', limit: 200 }));
      const nodes: readonly { node_id?: string }[] = Object.values(found.data).find(Array.isArray) ?? [];
      return each((n) => rest(`/api/indexes/${index_id}/nodes/${nodes[n]?.node_id}/content`), nodes.length);
    },
    'audit, jobs, log, pinhole.db': async () =>
      [
        await pages('/api/audit', { limit: 200 }),
        await rest('/api/jobs'),
        ...readdirSync(place.home)
          .filter((name) => /^(?:background\.log|pinhole\.db)/.test(name))
          .map((name) => readFileSync(join(place.home, name), 'latin1')),
      ].join('\n'),
  };
}
