// Text that looks like what Pinhole answers and reads, made from a seed: the fit and the tests use different ones.

/** Samples of 2 to 8 kB, by class of text. */
export type Corpus = Readonly<Record<string, readonly string[]>>;

type Random = (below: number) => number;

/** A small generator of repeatable random numbers. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const WORDS =
  `add the fix for cursor page index of session file test error in to and with server build not found path
  a read write update remove user message token budget answer turn step event search query result failed retry timeout
  connection refused parse config default option value missing list entry node scan disk size change commit branch merge
  review function returns undefined cannot property module import export type check run command output line number
  lorem ipsum dolor sit amet`.split(/\s+/);
const NAMES =
  `src lib test docs contract store code sessions disk http cli web index main server client budget cursor page
  redact tokens operation engine errors roots envelope worker scan tree filter report chunk embed rank words provider
  ingest analyze model utils helpers types config handler router middleware migrations schema cache queue parser lexer`.split(
    /\s+/,
  );
const EXTENSIONS = ['ts', 'js', 'py', 'go', 'rs', 'md', 'json', 'tsx', 'java', 'c', 'h', 'yml', 'sh', 'css'];
const EMOJI = [...'😀🎉🚀✅❌⚠️🔥💡🐛🔑📦🌍🤖👍🙏❤️😂🥳🧪📝⭐🇩🇪👩‍💻🏽'];

function textOf(random: Random, alphabet: string, length: number): string {
  let text = '';
  while (text.length < length) text += alphabet[random(alphabet.length)];
  return text;
}

/** Makes the classes of text that need no files. */
export function syntheticCorpus(seed: number, samples: number): Corpus {
  const random = randomFrom(seed);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const many = (count: number, make: (index: number) => string, join: string): string =>
    Array.from({ length: count }, (_, index) => make(index)).join(join);
  const hex = (length: number) => textOf(random, HEX, length);
  const uuid = () => [8, 4, 4, 4, 12].map((length) => hex(length)).join('-');
  const words = (count: number) => many(count, () => pick(WORDS), ' ');
  const name = () => many(1 + random(2), () => pick(NAMES), pick(['-', '_', '.', '']));
  const path = () => `${many(1 + random(5), () => pick(NAMES), '/')}/${name()}.${pick(EXTENSIONS)}`;
  const two = (below: number) => String(1 + random(below)).padStart(2, '0');
  const day = () => `2026-${two(12)}-${two(28)}`;
  const time = () => `${day()}T${two(23)}:${two(59)}:${two(59)}Z`;
  const size = () => random(10 ** (1 + random(12)));
  const camel = () => many(1 + random(3), (i) => (i === 0 ? pick(NAMES) : capital(pick(NAMES))), '');
  const codeLine = () =>
    pick([
      () => `const ${camel()} = ${camel()}.${camel()}(${camel()}, ${random(1000)});`,
      () => `  if (${camel()} === undefined) return ${camel()}(${camel()});`,
      () => `export function ${camel()}(${camel()}: string, ${camel()}: number): ${capital(camel())} {`,
      () => `def ${name()}(self, ${pick(NAMES)}=None):`,
      () => `func (${pick(NAMES)[0]} *${capital(camel())}) ${capital(camel())}() error {`,
      () => `// ${words(8)}`,
      () => `import { ${camel()} } from './${path()}';`,
    ])();
  const session = () => ({
    id: hex(8),
    provider: pick(['claude_code', 'codex', 'gemini']),
    project_hash: hex(8),
    start_time: time(),
    snippet: words(4 + random(20)),
    turn_count: random(60),
    duration_seconds: random(9000),
    total_tokens: size(),
    model: pick(['claude-opus-4-6', 'gpt-5.2-codex', 'gemini-3-pro', 'claude-haiku-4-5-20251001']),
  });
  const node = () => ({
    node_id: `n${hex(3)}`,
    name: name(),
    kind: pick(['dir', 'file']),
    size: size(),
    ...(random(2) === 0 ? { counts: { files: random(20_000), dirs: random(900) } } : {}),
    modified_at: day(),
  });
  const hits = () => ({
    path: path(),
    hits: Array.from({ length: 1 + random(5) }, () => ({ line: 1 + random(2000), text: codeLine() })),
  });
  const event = () => ({
    session_id: hex(8),
    event_index: random(900),
    turn_index: random(40),
    step_index: random(30),
    timestamp: time(),
    event_type: pick(['tool_call', 'tool_result', 'message', 'user', 'reasoning']),
    preview: pick([
      () => `…${words(12)} at ${camel()} (${path()}:${random(900)}:${random(80)}) ${words(6)}…`,
      () =>
        JSON.stringify({
          command: `npm test -- ${path()} 2>&1 | tail -${random(90)}`,
          cwd: `/home/user/${name()}`,
        }),
      () =>
        `Error: listen EADDRINUSE: address already in use 127.0.0.1:${random(65_000)}\\n    at ${camel()}`,
    ])(),
  });
  const answer = (data: unknown): string =>
    JSON.stringify({
      data,
      pagination: {
        total_in_page: 20,
        total: random(900),
        has_more: true,
        next_cursor: `c${hex(4)}.${random(90)}`,
      },
      hint: `get_session_summary session_id=${hex(8)}`,
      links: { entry: 'http://127.0.0.1:4747/disk/i3/{node_id}' },
      meta: { bytes: random(8000), estimated_tokens: random(3000) },
    });
  const rows = <T>(make: () => T, count: number): T[] => Array.from({ length: count }, make);
  const makers: Readonly<Record<string, () => string>> = {
    'answers in JSON': () =>
      pick([
        () => answer({ sessions: rows(session, 8 + random(16)) }),
        () =>
          answer({
            cwd: `/srv/${name()}`,
            shell: 'w8',
            index_id: 'i3',
            entries: rows(node, 20 + random(40)),
          }),
        () => answer({ matches: rows(hits, 8 + random(16)) }),
        () => answer({ matches: rows(event, 8 + random(14)) }),
      ])(),
    'answers in text': () =>
      pick([
        () =>
          many(
            60,
            () =>
              `n${hex(3)} ${pick(['d', 'f'])} ${String(random(900)).padStart(5)}.${random(9)} GiB  ${name()}/  ${day()}`,
            '\n',
          ),
        () =>
          many(
            40,
            () =>
              `${hex(8)} claude  11-${two(28)} ${two(23)}:${two(59)}  ${random(90)}m  ${random(40)} turns  ${random(9)}.${two(98)}M tok  ${words(7)}`,
            '\n',
          ),
        () =>
          many(
            14,
            () => `${path()}\n${many(1 + random(5), () => `  ${1 + random(900)}: ${codeLine()}`, '\n')}`,
            '\n',
          ),
        () =>
          many(
            40,
            () =>
              `${hex(8)} e${random(900)} t${random(40)}.${random(20)} ${two(23)}:${two(59)} tool_result  …${words(12)}…`,
            '\n',
          ),
      ])(),
    logs: () =>
      many(
        40,
        () =>
          pick([
            () => `${time()} INFO  [${camel()}] ${words(8)} id=${uuid()} took ${random(9000)}ms`,
            () =>
              `[${time()}] ${pick(['WARN', 'ERROR', 'DEBUG'])} ${path()}:${random(900)} - ${words(9)} (${random(500)})`,
            () =>
              `127.0.0.1 - - [${two(28)}/Nov/2026:${two(23)}:${two(59)}:${two(59)} +0000] "GET /api/${name()}?limit=${random(99)} HTTP/1.1" ${pick([200, 304, 404, 500])} ${size()}`,
            () => `    at ${camel()}.${camel()} (file:///srv/app/${path()}:${random(900)}:${random(80)})`,
          ])(),
        '\n',
      ),
    paths: () => many(90, () => `/${pick(['home/ann', 'srv', 'usr/lib', 'Users/ann/code'])}/${path()}`, '\n'),
    'hexadecimal digits': () => many(60, () => hex(pick([7, 8, 32, 40, 64])), pick([' ', '\n', '","'])),
    UUIDs: () => many(80, uuid, pick(['\n', '","', ', '])),
    base64: () => textOf(random, BASE64, 3000 + random(4000)),
    numbers: () =>
      many(
        300,
        () => pick([() => String(size()), () => `${random(900)}.${random(99_999)}`, day])(),
        pick([', ', '\n', '\t']),
      ),
    emoji: () => many(180, () => `${many(1 + random(3), () => pick(EMOJI), '')} ${words(random(4))}`, ' '),
  };
  return Object.fromEntries(
    Object.entries(makers).map(([kind, make]) => [
      kind,
      Array.from({ length: samples }, () => make().slice(0, 8000)),
    ]),
  );
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
