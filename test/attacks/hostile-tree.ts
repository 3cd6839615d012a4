import { execFileSync } from 'node:child_process';
import { closeSync, linkSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** The content behind every link that leads out of the tree. */
export const OUTSIDE = 'forbidden-text-from-outside';

export interface HostileTree {
  /** Paths that someone may be tricked into asking for. */
  readonly odd: readonly string[];
  close(): Promise<void>;
}

const RULES = 200_000;

/** Names that break programs: bytes that are not text, several lines, the maximum length, names in disguise. */
const NAMES: readonly (string | Buffer)[] = [
  Buffer.from([0x62, 0xff, 0xfe, 0x80, 0x2e, 0x74, 0x73]),
  Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]),
  'two\nlines.ts',
  'carriage\rreturn.ts',
  'tab\tname.ts',
  '\u001b[31mred\u001b]0;title\u0007.ts',
  '\u202egnp.exe.ts',
  '\u200b\u2066hidden\u2069.ts',
  'n'.repeat(255),
  '文'.repeat(85),
  '-rf',
  '--pre=sh',
  '$(touch owned).ts',
  '`touch owned`.ts',
  "'; drop table files; --.ts",
  '%s%n%x.ts',
  '<img src=x onerror=alert(1)>.ts',
  '...',
  ' ',
  '\\',
  '*',
  'CON.ts',
  '__proto__',
  'e\u0301.ts',
  '\u00e9.ts',
];

/** Fills a folder with whatever a repository, an archive or another program could put there. */
export async function makeHostileTree(root: string, outside: string): Promise<HostileTree> {
  mkdirSync(join(outside, 'folder'), { recursive: true });
  writeFileSync(join(outside, 'file.ts'), `export const needle = '${OUTSIDE}';\n`);
  writeFileSync(join(outside, 'folder', 'inner.ts'), `export const needle = '${OUTSIDE}';\n`);
  const at = (name: string) => join(root, name);
  const fifo = (path: string) => execFileSync('mkfifo', [path]);
  mkdirSync(join(root, '.git', 'info'), { recursive: true });
  writeFileSync(at('plain.ts'), 'export function needle() {}\n');

  const odd: string[] = [];
  const add = (name: string, make: (path: string) => void) => {
    make(at(name));
    odd.push(at(name));
  };
  add('pipe.ts', fifo);
  add('zero.ts', (path) => symlinkSync('/dev/zero', path));
  add('self.ts', (path) => symlinkSync('self.ts', path));
  add('out.ts', (path) => symlinkSync(join(outside, 'file.ts'), path));
  add('out-folder', (path) => symlinkSync(join(outside, 'folder'), path));
  add('everything', (path) => symlinkSync('/', path));
  add('up', (path) => symlinkSync('..', path));
  add('fd.ts', (path) => symlinkSync('/proc/self/fd/0', path));
  add('mem.ts', (path) => symlinkSync('/proc/self/mem', path));
  add('dangling.ts', (path) => symlinkSync('nowhere', path));
  add('nulls.ts', (path) => writeFileSync(path, Buffer.alloc(1 << 20)));
  add('line.ts', (path) => writeFileSync(path, `needle ${'x'.repeat(4 << 20)}`));
  add('deep.ts', (path) => writeFileSync(path, `${'{['.repeat(50_000)}needle`));
  add('huge.bin', (path) => {
    closeSync(openSync(path, 'w'));
    truncateSync(path, 2 ** 40);
  });
  add('no-utf8.ts', (path) => writeFileSync(path, Buffer.from([0x6e, 0xff, 0xfe, 0x80, 0xc3, 0x28])));
  linkSync(at('plain.ts'), at('hard.ts'));
  for (const device of ['c 1 5', 'c 1 3', 'b 7 0']) {
    try {
      const name = `device-${device.replaceAll(' ', '-')}.ts`;
      execFileSync('mknod', [at(name), ...device.split(' ')], { stdio: 'ignore' });
      odd.push(at(name));
    } catch {
      // Needs root.
    }
  }

  mkdirSync(at('names'));
  for (const name of NAMES)
    writeFileSync(Buffer.concat([Buffer.from(`${at('names')}/`), Buffer.from(name)]), 'needle\n');
  odd.push(at('names'), at('names/two\nlines.ts'), at(`names/${'n'.repeat(255)}`), at('names/-rf'));

  let deep = at('nested');
  for (let level = 0; level < 300; level++) deep = join(deep, 'd');
  mkdirSync(deep, { recursive: true });
  writeFileSync(join(deep, 'end.ts'), 'needle\n');

  // Ignore rules that take long, that never end, and that lead outside.
  mkdirSync(at('many-rules'));
  writeFileSync(
    at('many-rules/.gitignore'),
    Array.from({ length: RULES }, (_, n) => `**/rule-${n}-*/{a,b}/[c-d]*.tmp`).join('\n'),
  );
  writeFileSync(at('many-rules/kept.ts'), 'needle\n');
  mkdirSync(at('long-rule'));
  writeFileSync(at('long-rule/.ignore'), `${'{a,'.repeat(1 << 20)}`);
  writeFileSync(at('long-rule/kept.ts'), 'needle\n');
  for (const [folder, file] of [
    ['pipe-rules', '.gitignore'],
    ['pipe-ignore', '.ignore'],
    ['pipe-own', '.pinholeignore'],
  ] as const) {
    mkdirSync(at(folder));
    fifo(at(`${folder}/${file}`));
    writeFileSync(at(`${folder}/kept.ts`), 'needle\n');
  }
  mkdirSync(at('zero-rules'));
  symlinkSync('/dev/zero', at('zero-rules/.gitignore'));
  fifo(at('.git/info/exclude'));
  fifo(at('.git/index'));
  symlinkSync('/dev/zero', at('.git/HEAD'));
  fifo(at('.git/config'));
  for (const name of ['package.json', 'tsconfig.json', 'go.mod']) fifo(at(name));

  const sockets = await listenIn(at('socket.ts'));
  odd.push(at('socket.ts'), root);
  return { odd, close: () => new Promise((done) => void sockets.close(() => done())) };
}

