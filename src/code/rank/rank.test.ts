import { describe, expect, it } from 'vitest';
import { openStaticEmbedder } from '../embed/static-embedder.ts';
import { joinSegments, linesOf } from '../semantic/search-index.ts';
import { segmentOf } from '../semantic/semantic-segment.fixture.ts';
import { ROLE, rolesOf } from './file-roles.ts';
import { questionWeights } from './question-weights.ts';
import { gather, rank } from './rank.ts';
import { readQuery } from './read-query.ts';
import type { RankMode } from './signal-weights.ts';

const FILES = {
  'src/pool.ts':
    '/** Keeps idle sockets open and lends them again. */\nexport class ConnectionPool {\n  acquire(host: string): Socket {\n    return this.idle.get(host)?.pop() ?? connect(host);\n  }\n  release(socket: Socket): void {}\n}\n',
  'src/retry.ts':
    '/** Tries a request again after a failure, waiting longer each time. */\nexport async function withBackoff(send: () => Promise<Response>): Promise<Response> {\n  return send();\n}\n',
  'src/render/table.ts':
    'export function renderTable(rows: Row[]): string {\n  return rows.map(renderRow).join("");\n}\n',
  'test/pool.test.ts':
    "import { ConnectionPool } from '../src/pool';\nit('keeps idle sockets', () => { new ConnectionPool().acquire('a'); });\n",
  'docs/pool.md': '# Connection pool\n\nThe connection pool keeps idle sockets open.\n',
  'src/use.ts': "import { ConnectionPool } from './pool';\nexport const pool = new ConnectionPool();\n",
};

const embedder = await openStaticEmbedder();
const index = joinSegments([await segmentOf(FILES)]);

async function ask(
  text: string,
  mode: RankMode = 'hybrid',
  accept?: (file: number) => boolean,
): Promise<string[]> {
  const vector = await embedder.question(text, questionWeights(index));
  return rank(index, readQuery(text), { mode, vector, accept }).map(({ file }) => index.files.path(file));
}

