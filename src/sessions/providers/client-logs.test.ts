import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CLIENT_LOGS,
  type ClientLog,
  filesOf,
  placeLog,
} from '../../../test/fixtures/client-logs/fixtures.ts';
import {
  FEATURES,
  type Feature,
  type Features,
  featureCell,
  type LogFigures,
  withLogTables,
} from '../../../test/fixtures/client-logs/log-table.ts';
import { openTables } from '../../../test/fixtures/sessions/ask-tables.ts';
import { type Desk, openDesk } from '../../../test/fixtures/sessions/harness.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { NO_USAGE, type Usage } from '../model/event.ts';
import type { JsonObject } from '../model/log-json.ts';
import type { SessionRow } from '../store/session-row.ts';
import { PROVIDERS, providerNamed } from './index.ts';

const EDITED = '/srv/project/src/add.js';
const BUDGET = 8_000;

let desk: Desk;

const figures: LogFigures[] = [];
/** What the tests after the first one of each log have shown. */
const shown = new Map<string, Set<Feature>>();
const show = ({ name }: ClientLog, feature: Feature) =>
  shown.set(name, (shown.get(name) ?? new Set()).add(feature));
const allFigures = () =>
  figures.map((one) => ({
    ...one,
    features: {
      ...one.features,
      ...Object.fromEntries([...(shown.get(one.log.name) ?? [])].map((feature) => [feature, true])),
    },
  }));

/** How a log begins that was copied from another one, for the agents that say so. */
const FORKS: Readonly<Record<string, JsonObject>> = {
  claude_code: {
    type: 'user',
    sessionId: 'new',
    forkedFrom: { sessionId: 'old' },
    message: { content: 'x' },
  },
  codex: { type: 'session_meta', payload: { id: 'new', forked_from_id: 'old' } },
  pi: {
    type: 'session',
    id: 'new',
    parentSession: `/s/x_${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.jsonl`,
  },
  omp: { type: 'session', id: 'new', forkedFrom: 'old' },
  openclaw: { type: 'session', id: 'new', forkedFrom: 'old' },
};
const lacks = ({ expected }: ClientLog, what: string) => expected.lacks?.includes(what) === true;

/** Opens the sessions of a home, in this thread: starting another one takes longer than reading. */
async function open(home: string, archive = false): Promise<void> {
  desk = await openDesk({ home, folders: undefined, archive, providers: [...PROVIDERS] });
  const mine = desk;
  onTestFinished(() => mine.close(true));
}

async function read(log: ClientLog, archive = false): Promise<string> {
  const home = temporaryFolder();
  placeLog(log, home);
  await open(home, archive);
  return home;
}

const allSessions = () => desk.sessions.list.page({ subagents: true }, undefined, 50);

/** Everything that has a coordinate: sessions, their turns, events and calls. */
async function coordinates() {
  const sessions = await allSessions();
  const found: Record<string, readonly string[]> = {};
  for (const session of sessions) {
    const events = await desk.sessions.events.range(session, 0, session.events);
    found[session.id] = await Promise.all(
      events.map(async (event) => {
        const { text } = await desk.sessions.events.text(session, event, false);
        return [event.index, event.turn, event.step, event.type, event.name, event.status, text].join(' | ');
      }),
    );
  }
  return { sessions, found };
}

function plus(a: Usage, b: Usage): Usage {
  const sum = (name: keyof Usage) => a[name] + b[name];
  return {
    input: sum('input'),
    cached: sum('cached'),
    cacheWrite: sum('cacheWrite'),
    cacheWriteHour: sum('cacheWriteHour'),
    output: sum('output'),
    reasoning: sum('reasoning'),
    tool: sum('tool'),
  };
}

