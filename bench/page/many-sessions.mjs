import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const TASKS =
  'fix the nightly export|add a legend for station types|move the retry settings|write tests for the cursor|upgrade the tile server|make the search tolerate typing mistakes|find out why the cache grows|document the flags'.split(
    '|',
  );
const MODELS = ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5'];
const PROJECTS = 8;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;

/** Pseudo-random numbers, the same in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Records of a session in Claude Code's format: prompts, reads, edits, and tests, some of which fail. */
function* records(id, cwd, title, start, steps, next, resultBytes) {
  const model = MODELS[Math.floor(next() * MODELS.length)];
  let count = 0;
  let at = start;
  const base = (type) => {
    at += 1_000 + Math.floor(next() * 20_000);
    count++;
    return {
      type,
      uuid: `${id.slice(0, 8)}u${count}`,
      parentUuid: count === 1 ? null : `${id.slice(0, 8)}u${count - 1}`,
      sessionId: id,
      cwd,
      version: '2.1.197',
      isSidechain: false,
      timestamp: new Date(at).toISOString(),
    };
  };
  for (let step = 0; step < steps; step++) {
    if (step % 40 === 0)
      yield {
        ...base('user'),
        message: { role: 'user', content: step === 0 ? title : `go on with part ${step / 40} of ${title}` },
      };
    const kind = next();
    const file = `${cwd}/src/part-${Math.floor(next() * 40)}.ts`;
    const [name, input] =
      kind < 0.4
        ? ['Read', { file_path: file }]
        : kind < 0.65
          ? ['Edit', { file_path: file, old_string: 'return a;', new_string: `return a + ${step};` }]
          : ['Bash', { command: `npm test -- part-${step % 40}` }];
    const usage = {
      input_tokens: 4,
      output_tokens: 60 + Math.floor(next() * 600),
      cache_read_input_tokens: 20_000 + step * 40,
      cache_creation_input_tokens: 500,
    };
    const call = { type: 'tool_use', id: `${id.slice(0, 8)}t${step}`, name, input };
    yield {
      ...base('assistant'),
      requestId: `${id.slice(0, 8)}r${step}`,
      message: {
        id: `${id.slice(0, 8)}m${step}`,
        role: 'assistant',
        model,
        stop_reason: 'tool_use',
        usage,
        content: [call],
      },
    };
    const failed = name === 'Bash' && next() < 0.15;
    const text = failed ? 'FAIL: expected 2 to be 1\n' : `line of part ${step}, all as expected\n`;
    const content = text.repeat(Math.max(1, Math.floor((resultBytes * (0.2 + next())) / text.length)));
    const result = {
      type: 'tool_result',
      tool_use_id: call.id,
      content,
      ...(failed ? { is_error: true } : {}),
    };
    yield { ...base('user'), message: { role: 'user', content: [result] } };
  }
}

/**
 * Writes `count` sessions over a year, in eight projects, and one of `largeBytes`; returns the id of that one.
 *
 * @param claude Claude Code's folder: `~/.claude`
 */
export function writeSessions(claude, count, largeBytes, now = Date.now()) {
  const next = random(7);
  for (let i = 0; i < count; i++) {
    const project = i % PROJECTS;
    const folder = join(claude, 'projects', `project-${project}`);
    mkdirSync(folder, { recursive: true });
    const id = `${(0x10000000 + i * 104_729).toString(16).padStart(8, '0')}-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const title = `${TASKS[i % TASKS.length]}, ticket ${i}`;
    // A quarter of all sessions are from the last month.
    const age = (i % 4 === 0 ? 30 : YEAR_DAYS) * DAY_MS * next();
    const steps = 4 + Math.floor(next() ** 3 * 160);
    const all = [...records(id, `/srv/project-${project}`, title, now - age - 3_600_000, steps, next, 500)];
    writeFileSync(join(folder, `${id}.jsonl`), all.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
  const large = 'ffffffff-0000-4000-8000-000000000001';
  const folder = join(claude, 'projects', 'project-0');
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, `${large}.jsonl`), 'w');
  let bytes = 0;
  const steps = Number.POSITIVE_INFINITY;
  for (const record of records(
    large,
    '/srv/project-0',
    'the large one',
    now - 40 * DAY_MS,
    steps,
    next,
    24_000,
  )) {
    if (bytes >= largeBytes) break;
    bytes += writeSync(file, `${JSON.stringify(record)}\n`);
  }
  closeSync(file);
  return large;
}