describe('ranking', () => {
  it('counts words more and size less where the answer may be in another repository', async () => {
    const filler = Array.from({ length: 400 }, (_none, at) => `  step${at}(): void {}`).join('\n');
    const files = joinSegments([
      await segmentOf({
        'one/server.ts': `export class Server {\n  listen(): Socket {\n    return open();\n  }\n${filler}\n}\n`,
        'one/app.ts': "import { Server } from './server';\nexport const server = new Server();\n",
        'one/run.ts': "import { Server } from './server';\nexport const other = new Server();\n",
        'two/hosts.ts':
          '/** Resolves host names for the socket of a server. */\nexport function resolveHost(name: string): Address {\n  return lookUp(name);\n}\n',
      }),
    ]);
    const text = 'where host names of a server socket are resolved';
    const vector = await embedder.question(text, questionWeights(files));
    const answers = (collection: boolean) => {
      const ranked = rank(files, readQuery(text), { mode: 'hybrid', vector, collection });
      return ranked.map(({ file, score }) => ({ path: files.files.path(file), score }));
    };
    const [first, second] = answers(true);
    expect(first?.path).toBe('two/hosts.ts');
    const lead = (first?.score ?? 0) - (second?.score ?? 0);
    const [before, after] = answers(false);
    expect(lead).toBeGreaterThan((before?.score ?? 0) - (after?.score ?? 0));
  });

  it.each(['hybrid', 'words', 'semantic'] as const)('finds what a sentence describes (%s)', async (mode) => {
    expect((await ask('how idle sockets are kept in the connection pool', mode))[0]).toBe('src/pool.ts');
  });

  it('finds by meaning what shares few words', async () => {
    expect((await ask('exponential retry of failed requests', 'semantic'))[0]).toBe('src/retry.ts');
  });

  it('puts the definition of a name before its uses, tests and notes', async () => {
    const [first, ...others] = await ask('ConnectionPool');
    expect(first).toBe('src/pool.ts');
    expect(others).toEqual(expect.arrayContaining(['src/use.ts', 'test/pool.test.ts', 'docs/pool.md']));
  });

  it('judges a bounded number of files where all texts are alike', async () => {
    const alike = Object.fromEntries(
      Array.from({ length: 320 }, (_, at) => [`src/f${at}.ts`, 'export const ledger = 1;\n']),
    );
    const other = joinSegments([await segmentOf(alike)]);
    expect(gather(other, readQuery('ledger balance'), { mode: 'words' })).toHaveLength(300);
  });

  it('answers with different files first', async () => {
    const long = Array.from(
      { length: 12 },
      (_, at) => `export function pool${at}() {\n${'  pool();\n'.repeat(45)}}\n`,
    ).join('');
    const other = joinSegments([await segmentOf({ ...FILES, 'src/many.ts': long })]);
    const query = readQuery('pool');
    const vector = await embedder.question('pool');
    const hits = rank(other, query, { mode: 'hybrid', vector });
    const files = hits.map(({ file }) => file);
    const distinct = new Set(files).size;
    expect(new Set(files.slice(0, distinct)).size).toBe(distinct);
    expect(files.length).toBeGreaterThan(distinct);
  });

  it.each(['hybrid', 'words'] as const)('puts the file where it happened first (%s)', async (mode) => {
    const trace = [
      'Sockets are rendered twice',
      'The pool keeps idle sockets open, and then the page shows them again.',
      'Error: idle sockets',
      '    at renderTable (/srv/app/src/render/table.ts:2:10)',
      '    at release (/srv/app/src/pool.ts:6:3)',
    ].join('\n');
    expect((await ask(trace, mode))[0]).toBe('src/render/table.ts');
  });

  it('asks what the text of a file says, not how large or how well known it is, when a function is described', async () => {
    const filler = Array.from({ length: 400 }, (_none, at) => `  step${at}(): void {}`).join('\n');
    const users = Array.from({ length: 30 }, (_none, at) => [
      `src/use${at}.ts`,
      `import { Server } from './server';\nexport const server${at} = new Server();\n`,
    ]);
    const files = joinSegments([
      await segmentOf({
        'src/server.ts': `/** Sends a request again after it has failed. */\nexport class Server {\n  /** Waits for a moment. */\n  listen(): Socket {\n    return open();\n  }\n${filler}\n}\n`,
        'src/deep/in/the/tree/pause.ts':
          '/** How long to wait until the request is sent again: twice as long as before, up to a minute. */\nexport function pauseOf(attempt: number): number {\n  return Math.min(60, 2 ** attempt);\n}\n',
        ...Object.fromEntries(users),
      }),
    ]);
    const first = async (text: string) => {
      const vector = await embedder.question(text, questionWeights(files));
      const [best] = rank(files, readQuery(text), { mode: 'hybrid', vector });
      return best && files.files.path(best.file);
    };
    const description =
      'After a request has failed we wait for a moment and send it again; what makes that wait twice as long as before, up to a minute?';
    expect(readQuery(description).isDescription).toBe(true);
    expect(readQuery('how long the server waits').isDescription).toBe(false);
    expect(await first(description)).toBe('src/deep/in/the/tree/pause.ts');
  });

  it('shows several places of the best file for a report, in the order of files', async () => {
    const long = Array.from(
      { length: 4 },
      (_, at) => `export function acquire${at}() {\n${'  idle.socket(pool);\n'.repeat(45)}}\n`,
    ).join('');
    const other = joinSegments([await segmentOf({ ...FILES, 'src/many.ts': long })]);
    const text = `acquire1 of the pool hangs\n${'Every idle socket of the pool is taken by acquire1. '.repeat(5)}`;
    const query = readQuery(text);
    expect(query.kind).toBe('report');
    const vector = await embedder.question(text);
    const paths = rank(other, query, { mode: 'hybrid', vector }).map(({ file }) => other.files.path(file));
    expect(paths.slice(0, 3)).toEqual(['src/many.ts', 'src/many.ts', 'src/many.ts']);
  });

  it('asks the filter before it ranks', async () => {
    const paths = await ask('ConnectionPool', 'hybrid', (file) => index.files.path(file).startsWith('test/'));
    expect(paths).toEqual(['test/pool.test.ts']);
  });

  it('explains a score by parts that add up', async () => {
    const text = 'how idle sockets are kept';
    const vector = await embedder.question(text);
    const [best] = rank(index, readQuery(text), { mode: 'hybrid', vector });
    const sum = Object.values(best?.parts() ?? {}).reduce((total, part) => total + part, 0);
    expect(Math.min(1, sum)).toBeCloseTo(best?.score ?? 0, 6);
    expect(best?.parts().semantic).toBeGreaterThan(0);
    expect(best?.parts().words).toBeGreaterThan(0);
  });

  it('gives nothing for nothing', async () => {
    expect(await ask('', 'words')).toEqual([]);
    expect(
      rank(joinSegments([]), readQuery('pool'), { mode: 'hybrid', vector: await embedder.question('pool') }),
    ).toEqual([]);
  });

  it('hides what a later segment replaces or what is gone', async () => {
    const moved = await segmentOf({
      'src/pool.ts': 'export const nothing = 1;\n',
      'src/socket.ts': 'export class ConnectionPool {}\n',
    });
    const joined = joinSegments([await segmentOf(FILES), moved], new Set(['src/use.ts']));
    const vector = await embedder.question('ConnectionPool');
    const hits = rank(joined, readQuery('ConnectionPool'), { mode: 'hybrid', vector });
    expect(joined.files.path(hits[0]?.file ?? -1)).toBe('src/socket.ts');
    expect(hits.some(({ file }) => joined.files.path(file) === 'src/use.ts')).toBe(false);
    const pools = hits.filter(({ file }) => joined.files.path(file) === 'src/pool.ts');
    expect(pools.every(({ chunk }) => linesOf(joined, chunk).line_end === 2)).toBe(true);
  });
});

