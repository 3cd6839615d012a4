import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { redact } from '../../src/contract/redact.ts';
import { FLAG } from '../../src/sessions/model/event-rows.ts';
import { PROVIDERS } from '../../src/sessions/providers/index.ts';
import { findLogs, type LogFolder } from '../../src/sessions/providers/log-files.ts';
import { type Desk, openDesk } from '../fixtures/sessions/harness.ts';
import { parseBytes } from '../fixtures/sessions/parse.ts';

const corpus = process.env.PINHOLE_CORPUS;
if (corpus === undefined) throw new Error('PINHOLE_CORPUS must name the folder with the test material');
const root = join(corpus, 'data/sessions');
const folders: readonly LogFolder[] = [
  { provider: 'claude_code', path: join(root, 'claude_code') },
  { provider: 'codex', path: join(root, 'codex') },
  { provider: 'gemini', path: join(root, 'gemini') },
];
const logs = findLogs(PROVIDERS, folders);

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ folders });
});
afterAll(() => desk.close());

async function allSessions() {
  return desk.sessions.list.page({ subagents: true }, undefined, 10_000);
}

describe('real logs', () => {
  test('no log is lost, and what is unknown is listed', async () => {
    const health = await desk.sessions.reading.health();
    expect(health.files).toBe(logs.length);
    expect(health.sessions).toBe(logs.length);
    expect(health.events).toBeGreaterThan(19_000);
    for (const { label, records, example } of health.unknown) {
      expect(label).not.toBe('');
      expect(records).toBeGreaterThan(0);
      expect((await desk.sessions.list.find(example)).unknownRecords).toBeGreaterThan(0);
    }
  });

  test('every event is given in full, and together they are the log, byte for byte', async () => {
    for (const log of logs) {
      const session = await desk.sessions.list.find(log.path);
      const events = await desk.sessions.events.range(session, 0, session.events);
      expect(events.map((event) => event.index)).toEqual(events.map((_, index) => index));
      const bytes = log.path.endsWith('.zst') ? undefined : readFileSync(log.path);
      let at = 0;
      for (const event of events) {
        if (event.offset < at) continue;
        expect(event.offset).toBe(at);
        at += event.length;
        let raw = '';
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const answer = await desk.ask('get_event_details', {
            session_id: session.id,
            event_index: event.index,
            raw: true,
            offset,
          });
          expect(answer.size).toBeLessThanOrEqual(8_000);
          raw += answer.data.text;
          offset = answer.data.next_offset;
        }
        const record = bytes?.subarray(event.offset, event.offset + event.length).toString('utf8') ?? raw;
        if (raw !== redact(record)) expect(raw).toBe(redact(record));
      }
      expect(at).toBe(bytes?.length ?? at);
    }
  });

  test('coordinates lead from a hit to its event, turn and step, and back', async () => {
    for (const query of ['error', 'README', 'npm', 'the', 'function']) {
      const { data } = await desk.ask('search_event_previews', { query, limit: 50 });
      for (const match of data.matches) {
        const { session_id, event_index, turn_index, step_index } = match;
        const event = await desk.ask('get_event_details', { session_id, event_index });
        expect(event.data).toMatchObject({ session_id, event_index, event_type: match.event_type });
        expect(event.data.turn_index).toBe(turn_index);
        expect(event.data.step_index).toBe(step_index);
        if (turn_index === undefined || step_index === undefined) continue;
        if (match.event_type !== 'tool_call' && match.event_type !== 'message') continue;
        const session = await desk.sessions.list.find(session_id);
        const turn = await desk.sessions.turns.at(session, turn_index);
        const [step] = await desk.sessions.turns.steps(session, turn, step_index - 1, 1);
        expect(step?.index).toBe(step_index);
        if (match.event_type === 'tool_call')
          expect(step?.tools.map((tool) => tool.event)).toContain(event_index);
        expect(step?.event).toBeLessThanOrEqual(event_index);
      }
    }
  });

  test('answers at default limits stay within their aims', async () => {
    const aims = { get_session_summary: 5_000, get_session_turns: 8_000, analyze_session: 3_000 } as const;
    expect((await desk.ask('list_sessions', {})).size).toBeLessThanOrEqual(4_000);
    expect((await desk.ask('get_project_info', {})).size).toBeLessThanOrEqual(4_000);
    const sessions = await allSessions();
    for (const session of sessions) {
      for (const [operation, most] of Object.entries(aims)) {
        const { size, ok } = await desk.ask(operation, { session_id: session.id });
        expect(ok, `${operation} ${session.id}`).toBe(true);
        expect(size, `${operation} ${session.id}`).toBeLessThanOrEqual(most);
      }
    }
    for (const query of ['error', 'the', 'add', 'import', '{']) {
      expect((await desk.ask('search_event_previews', { query })).size).toBeLessThanOrEqual(6_000);
    }
    for (let index = 1; index < sessions.length; index += 7) {
      const { size } = await desk.ask('compare_sessions', {
        a: sessions[index - 1]?.id,
        b: sessions[index]?.id,
      });
      expect(size).toBeLessThanOrEqual(4_000);
    }
  });

  test('a log that grows gives the same events as the whole log', async () => {
    for (const log of logs.filter((candidate) => candidate.path.includes('growing-'))) {
      const whole = parseBytes(log.provider, log.path, readFileSync(log.path));
      const longest = logs.filter((other) => other.path.includes('growing-')).at(-1);
      const all = parseBytes(log.provider, log.path, readFileSync(longest?.path ?? log.path));
      const shared = whole.events.length;
      expect(all.events.slice(0, shared).map(({ turn, step, type }) => [turn, step, type])).toEqual(
        whole.events.map(({ turn, step, type }) => [turn, step, type]),
      );
    }
  });
});