describe.each(CLIENT_LOGS)('a log of $name', (log) => {
  const { expected } = log;
  const provider = providerNamed(PROVIDERS, expected.client);

  test('turns, calls, outcomes, edits, tokens, sizes of answers', async () => {
    const home = await read(log);
    const sessions = await allSessions();
    const own = sessions.filter(({ relation }) => relation !== 'subagent');
    const main = own.find(({ snippet }) => snippet.startsWith('SCRIPT=first'));
    expect(own).toHaveLength(expected.apart === true ? 2 : 1);
    expect(desk.sessions.reading.unreadable()).toEqual([]);
    expect(sessions.every((session) => session.provider === provider?.id)).toBe(true);
    expect(await desk.sessions.reading.health()).toMatchObject({ unknown: [], badLines: 0 });
    const prompts = ['SCRIPT=first Make add() take text.', 'SCRIPT=second Ask a helper.'].slice(
      0,
      expected.turns,
    );
    const cwd = expected.project === undefined ? '/srv/project' : `${home}/${expected.project}`;
    expect(main).toMatchObject({ cwd, turns: prompts.length, failures: 1 });
    const id = main?.id ?? '';
    const { turns } = (await desk.ask('get_session_turns', { session_id: id })).data;
    expect(turns.map((turn: { user_message: string }) => turn.user_message)).toEqual(prompts);
    const { steps } = (await desk.ask('get_turn_steps', { session_id: id, turn_index: 0 })).data;
    const messages: readonly string[] = steps.map((step: { message: string }) => step.message);
    const inline = lacks(log, 'messages apart from edits');
    expect(inline ? messages.map((message) => message.split('\n')[0]) : messages).toEqual([
      'I will change add().',
      'Now a command that fails.',
      'Done: add() makes numbers first.',
    ]);
    if (!lacks(log, 'reasoning')) expect(steps[0].reasoning).toContain('The sum of two texts is wrong.');
    const statuses = steps[0].tools.map((tool: { status: string }) => tool.status);
    expect(new Set(statuses)).toEqual(new Set(['ok']));
    expect(steps[1].tools).toMatchObject([{ status: 'failed' }]);
    expect(steps[1].tools[0].result).toContain('missing.js');
    const path = expected.relativePaths === true ? `${cwd}/src/add.js` : EDITED;
    const { touches } = (await desk.ask('file_history', { path })).data;
    expect(touches).toMatchObject([
      { action: 'edit', added: 1, removed: 1, diff: expect.stringContaining('Number(a) + Number(b)') },
    ]);
    if (expected.subagent === true) {
      const asking = own.find((session) => session.id !== id) ?? main;
      const { subagents } = (await desk.ask('session_subagents', { session_id: asking?.id })).data;
      expect(subagents).toHaveLength(1);
      expect(subagents[0].tool_calls).toBeGreaterThan(0);
    }
    const ours = await checkTokens(sessions);
    await checkBudget(id);
    const { matches } = (await desk.ask('search_event_previews', { query: 'add' })).data;
    const kinds = await kindsOfCalls();
    await noteFigures(sessions, ours, {
      turns: turns.length > 0,
      steps: steps.length > 0,
      calls: steps[0].tools.length > 0,
      outcomes: steps[1].tools[0].status === 'failed',
      diffs: touches[0].diff.includes('Number(a)'),
      reasoning: /The sum of two texts/.test(steps[0].reasoning ?? ''),
      model: main?.model !== undefined,
      times: (main?.startMs ?? 0) > 0,
      version: main?.version !== undefined,
      subagents: expected.subagent === true,
      'kinds of calls': kinds.includes('edit') && kinds.includes('execute'),
      forks: FORKS[provider?.id ?? ''] !== undefined,
      search: matches.length > 0,
    });
  });

  /** Each token counts once, and the totals are those of the client and of the model. */
  async function checkTokens(sessions: readonly SessionRow[]): Promise<Usage | undefined> {
    expect(sessions.length).toBeGreaterThan(0);
    const lines = await desk.sessions.usage.by('session', 'UTC', { provider: provider?.id });
    const ours = lines.map(({ usage }) => usage).reduce(plus, NO_USAGE);
    if (lacks(log, 'tokens')) {
      expect(lines).toEqual([]);
      // Absent and said so, never zero.
      const session_id = sessions[0]?.id ?? '';
      expect((await desk.ask('get_session_summary', { session_id })).data.tokens).toBeUndefined();
      expect(await desk.text('get_session_summary', { session_id })).toContain('tokens: none in its log');
      expect(await desk.text('list_sessions', {})).not.toMatch(/\b0 tok\b/);
    } else {
      const { served, shown } = expected;
      const { input, cached, cacheWrite, output } = ours;
      if (served !== undefined) expect({ input: input + cacheWrite, cached, output }).toEqual(pick(served));
      if (shown?.input !== undefined) expect({ input, cached, output }).toMatchObject(pick(shown));
    }
    return lines.length === 0 ? undefined : ours;
  }

  async function noteFigures(
    sessions: readonly SessionRow[],
    ours: Usage | undefined,
    found: Features,
  ): Promise<void> {
    if (provider === undefined) throw new Error(`no reader of ${expected.client}`);
    const health = await desk.sessions.reading.health();
    figures.push({
      log,
      provider,
      records: health.events,
      unknown: health.unknown.map(({ label }) => label),
      turns: sessions.reduce((sum, session) => sum + session.turns, 0),
      calls: sessions.reduce((sum, session) => sum + session.toolCalls, 0),
      tokens: ours && ours.input + ours.cached + ours.cacheWrite + ours.output,
      features: {
        ...found,
        tokens: ours !== undefined,
        'cached tokens': (ours?.cached ?? 0) > 0,
        'reasoning tokens': (ours?.reasoning ?? 0) > 0,
        cost: ours !== undefined && found.model === true,
        'cache writes': (ours?.cacheWrite ?? 0) > 0,
      },
    });
  }

  async function kindsOfCalls(): Promise<readonly string[]> {
    const { file } = await desk.sessions.database(new AbortController().signal);
    const tables = openTables(file ?? '');
    const rows = tables.ask('SELECT DISTINCT kind FROM calls ORDER BY kind');
    tables.close();
    return rows.map(({ kind }) => String(kind));
  }

  async function checkBudget(session_id: string): Promise<void> {
    for (const [operation, input] of [
      ['list_sessions', {}],
      ['get_session_summary', { session_id }],
      ['get_session_full', { session_id }],
      ['get_turn_steps', { session_id, turn_index: 0 }],
      ['search_event_previews', { query: 'add' }],
    ] as const) {
      const answer = await desk.ask(operation, input);
      expect(answer.ok).toBe(true);
      expect(answer.size).toBeLessThanOrEqual(BUDGET);
    }
  }

  test('coordinates stay while the log grows, and when it is read again from the beginning', async () => {
    const home = temporaryFolder();
    placeLog(log, home, 0.4);
    await open(home);
    for (const share of [0.6, 0.8, 1]) {
      placeLog(log, home, share);
      await desk.sessions.reading.refresh();
    }
    const { found } = await coordinates();
    const again = temporaryFolder();
    placeLog(log, again);
    await open(again);
    expect((await coordinates()).found).toEqual(found);
    expect(Object.values(found).flat().length).toBeGreaterThan(8);
    show(log, 'running');
  });

  test('a log that is cut in the middle of a record, then is whole again, keeps its coordinates', async () => {
    const home = await read(log);
    const { found } = await coordinates();
    const cut = filesOf(log).filter((path) => path.endsWith('.jsonl'));
    for (const path of cut) {
      const whole = readFileSync(`${home}/${path}`);
      writeFileSync(`${home}/${path}`, whole.subarray(0, whole.length - 40));
    }
    if (cut.length === 0) placeLog(log, home, 0.5);
    await desk.sessions.reading.refresh();
    expect(await desk.sessions.reading.health()).toMatchObject({ badLines: 0, sessions: expect.any(Number) });
    const shorter = Object.values((await coordinates()).found).flat();
    expect(shorter.length).toBeLessThan(Object.values(found).flat().length);
    placeLog(log, home);
    await desk.sessions.reading.refresh();
    expect((await coordinates()).found).toEqual(found);
  });

  test('a field that a newer version adds is named with the client and its version', async () => {
    const home = temporaryFolder();
    placeLog(log, home);
    const grown = filesOf(log).find((path) => path.endsWith('.jsonl'));
    if (grown === undefined || provider?.fields === undefined) return;
    const whole = readFileSync(`${home}/${grown}`, 'utf8');
    writeFileSync(`${home}/${grown}`, whole.replace(/\}\n/, ',"brandNew":1}\n'));
    await open(home);
    const { unknown } = await desk.sessions.reading.health();
    expect(unknown).toMatchObject([
      { provider: provider.id, label: expect.stringMatching(/^field .*\.brandNew$/), records: 1 },
    ]);
    expect(await desk.text('sessions_doctor', {})).toMatch(
      /^fields that this version does not know.*\n.*brandNew/m,
    );
  });

  test('the archive has every text after the client has deleted its logs', async () => {
    const home = await read(log, true);
    const { found } = await coordinates();
    for (const path of filesOf(log)) rmSync(`${home}/${path.replace(/\.sql$/, '')}`);
    for (const end of ['-wal', '-shm'])
      for (const path of filesOf(log)) rmSync(`${home}/${path.replace(/\.sql$/, '')}${end}`, { force: true });
    await desk.sessions.reading.refresh();
    expect((await coordinates()).found).toEqual(found);
    show(log, 'archive');
  });
});