describe('questions', () => {
  it.each([
    ['ConnectionPool', 'symbol', ['connectionpool']],
    ['Rails::Engine', 'symbol', ['engine']],
    ['how are static files served', 'architecture', []],
    ['connection pooling and TCP connector', 'sentence', ['tcp']],
    ['where `retry` is called', 'architecture', ['retry']],
  ] as const)('%s', (text, kind, identifiers) => {
    const query = readQuery(text);
    expect(query.kind).toBe(kind);
    expect([...query.identifiers]).toEqual(expect.arrayContaining([...identifiers]));
  });

  it('leave out words that say nothing, unless there are no others', () => {
    expect([...readQuery('how does the retry work').words]).toEqual(['retry']);
    expect(readQuery('how does it work').words.size).toBeGreaterThan(0);
  });

  it('try neighbouring words as one name', () => {
    expect(readQuery('connection pool').terms).toContainEqual({ term: '=connectionpool', weight: 0.5 });
  });
});

describe('roles', () => {
  it.each([
    ['src/pool.test.ts', 'typescript', ROLE.test],
    ['spec/models/user_spec.rb', 'ruby', ROLE.test],
    ['vendor/lib/a.go', 'go', ROLE.aside],
    ['api/user.pb.go', 'go', ROLE.generated],
    ['README.md', 'markdown', ROLE.prose],
    ['config.yaml', 'yaml', ROLE.config],
    ['src/index.ts', 'typescript', ROLE.barrel],
    ['LICENSE', undefined, ROLE.prose],
    ['bin/run', undefined, 0],
    ['src/contest.ts', 'typescript', 0],
  ] as const)('%s', (path, language, role) => {
    expect(rolesOf(path, language, '')).toBe(role);
  });

  it('sees notes of generators', () => {
    expect(
      rolesOf('a.go', 'go', '// Code generated by protoc. DO NOT EDIT.\npackage a') & ROLE.generated,
    ).not.toBe(0);
  });
});

describe('stack traces', () => {
  const filler = (name: string) =>
    Array.from({ length: 30 }, (_none, at) => `\tuse${name}${at}(args, command, execute)`).join('\n');
  const go = (name: string) => `func (c *Command) ${name}() error {\n${filler(name)}\n}\n`;
  const GO_FILES = {
    'cobra/command.go': `// Copyright the authors\n\npackage cobra\n\nimport "os"\n\n${['Execute', 'ExecuteC', 'Help', 'Usage'].map(go).join('\n')}`,
    'cobra/args.go': `package cobra\n\n${go('Args')}`,
    'other/main.zig': 'pub fn main() void {\n    run(goroutine, command, execute);\n}\n',
  };
  const trace = (lines: string) =>
    `panic: runtime error: invalid memory address or nil pointer\n[signal SIGSEGV: segmentation violation code=0x1]\n\ngoroutine 1 [running]:\n${lines}\n`;

  const firstOf = async (text: string) => {
    const files = joinSegments([await segmentOf(GO_FILES)]);
    const vector = await embedder.question(text, questionWeights(files));
    return rank(files, readQuery(text), { mode: 'hybrid', vector }).map(({ file, chunk, frame }) => ({
      path: files.files.path(file),
      name: frame?.name,
      ...linesOf(files, chunk),
    }));
  };

  it('are answered by the functions of their frames, where it happened first', async () => {
    const found = await firstOf(
      trace(
        'github.com/spf13/cobra.(*Command).ExecuteC(0xc0001)\n\t/go/pkg/mod/github.com/spf13/cobra@v1.8.0/command.go:3 +0x3bd\ngithub.com/spf13/cobra.(*Command).Execute(...)\n\t/go/pkg/mod/github.com/spf13/cobra@v1.8.0/command.go:9\nmain.main()\n\t/home/me/app/main.go:9 +0x1d',
      ),
    );
    expect(found.slice(0, 2)).toMatchObject([
      { path: 'cobra/command.go', name: 'ExecuteC' },
      { path: 'cobra/command.go', name: 'Execute' },
    ]);
    // The line is from another version; the function counts.
    expect(found[0]?.line_start).toBeGreaterThan(30);
  });

  it('name files of their own language only', async () => {
    const text = trace('main.main()\n\t/home/me/other/main.go:1 +0x1d');
    const files = joinSegments([await segmentOf(GO_FILES)]);
    const traced = gather(files, readQuery(text), { mode: 'words' }).map(({ file, signals }) => ({
      path: files.files.path(file),
      trace: signals.trace,
    }));
    expect(traced).toContainEqual({ path: 'other/main.zig', trace: 0 });
  });
});