function listenIn(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

/** Logs with links, pipes and devices in place of everything that log readers open. */
export function plantLogs(home: string, outside: string, cwd: string): void {
  const project = join(home, '.claude', 'projects', 'p');
  const id = 'aaaaaaaa-1111-4111-8111-111111111111';
  const results = join(project, id, 'tool-results');
  mkdirSync(results, { recursive: true });
  const record = (type: string, content: unknown, n: number) =>
    `${JSON.stringify({
      type,
      uuid: `u${n}`,
      parentUuid: n === 0 ? null : `u${n - 1}`,
      sessionId: id,
      cwd,
      version: '2.1.300',
      timestamp: `2026-11-14T10:00:0${n}Z`,
      message: { role: type, content, id: `m${n}` },
    })}\n`;
  const spilled = (name: string) =>
    `<persisted-output>\nOutput too large. Full output saved to: ${join(results, name)}\n\nPreview:\nabc\n</persisted-output>`;
  const names = ['link.txt', 'pipe.txt', 'zero.txt', '../../../../../etc/passwd'];
  writeFileSync(
    join(project, `${id}.jsonl`),
    [
      record('user', 'needle please', 0),
      ...names.flatMap((name, n) => [
        record(
          'assistant',
          [{ type: 'tool_use', id: `t${n}`, name: 'Bash', input: { command: 'x' } }],
          2 * n + 1,
        ),
        record('user', [{ type: 'tool_result', tool_use_id: `t${n}`, content: spilled(name) }], 2 * n + 2),
      ]),
    ].join(''),
  );
  symlinkSync(join(outside, 'file.ts'), join(results, 'link.txt'));
  execFileSync('mkfifo', [join(results, 'pipe.txt')]);
  symlinkSync('/dev/zero', join(results, 'zero.txt'));
  execFileSync('mkfifo', [join(project, 'bbbbbbbb-2222-4222-8222-222222222222.jsonl')]);
  symlinkSync(join(outside, 'file.ts'), join(project, 'cccccccc-3333-4333-8333-333333333333.jsonl'));
  symlinkSync('/dev/zero', join(project, 'dddddddd-4444-4444-8444-444444444444.jsonl'));
  symlinkSync('/', join(project, 'all'));
}