describe.each(PROVIDERS)('the reader of $title', (provider) => {
  test('a record of an unknown type is kept and counted', () => {
    const record = { type: 'brand_new', payload: { type: 'brand_new' } };
    expect(provider.read(record)).toMatchObject({ known: false, parts: [{ type: 'notification' }] });
  });
});

test.each(Object.entries(FORKS))('a fork of %s names the session it was copied from', (id, record) => {
  const facts = PROVIDERS.find((one) => one.id === id)?.read(record).facts;
  expect(facts).toMatchObject({ id: 'new', relation: 'fork', parentId: expect.any(String) });
});

test('a reader says so if no log of its agent was ever seen', () => {
  const seen = new Set(
    CLIENT_LOGS.filter(({ expected }) => expected.made === 'real run').map(
      ({ expected }) => providerNamed(PROVIDERS, expected.client)?.id,
    ),
  );
  expect(PROVIDERS.filter(({ unseen }) => unseen).map(({ id }) => id)).toEqual(
    PROVIDERS.map(({ id }) => id).filter((id) => !seen.has(id)),
  );
});

test('what is in a log is read, and what is not is named', () => {
  const missing = allFigures().flatMap((one) =>
    FEATURES.filter((feature) => featureCell(one, feature) === 'missing').map(
      (feature) => `${one.provider.title}: ${feature}`,
    ),
  );
  expect(missing).toEqual([]);
});

test('docs/clients.md has the tables of these logs', async () => {
  const file = resolve('docs/clients.md');
  await expect(withLogTables(readFileSync(file, 'utf8'), allFigures())).toMatchFileSnapshot(file);
});

test('every provider has a log', () => {
  const covered = new Set(CLIENT_LOGS.map(({ expected }) => providerNamed(PROVIDERS, expected.client)?.id));
  expect(PROVIDERS.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
});

function pick({
  input,
  cached,
  output,
}: Readonly<Partial<Record<'input' | 'cached' | 'output', number | undefined>>>) {
  return { input, cached, output };
}