describe('damaged logs', () => {
  const CASES = 10_000;
  const MOST = 150_000;

  test(`${CASES} cut, thinned, doubled and garbled logs are read without an exception`, () => {
    let seed = 20_261_115;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return Math.floor((seed / 4_294_967_296) * below);
    };
    const sources = logs
      .filter((log) => !log.path.endsWith('.zst'))
      .map((log) => ({ log, bytes: readFileSync(log.path).subarray(0, 4_000_000) }));
    for (let index = 0; index < CASES; index++) {
      const { log, bytes } = sources[random(sources.length)] ?? { log: logs[0], bytes: Buffer.alloc(0) };
      if (log === undefined) continue;
      const start = bytes.length > MOST && random(3) > 0 ? random(bytes.length - MOST) : 0;
      const window = bytes.subarray(start, Math.min(bytes.length, start + MOST));
      const damaged = damage(window, random);
      const { events, consumed } = parseBytes(log.provider, log.path, damaged);
      expect(consumed).toBeLessThanOrEqual(damaged.length);
      let last = -1;
      for (const event of events) {
        if (event.index !== last + 1) expect(event.index).toBe(last + 1);
        last = event.index;
        if ((event.flags & FLAG.bad) === 0 && event.length <= 0) expect(event.length).toBeGreaterThan(0);
      }
    }
  });
});

function damage(bytes: Buffer, random: (below: number) => number): Buffer {
  const kind = random(5);
  if (kind === 0) return bytes.subarray(0, random(bytes.length + 1));
  const lines = bytes.toString('latin1').split('\n');
  if (kind === 1) return Buffer.from(lines.filter(() => random(4) > 0).join('\n'), 'latin1');
  if (kind === 2)
    return Buffer.from(lines.flatMap((line) => (random(4) > 0 ? [line] : [line, line])).join('\n'), 'latin1');
  if (kind === 3) {
    const garbled = Buffer.from(bytes);
    for (let times = 1 + random(40); times > 0 && garbled.length > 0; times--)
      garbled[random(garbled.length)] = random(256);
    return garbled;
  }
  // Values of other types where the reader expects something else.
  const wrong = ['null', '[]', '{}', '7', '"x"', 'true'];
  const swapped = lines.map((line) =>
    random(3) > 0
      ? line
      : line.replace(/:(?:"[^"\\]{0,40}"|\{|\[|\d+)/g, (whole) =>
          random(12) > 0 ? whole : `:${wrong[random(wrong.length)]}`,
        ),
  );
  return Buffer.from(swapped.join('\n'), 'latin1');
}
