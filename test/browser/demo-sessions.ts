import { join } from 'node:path';
import { call, claude, codex, gemini, lines, text, thinking, writeLog } from '../fixtures/sessions/logs.ts';
import { pick, seeded } from './random.ts';

/** Text that would run as a script if anything showed it as HTML. */
export const EVIL_TEXT = '<img src=x onerror="globalThis.evil=1"><script>globalThis.evil=1</script>';
/** The session used in the flows: long, with failures and edits. */
export const MAIN_SESSION = 'a7c3e1f0-52b4-4d1e-9f6a-1c2d3e4f5a6b';
export const EVIL_SESSION = 'e0e0e0e0-1111-4222-8333-444455556666';

const PROMPTS = [
  'tiles load twice when the map is panned quickly, find out why',
  'add a legend for station types and keep it in sync with the filter',
  'the nightly export is missing the last hour, please fix it',
  'move the retry settings into one place and document them',
  'why does the cache grow without limit?',
  'write tests for the cursor so that no page repeats a row',
  'upgrade the tile server and check that old clients still work',
  'make the station search tolerate typing mistakes',
] as const;

const FILES = ['src/tile.ts', 'src/cache.ts', 'src/retry.ts', 'src/cursor.ts', 'src/legend.ts'] as const;
const COMMANDS = [
  'npm test',
  'npm run check',
  'git diff --stat',
  'node tools/load.mjs',
  'rg -n "retry" src',
] as const;

type Record_ = Readonly<Record<string, unknown>>;
type Builder = ReturnType<typeof claude>;

let answers = 0;

/** A step in which the model does one thing; most succeed. */
function step(log: Builder, random: () => number, project: string, context: number): Record_[] {
  const message = `msg_${++answers}`;
  const id = `toolu_${answers}`;
  const usage = {
    input: 4,
    output: 60 + Math.floor(random() * 900),
    cacheRead: context,
    cacheWrite: Math.floor(random() * 3_000),
  };
  const file = `${project}/${pick(random, FILES)}`;
  const kind = random();
  const thought =
    random() < 0.4
      ? [
          log.answer(
            message,
            thinking(
              'The loader asks for a tile before the one before it has arrived. If the key is taken when the request starts, the second request can wait for the first.',
            ),
            usage,
            { stop_reason: null },
          ),
        ]
      : [];
  if (kind < 0.3) {
    return [
      ...thought,
      log.answer(message, call(id, 'Read', { file_path: file }), usage, { stop_reason: 'tool_use' }),
      log.result(id, sourceLines(60)),
    ];
  }
  if (kind < 0.55) {
    const input = {
      file_path: file,
      old_string: '  return store.get(id);',
      new_string:
        '  const known = waiting.get(id);\n  if (known !== undefined) return known;\n  return store.get(id);',
    };
    return [
      ...thought,
      log.answer(message, call(id, 'Edit', input), usage, { stop_reason: 'tool_use' }),
      log.result(id, `The file ${file} has been updated.`),
    ];
  }
  if (kind < 0.65) {
    return [
      log.answer(message, call(id, 'Grep', { pattern: 'waiting', path: 'src' }), usage, {
        stop_reason: 'tool_use',
      }),
      log.result(id, 'src/tile.ts:14\nsrc/cache.ts:8'),
    ];
  }
  const bad = random() < 0.22;
  const output = bad
    ? 'FAIL src/tile.test.ts > loads each tile once\nAssertionError: expected 2 to be 1\n    at src/tile.test.ts:31:22'
    : 'Test Files  12 passed (12)\n     Tests  118 passed (118)';
  return [
    ...thought,
    log.answer(message, call(id, 'Bash', { command: pick(random, COMMANDS), description: 'Run it' }), usage, {
      stop_reason: 'tool_use',
    }),
    log.result(id, output, bad ? { error: true } : {}),
  ];
}

