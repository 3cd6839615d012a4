import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLANTED, type Planted } from '../src/contract/redact/planted.fixture.ts';
import { redact } from '../src/contract/redact.ts';
import { createRoots } from '../src/contract/roots.ts';
import { ask, temporaryApp, temporaryFolder } from './support.ts';

const house = await temporaryApp();
const root = await realpath(temporaryFolder());
let calls = 0;
/** Each call from another caller, so that no limit on calls ends the attack. */
const me = () => ({ roots: [root], cwd: root, id: `attacker ${calls++}` });

/** Pieces of a secret that no answer may hold: all stretches of eight characters on one line of it. */
function pieces(secret: string): string[] {
  return secret
    .split('\n')
    .filter((line) => !line.startsWith('-----') && line.length > 0)
    .flatMap((line) =>
      Array.from({ length: Math.max(1, line.length - 7) }, (_none, at) => line.slice(at, at + 8)),
    );
}

function expectNoPiece(answer: string, { text, secret }: Planted, others: readonly Planted[] = []): void {
  const shown = others.map((other) => other.text.replace(other.secret, '') + redact(other.text));
  const known = [text.replace(secret, '') + redact(text), ...shown].join('\n');
  for (const piece of pieces(secret)) {
    if (!known.includes(piece) && answer.includes(piece)) expect.fail(`${piece} of ${secret} in ${answer}`);
  }
}

async function grep(path: string, request: Record<string, unknown>): Promise<string> {
  let text = '';
  const signal = new AbortController().signal;
  const asked = { paths: [{ folder: path, lead: '' }], everything: true, ...request };
  for await (const piece of house.services.code.exact.grep(asked, await createRoots([root]), signal))
    text += Buffer.from(piece).toString();
  return text;
}

async function search(input: Record<string, unknown>, format: 'json' | 'text' = 'json'): Promise<string> {
  const { answer, body } = await ask(house, 'regex_search', input, { ...me(), format, budget: 60_000 });
  expect(answer.ok, answer.rendered.text).toBe(true);
  const file = body?.data?.file?.path;
  return answer.rendered.text + (file === undefined ? '' : readFileSync(file, 'utf8'));
}

/** Everything that every door which works by lines shows for a pattern. */
async function allDoors(path: string, pattern: string): Promise<string> {
  const asked = { pattern, path, case: 'sensitive', limit: 200 };
  const answers = [
    await search(asked),
    await search(asked, 'text'),
    await search({ ...asked, context_lines: 3 }),
    await search({ ...asked, snippet_length: 20 }),
    await search({ ...asked, output: 'files' }),
    await search({ ...asked, output: 'count' }),
    await search({ ...asked, output: 'file' }),
  ];
  for (const form of ['lines', 'only', 'json', 'counts', 'names'])
    answers.push(await grep(path, { pattern, form, before: 2, after: 2, numbers: true }));
  answers.push(await grep(path, { pattern, invert: true }));
  return answers.join('\n');
}

const BLOCKS = PLANTED.filter(({ secret, text }) => secret.includes('\n') || text.includes('\n'));

test('there are blocks to try', () => {
  expect(BLOCKS.length).toBeGreaterThanOrEqual(7);
});

test.each(BLOCKS.map((planted, index) => [index, planted] as const))(
  'no line of block %i comes out of any door that works by lines',
  async (index, planted) => {
    const path = join(root, `block${index}.txt`);
    writeFileSync(path, `first line\n${planted.text}\nlast line\n`);
    for (const pattern of ['.', '\\w', '^', '(?x) .', 'line|[A-Za-z]{3}'])
      expectNoPiece(await allDoors(path, pattern), planted);
    // A line of the key is not found, nor is its place.
    const line = pieces(planted.secret).find((piece) => piece.length === 8) ?? '';
    const escaped = line.replace(/[+/=]/g, '[$&]');
    for (const pattern of [escaped, `(?x) ${escaped}`]) {
      const { body } = await ask(house, 'regex_search', { pattern, path, case: 'sensitive' }, me());
      expect(body.data.matches).toEqual([]);
      expect(await grep(path, { pattern, form: 'counts' })).toBe('');
    }
    const lines = `first line\n${planted.text}\nlast line`.split('\n').length;
    for (let at = 1; at <= lines; at++) {
      const { answer } = await ask(house, 'file_view', { path, line: at, lines: 1 }, me());
      expectNoPiece(answer.rendered.text, planted);
    }
  },
);

