import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MEMORY_ENV, MEMORY_FLAGS } from '../src/connect/memory-settings.ts';
import { PROVIDERS } from '../src/sessions/providers/index.ts';
import { findLogs, type LogFolder } from '../src/sessions/providers/log-files.ts';
import { openSessions } from '../src/sessions/sessions.ts';

/** The steps of bench/sessions.mjs, each run in its own process; prints one line of JSON. */
const [step = '', ...args] = process.argv.slice(2);

function foldersOf(logs: string): readonly LogFolder[] {
  return [
    { provider: 'claude_code', path: join(logs, 'claude_code') },
    { provider: 'codex', path: join(logs, 'codex') },
    { provider: 'gemini', path: join(logs, 'gemini') },
  ];
}

async function read(logs: string, home: string) {
  const started = performance.now();
  const sessions = await openSessions({ home, folders: foldersOf(logs), watch: false, log: console.error });
  await sessions.reading.refresh();
  const ms = performance.now() - started;
  const { events } = await sessions.reading.health();
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const rss = maxRSS * 1024;
  const cpu = (userCPUTime + systemCPUTime) / 1000;
  await sessions.close();
  return { ms, cpu, rss, events, database: statSync(join(home, 'sessions.db')).size };
}

const APPENDED = 1e6;
const LARGE = 100e6;

/** Writes a log of 100 MB, waits until it is read, appends 1 MB, and waits until the last line is found. */
async function append(logs: string, home: string) {
  const folder = join(logs, 'claude_code', 'large');
  const path = join(folder, '11111111-2222-4333-8444-555555555555.jsonl');
  const [source] = findLogs(PROVIDERS, foldersOf(logs))
    .filter((log) => log.provider === 'claude_code' && log.path.endsWith('.jsonl'))
    .sort((a, b) => statSync(b.path).size - statSync(a.path).size);
  const sample = readFileSync(source?.path ?? '');
  const { mkdirSync } = await import('node:fs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, '');
  for (let size = 0; size < LARGE; size += sample.length) appendFileSync(path, sample);
  const sessions = await openSessions({ home, folders: foldersOf(logs), watch: true, log: console.error });
  await sessions.reading.refresh();
  const large = statSync(path).size;
  const lines = sample.subarray(0, APPENDED).toString('utf8').split('\n').slice(0, -1);
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const word = `needle${round}inthehaystack`;
    const last = {
      type: 'user',
      uuid: word,
      timestamp: new Date().toISOString(),
      message: { role: 'user', content: word },
    };
    const started = performance.now();
    appendFileSync(path, `${lines.join('\n')}\n${JSON.stringify(last)}\n`);
    await new Promise<void>((found) => {
      const look = async () => {
        for await (const _ of sessions.search.find(
          { text: word, regex: false },
          {},
          AbortSignal.timeout(60_000),
        )) {
          stop();
          found();
          return;
        }
      };
      const stop = sessions.reading.onChange(() => void look());
    });
    times.push(performance.now() - started);
  }
  await sessions.close();
  times.sort((a, b) => a - b);
  return { large, appended: APPENDED, ms: times[2] };
}

async function search(home: string, ...queries: readonly string[]) {
  const sessions = await openSessions({ home, folders: [], watch: false, log: console.error });
  const results: { first: number; hits: number }[] = [];
  for (const query of queries) {
    const times: number[] = [];
    let hits = 0;
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      hits = 0;
      for await (const _ of sessions.search.find(
        { text: query, regex: false },
        {},
        AbortSignal.timeout(60_000),
      ))
        if (++hits > 10) break;
      times.push(performance.now() - started);
    }
    times.sort((a, b) => a - b);
    results.push({ first: times[2] ?? 0, hits });
  }
  await sessions.close();
  return results;
}

/** Tokens of every log below a folder, by path: its own, and those of its subagents. */
async function totals(logs: string, home: string) {
  const folders = foldersOf(logs);
  const sessions = await openSessions({ home, folders, watch: false, log: console.error });
  await sessions.reading.refresh();
  const rows: Record<string, unknown> = {};
  for (const { path } of findLogs(PROVIDERS, folders)) {
    const session = await sessions.list.find(path);
    const { total, lowerBounds } = await sessions.usage.ofSession(session);
    const elsewhere = await sessions.usage.countedElsewhere(session);
    const children = (await sessions.list.children(session, 100)).filter(
      (child) => child.relation === 'subagent',
    );
    rows[path] = {
      id: await sessions.list.shortId(session.id),
      version: session.version ?? '',
      relation: session.relation ?? '',
      copy: session.copyOf !== undefined,
      total,
      lowerBounds,
      elsewhere: elsewhere.tokens,
      subagents: children.reduce((sum, child) => sum + child.totalTokens, 0),
    };
  }
  await sessions.close();
  return rows;
}

const [first = '', second = ''] = args;
const result =
  step === 'settings'
    ? { flags: MEMORY_FLAGS, env: MEMORY_ENV }
    : step === 'read'
      ? await read(first, second)
      : step === 'append'
        ? await append(first, second)
        : step === 'totals'
          ? await totals(first, second)
          : await search(first, ...args.slice(1));
console.log(JSON.stringify(result));