function sourceLines(count: number): string {
  return Array.from(
    { length: count },
    (_, i) =>
      `${String(i + 1).padStart(5)}→${i % 9 === 0 ? '' : `  const step${i} = await load(tiles[${i}]);`}`,
  ).join('\n');
}

/** Spreads the records' times over the given span. */
function timed(records: readonly Record_[], start: number, spanMs: number): Record_[] {
  return records.map((record, i) => ({
    ...record,
    timestamp: new Date(start + (spanMs * i) / Math.max(1, records.length)).toISOString(),
  }));
}

export interface DemoSessions {
  readonly claudeHome: string;
  readonly codexHome: string;
  readonly geminiHome: string;
}

/** Sessions of three clients over the last two weeks; the first is the longest and newest. */
export function makeDemoSessions(
  home: string,
  project: string,
  count: number,
  evil: boolean,
  now = Date.now(),
): DemoSessions {
  const random = seeded(11);
  const places = {
    claudeHome: join(home, 'claude'),
    codexHome: join(home, 'codex'),
    geminiHome: join(home, 'gemini'),
  };
  const folder = join(places.claudeHome, 'projects', project.replaceAll('/', '-'));
  const session = (id: string, turns: number, steps: number, first: string) => {
    const log = claude({ id, cwd: project });
    const records: Record_[] = [];
    let context = 18_000;
    for (let turn = 0; turn < turns; turn++) {
      records.push(log.prompt(turn === 0 ? first : pick(random, PROMPTS)));
      for (let i = 0; i < steps; i++) {
        context += Math.floor(random() * 2_600);
        records.push(...step(log, random, project, context));
      }
      records.push(
        log.answer(
          `msg_${++answers}`,
          text(
            'Each tile is now requested once: the request is kept under its key until it is answered, and whoever asks again waits for it. All tests pass.',
          ),
          { output: 240, cacheRead: context },
        ),
      );
    }
    return records;
  };
  const main = withAgents(session(MAIN_SESSION, 7, 22, PROMPTS[0]), project);
  writeLog(join(folder, `${MAIN_SESSION}.jsonl`), lines(timed(main, now - 95 * 60_000, 70 * 60_000)));
  writeAgents(folder, project, random, now - 95 * 60_000);
  if (evil) writeEvil(folder, project, now);
  for (let i = 0; i < count; i++) {
    const id = `${(0xb0000000 + i * 104_729).toString(16)}-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const start = now - (2 + i * 9 + random() * 5) * 3_600_000;
    const records = session(
      id,
      1 + Math.floor(random() * 4),
      3 + Math.floor(random() * 14),
      PROMPTS[(i + 1) % PROMPTS.length] ?? '',
    );
    writeLog(join(folder, `${id}.jsonl`), lines(timed(records, start, (5 + random() * 40) * 60_000)));
  }
  writeCodex(places.codexHome, project, now);
  writeGemini(places.geminiHome, project, now);
  return places;
}

/** Subagents of the main session: their name, purpose and turn, and how much they do. */
export const AGENTS = [
  {
    id: 'acafe0123456789ab',
    name: 'Explore',
    task: 'find every place that asks for a tile',
    turn: 1,
    steps: 9,
  },
  { id: 'abeef0123456789ab', name: 'Explore', task: 'read the tests of the cache', turn: 1, steps: 5 },
  { id: 'ad00d0123456789ab', name: 'reviewer', task: 'review the change to the loader', turn: 4, steps: 26 },
] as const;

/** Inserts the calls that start the subagents after the prompts of their turns. */
function withAgents(records: readonly Record_[], project: string): Record_[] {
  const log = claude({ id: MAIN_SESSION, cwd: project });
  let turn = -1;
  return records.flatMap((record) => {
    const { message, type } = record as { message?: { content?: unknown }; type?: string };
    if (type !== 'user' || typeof message?.content !== 'string') return [record];
    turn++;
    const started = AGENTS.filter((agent) => agent.turn === turn);
    return [
      record,
      ...started.flatMap(({ id, name, task }) => [
        log.answer(
          `msg_${id}`,
          call(`toolu_${id}`, 'Task', { subagent_type: name, description: task, prompt: task }),
          { output: 120, cacheRead: 18_000 + turn * 28_600 },
          { stop_reason: 'tool_use' },
        ),
        log.result(`toolu_${id}`, 'Done; the places are listed above.', { beside: { agentId: id } }),
      ]),
    ];
  });
}

function writeAgents(folder: string, project: string, random: () => number, start: number): void {
  for (const { id, name, task, turn, steps } of AGENTS) {
    const log = claude({ id: MAIN_SESSION, cwd: project, extra: { isSidechain: true, agentId: id } });
    const records = [
      log.prompt(task),
      ...Array.from({ length: steps }, (_, i) => step(log, random, project, 9_000 + i * 900)).flat(),
      log.answer(`msg_end_${id}`, text('These are the places; nothing else asks for a tile.'), {
        output: 180,
      }),
    ];
    const path = join(folder, MAIN_SESSION, 'subagents', `agent-${id}`);
    writeLog(`${path}.jsonl`, lines(timed(records, start + turn * 600_000, 120_000)));
    writeLog(`${path}.meta.json`, JSON.stringify({ agentType: name, toolUseId: `toolu_${id}` }));
  }
}

function writeEvil(folder: string, project: string, now: number): void {
  const log = claude({ id: EVIL_SESSION, cwd: project });
  const records = [
    log.prompt(EVIL_TEXT),
    log.answer('msg_evil', text(EVIL_TEXT)),
    log.answer(
      'msg_evil2',
      call('toolu_evil', 'Bash', { command: `echo '${EVIL_TEXT}'` }),
      {},
      { stop_reason: 'tool_use' },
    ),
    log.result('toolu_evil', EVIL_TEXT),
  ];
  writeLog(join(folder, `${EVIL_SESSION}.jsonl`), lines(timed(records, now - 16 * 86_400_000, 60_000)));
}

function writeCodex(home: string, project: string, now: number): void {
  for (let i = 0; i < 3; i++) {
    const id = `0199${String(i).padStart(4, '0')}-aaaa-7bbb-8ccc-0123456789ab`;
    const records = [
      codex.meta(id, { cwd: project }),
      codex.context(),
      codex.user(PROMPTS[i + 3] ?? ''),
      codex.userItem(PROMPTS[i + 3] ?? ''),
      codex.call(`call_${i}`, 'exec_command', { cmd: 'npm test' }),
      codex.output(`call_${i}`, 'Process exited with code 0\nOutput:\nok'),
      codex.said('The settings are in one place now.'),
      codex.tokens(42_000 + i * 9_000, 42_000),
    ];
    const day = new Date(now - (i * 2 + 1) * 86_400_000);
    const stamp = day.toISOString().slice(0, 19).replaceAll(':', '-');
    const path = join(
      home,
      'sessions',
      stamp.slice(0, 4),
      stamp.slice(5, 7),
      stamp.slice(8, 10),
      `rollout-${stamp}-${id}.jsonl`,
    );
    writeLog(path, lines(timed(records, day.getTime(), 240_000)));
  }
}

function writeGemini(home: string, project: string, now: number): void {
  const folder = join(home, '.gemini/tmp/atlas');
  writeLog(join(folder, '.project_root'), project);
  const records = [
    gemini.header('9e9e9e9e-0000-4000-8000-000000000001'),
    gemini.user('u1', PROMPTS[6]),
    gemini.answer('a1', {
      toolCalls: [gemini.tool('t1', 'read_file', { absolute_path: join(project, 'package.json') }, '{}')],
    }),
    gemini.answer('a2', { content: 'Old clients still work.' }),
  ];
  writeLog(
    join(folder, 'chats/session-2026-11-12T10-00-9e9e9e9e.jsonl'),
    lines(timed(records, now - 3 * 86_400_000, 90_000)),
  );
}
