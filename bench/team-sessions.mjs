// Sessions in Claude Code's format for bench/postgres.mjs: any number of them, the same in every run.
import { createHash } from 'node:crypto';

const PROJECTS = 200;
const MODELS = ['claude-opus-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5'];
const YEAR_MS = 365 * 86_400_000;
const VOCABULARY = 60_000;
const FIRST_MS = Date.UTC(2025, 10, 1);

/** Pseudo-random numbers, the same in every run. */
function random(seed) {
  let state = (seed * 2_654_435_761 + 1) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SYLLABLES =
  'ba be bi bo bu ca ce co da de di do fa fe fi fo ga ge gi go ha he hi ho ja jo ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo wa we wi wo'.split(
    ' ',
  );
const SPOKEN =
  'the a to of and in is it for that this with on not be are from test file function return value error call list index query cursor page token read write change expected number string'.split(
    ' ',
  );

/** The word of a rank: first words that people write, then made-up names, longer the rarer they are. */
export function word(rank) {
  if (rank < SPOKEN.length) return SPOKEN[rank] ?? '';
  let [rest, made] = [rank, ''];
  while (rest > 0) {
    made += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return `${made}${rank % 3 === 0 ? 'ed' : 'er'}`;
}
const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => word(rank));

/** Words as frequent as in real text: the second is half as frequent as the first, the third a third as frequent. */
function text(next, bytes) {
  let made = '';
  while (made.length < bytes) {
    const rank = Math.floor(VOCABULARY ** next()) - 1;
    made += WORDS[Math.max(0, rank)];
    made += next() < 0.1 ? '\n' : ' ';
  }
  return made;
}

/** The records of a session, as lines of its log. */
export function sessionLines(number) {
  const next = random(number + 1);
  const hash = createHash('sha256').update(String(number)).digest('hex');
  const id = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  const project = Math.floor(PROJECTS ** next()) - 1;
  const cwd = `/home/dev/project-${project}`;
  const model = MODELS[Math.floor(next() * MODELS.length)];
  let at = FIRST_MS + next() * YEAR_MS;
  let count = 0;
  const lines = [];
  const add = (type, message) => {
    at += 1_000 + next() * 20_000;
    lines.push(
      JSON.stringify({
        type,
        uuid: `${id.slice(0, 24)}${String(++count).padStart(12, '0')}`,
        parentUuid: count === 1 ? null : `${id.slice(0, 24)}${String(count - 1).padStart(12, '0')}`,
        sessionId: id,
        cwd,
        version: '2.1.197',
        timestamp: new Date(at).toISOString(),
        message,
      }),
    );
  };
  // A few sessions are long: the mean is 100 steps, the longest has 800.
  const steps = 4 + Math.floor(next() ** 4 * 480) + (next() < 0.02 ? 400 : 0);
  for (let step = 0; step < steps; step++) {
    if (step % 25 === 0) add('user', { role: 'user', content: text(next, 60 + next() * 200) });
    const file = `${cwd}/src/${WORDS[40 + Math.floor(400 * next() ** 2)]}/${WORDS[40 + Math.floor(4_000 * next() ** 2)]}.ts`;
    const kind = next();
    const [name, input] =
      kind < 0.35
        ? ['Read', { file_path: file }]
        : kind < 0.6
          ? ['Edit', { file_path: file, old_string: text(next, 40), new_string: text(next, 60) }]
          : kind < 0.8
            ? ['Grep', { pattern: WORDS[Math.floor(VOCABULARY * next())], path: cwd }]
            : ['Bash', { command: `npm test -- ${WORDS[40 + Math.floor(400 * next())]}` }];
    const usage = {
      input_tokens: 4,
      output_tokens: 60 + Math.floor(next() * 600),
      cache_read_input_tokens: 20_000 + step * 40,
      cache_creation_input_tokens: 500,
    };
    const call = { type: 'tool_use', id: `toolu_${id.slice(0, 13)}${step}`, name, input };
    const said = next() < 0.3 ? [{ type: 'text', text: text(next, 40 + next() * 160) }] : [];
    add('assistant', {
      id: `msg_${id.slice(0, 13)}${step}`,
      role: 'assistant',
      model,
      stop_reason: 'tool_use',
      usage,
      content: [...said, call],
    });
    const failed = name === 'Bash' && next() < 0.15;
    const content = failed ? `FAIL ${file}\nexpected 2 to be 1\n` : text(next, 30 + 500 * next() ** 2);
    add('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: call.id, content, ...(failed && { is_error: true }) }],
    });
  }
  return { id, project: `project-${project}`, cwd, lines };
}