test.each(['[A-Za-z0-9]{8}', '(?x) [A-Za-z0-9]{8}', 'no'])(
  'the number of lines in a folder leaves keys out: %s',
  async (pattern) => {
    const planted = PLANTED.find(({ text }) => text.includes('BEGIN RSA'));
    const name = `counted-${pattern.length}`;
    const folder = join(root, name);
    mkdirSync(folder);
    // More lines than a part of a file that ripgrep looks into has.
    const lines = 'no12345678\n'.repeat(600);
    writeFileSync(join(folder, 'key.txt'), `${lines}${planted?.text}\n`);
    writeFileSync(join(folder, 'plain.txt'), lines);
    const asked = { pattern, path: folder, output: 'files' };
    // Files that have just been written are looked into line by line; the second time they are not new.
    await ask(house, 'regex_search', asked, me());
    const { body } = await ask(house, 'regex_search', asked, me());
    expect(body.data.files).toEqual([
      { path: join(name, 'key.txt'), hits: 600 },
      { path: join(name, 'plain.txt'), hits: 600 },
    ]);
  },
);

test('a key in the middle of a large file is hidden, and the lines around it are not', async () => {
  const planted = PLANTED.find(({ text }) => text.includes('BEGIN RSA'));
  if (planted === undefined) throw new Error('no key planted');
  const folder = join(root, 'large');
  mkdirSync(folder);
  const filler = Array.from({ length: 40_000 }, (_none, at) => `line ${at} with a word`).join('\n');
  writeFileSync(join(folder, 'log.txt'), `${filler}\n${planted.text}\n${filler}\n`);
  const all = await grep(folder, { pattern: '.', numbers: true });
  expectNoPiece(all, planted);
  const lines = all.split('\n');
  expect(lines).toHaveLength(80_003);
  expect(lines[40_000]).toBe('log.txt:40001:-----BEGIN RSA PRIVATE KEY-----');
  expect(lines.at(-2)).toBe('log.txt:80015:line 39999 with a word');
});

test('the lines that begin and end a key are found, so that its place can be', async () => {
  const path = join(root, 'place.pem');
  const planted = PLANTED.find(({ text }) => text.includes('BEGIN RSA'));
  writeFileSync(path, `${planted?.text}\n`);
  const { body } = await ask(house, 'regex_search', { pattern: 'RSA PRIVATE KEY', path }, me());
  expect(body.data.matches[0].hits).toEqual([
    { line: 1, text: '-----BEGIN RSA PRIVATE KEY-----' },
    { line: 15, text: '-----END RSA PRIVATE KEY-----' },
  ]);
});

const ONE_LINE = PLANTED.filter(({ text }) => !text.includes('\n'));

/** Characters from one window to the next; `PINHOLE_STEP=1` tries every place. */
const STEP = Number(process.env.PINHOLE_STEP ?? 53);

test('a window that slides along a line rebuilds nothing', async () => {
  for (const [index, planted] of ONE_LINE.entries()) {
    if (planted.secret.length < 12) continue;
    const path = join(root, `slide${index}.ts`);
    writeFileSync(path, `// a line\nconst c = '${planted.text}';\n${planted.text}\n`);
    for (let at = 1; at < planted.text.length + 20; at += STEP) {
      for (const pattern of [`.{${at}}$|redacted:`, `^.{${at}}|redacted:`, `(?x) .{${at}}$|redacted:`]) {
        const asked = { pattern, path, snippet_length: 20 };
        expectNoPiece(await search(asked), planted);
      }
    }
  }
});

test('the answer to a guess at a secret does not depend on whether it is right', async () => {
  const path = join(root, 'guess.ts');
  const token = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'a1B2c3'].join('');
  writeFileSync(path, `const token = '${token}'; // tail\n`);
  const guesses = [token.slice(0, 6), `${token.slice(0, 5)}Z`];
  const forms = [
    (guess: string) => `${guess}|redacted:`,
    (guess: string) => `token = '(${guess}|.redac)`,
    (guess: string) => `(${guess}.*|\\].*)tail`,
    (guess: string) => `=.*${guess}`,
    (guess: string) => `^.{15}${guess}.*tail$|github`,
  ];
  for (const form of forms) {
    const seen = new Set<string>();
    for (const guess of guesses) {
      const pattern = form(guess);
      const { body } = await ask(house, 'regex_search', { pattern, path, case: 'sensitive' }, me());
      const count = await ask(
        house,
        'regex_search',
        { pattern, path, case: 'sensitive', output: 'count' },
        me(),
      );
      const printed = await grep(path, { pattern, form: 'only' });
      const others = await grep(path, { pattern, invert: true });
      const { ms: _ms, bytes: _bytes, estimated_tokens: _tokens, ...meta } = body.meta;
      seen.add(JSON.stringify([body.data, meta, count.body.data, printed, others]));
    }
    expect([...seen]).toHaveLength(1);
  }
});

test('a line with a secret is still found by what passes over it', async () => {
  const path = join(root, 'around.ts');
  writeFileSync(path, `const password = "hunter2-and-more"; // tail\n`);
  for (const pattern of [
    'password = ".*"',
    'password = "[^"]+";',
    '^.*$',
    'password\\s*=\\s*\\S+ // tail$',
  ]) {
    const { body } = await ask(house, 'regex_search', { pattern, path }, me());
    expect(body.data.matches[0]?.hits, pattern).toMatchObject([
      { line: 1, text: 'const password = "[redacted:password]"; // tail' },
    ]);
  }
});

test('a search by meaning cuts no secret either', async () => {
  const folder = join(root, 'meaning');
  mkdirSync(folder);
  const planted = PLANTED.filter(({ secret }) => secret.length > 16);
  for (const [index, { text }] of planted.entries())
    writeFileSync(join(folder, `conf${index}.ts`), `export function configure${index}() {\n${text}\n}\n`);
  for (let length = 20; length <= 120; length += 10) {
    for (const query of ['configure', 'PRIVATE KEY', 'export function configure password token']) {
      const input = { query, path: folder, snippet_length: length, limit: 50 };
      const { answer } = await ask(house, 'hybrid_search', input, { ...me(), budget: 60_000 });
      for (const one of planted) expectNoPiece(answer.rendered.text, one, planted);
    }
  }
});

test('a line longer than is shown does not show the beginning of a token', async () => {
  const token = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'a1B2c3'].join('');
  const path = join(root, 'long.ts');
  for (let at = 470; at <= 500; at += 5) {
    writeFileSync(path, `needle ${'x '.repeat(at / 2)} ${token} ${'y '.repeat(300)}\n`);
    expectNoPiece(await search({ pattern: 'needle', path }), { kind: 'github', text: token, secret: token });
  }
});

test('any secret at any place, asked for in any way, does not come out', async () => {
  const words = fc.array(fc.constantFrom('alpha', 'beta:', 'const x = 1;', '// note', '  ', '=', '"q"'), {
    maxLength: 6,
  });
  const lines = fc.array(
    words.map((parts) => parts.join(' ')),
    { maxLength: 8 },
  );
  const pattern = fc.oneof(
    fc.constantFrom('.', '\\w+', '[a-zA-Z0-9+/=]{6}', '^', '$', '\\S+$', '(?x) \\S', '.*'),
    fc.integer({ min: 1, max: 90 }).map((at) => `.{${at}}$`),
    fc.integer({ min: 1, max: 90 }).map((at) => `^.{${at}}`),
    fc.integer({ min: 1, max: 60 }).map((at) => `(?:^|.)\\S{${at}}`),
  );
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PLANTED),
      lines,
      lines,
      pattern,
      fc.integer({ min: 20, max: 120 }),
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 1, max: 12 }),
      async (planted, before, after, asked, length, context, line) => {
        const path = join(root, `any${round++}.txt`);
        writeFileSync(path, [...before, planted.text, ...after, ''].join('\n'));
        const input = { pattern: asked, path, snippet_length: length, context_lines: context };
        expectNoPiece(await search(input), planted);
        expectNoPiece(await search(input, 'text'), planted);
        expectNoPiece(await grep(path, { pattern: asked, before: context, after: context }), planted);
        expectNoPiece(await grep(path, { pattern: asked, form: 'only' }), planted);
        const { answer } = await ask(house, 'file_view', { path, line, lines: context + 1 }, me());
        expectNoPiece(answer.rendered.text, planted);
      },
    ),
    { numRuns: 120 },
  );
});
