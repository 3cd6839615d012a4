import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Jobs } from '../jobs/jobs.ts';
import type { SourceTree } from './files/source-tree.ts';
import { openTree } from './files/watched-tree.ts';
import { segmentOf } from './semantic/semantic-segment.fixture.ts';
import type { Segment } from './semantic/semantic-segment.ts';
import { openSegment } from './semantic/semantic-segment-reader.ts';
import { writeSegment } from './semantic/semantic-segment-writer.ts';
import { openSemantic, type Semantic, type SemanticResult } from './semantic.ts';

const FILES: Readonly<Record<string, string>> = {
  'src/pool.ts':
    '/** Keeps idle sockets. */\nexport class ConnectionPool {\n  acquire() { return this.idle.pop(); }\n}\n',
  'src/retry.py': '"""Tries again after a failure."""\ndef with_backoff(send):\n    return send()\n',
  'src/queue.go': 'package queue\n\n// Push adds a job to the queue.\nfunc Push(job Job) {}\n',
  'notes.md': '# Notes\n\nNothing here.\n',
};

let folder: string;
let root: string;
let tree: SourceTree;
let semantic: Semantic;

/** Only what the search uses; progress is not looked at here. */
const jobs = { register() {}, start: async () => undefined } as unknown as Jobs;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const open = async (): Promise<void> => {
  tree = openTree(root, { watch: true });
  semantic = openSemantic({ jobs, home: join(folder, 'home'), log: () => {} });
};
const close = async (): Promise<void> => {
  await semantic.close();
  await tree.close();
};
const ask = (text: string, more: Partial<Parameters<Semantic['search']>[1]> = {}): Promise<SemanticResult> =>
  semantic.search(
    tree,
    { mode: 'hybrid', text, filter: { below: '', globs: [] }, minScore: 0, limit: 20, ...more },
    new AbortController().signal,
  );
const segments = (): string[] =>
  readdirSync(join(folder, 'home/code'), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.seg'))
    .sort();
const paths = ({ hits }: SemanticResult): string[] => [...new Set(hits.map(({ path }) => path))];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pinhole-semantic-'));
  root = join(folder, 'tree');
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  await open();
});
afterEach(async () => {
  await close();
  rmSync(folder, { recursive: true, force: true });
});

describe('search by meaning', () => {
  it('sees an edit between two equal questions, also an edit that is taken back', async () => {
    const question = 'where are idle sockets kept';
    const first = await ask(question);
    expect(paths(first)[0]).toBe('src/pool.ts');
    // Found again without a search.
    expect((await ask(question)).hits).toEqual(first.hits);
    write('src/pool.ts', 'export const nothing = 1;\n');
    write('lib/sockets.ts', '/** Idle sockets are kept here. */\nexport class IdleSockets {}\n');
    expect(paths(await ask(question))[0]).toBe('lib/sockets.ts');
    rmSync(join(root, 'lib/sockets.ts'));
    write('src/pool.ts', FILES['src/pool.ts'] ?? '');
    const last = await ask(question);
    expect(paths(last)[0]).toBe('src/pool.ts');
    expect(paths(last)).not.toContain('lib/sockets.ts');
  });

  it('answers on a tree it never saw', async () => {
    const answer = await ask('how idle sockets are kept');
    expect(answer.hits[0]).toMatchObject({
      path: 'src/pool.ts',
      symbol: 'ConnectionPool',
      kind: 'class',
      language: 'typescript',
    });
    expect(answer.index).toMatchObject({ files: 4, fresh: true });
    expect(answer.plan.kind).toBe('architecture');
  });

  it('sees edited, added, removed and emptied files in the very next search', async () => {
    await ask('pool');
    write('src/retry.py', 'class CircuitBreaker:\n    pass\n');
    write('src/new/cache.rs', 'pub struct LruCache;\n');
    rmSync(join(root, 'src/queue.go'));
    write('notes.md', '');
    expect(paths(await ask('CircuitBreaker'))[0]).toBe('src/retry.py');
    expect(paths(await ask('LruCache'))[0]).toBe('src/new/cache.rs');
    const answer = await ask('Push a job to the queue');
    expect(paths(answer)).not.toContain('src/queue.go');
    expect(paths(answer)).not.toContain('notes.md');
    write('src/queue.go', FILES['src/queue.go'] ?? '');
    expect(paths(await ask('Push a job to the queue'))[0]).toBe('src/queue.go');
  });

  it('sees what changed in files whose size and time stay, such as those of two folders that swap names', async () => {
    write('one/part.ts', 'export class Mango {}\n');
    write('two/part.ts', 'export class Peach {}\n');
    for (const folder of ['one', 'two']) utimesSync(join(root, folder, 'part.ts'), 1, 1);
    expect(paths(await ask('Mango'))[0]).toBe('one/part.ts');
    renameSync(join(root, 'one'), join(root, 'aside'));
    renameSync(join(root, 'two'), join(root, 'one'));
    renameSync(join(root, 'aside'), join(root, 'two'));
    expect(paths(await ask('Mango'))[0]).toBe('two/part.ts');
    expect(paths(await ask('Peach'))[0]).toBe('one/part.ts');
  });

  it('sees edits in a folder that was removed and made again', async () => {
    await ask('pool');
    rmSync(join(root, 'src'), { recursive: true });
    write('src/sub/made.ts', 'export class Mango {}\n');
    expect(paths(await ask('Mango'))[0]).toBe('src/sub/made.ts');
    write('src/sub/made.ts', 'export class Peach {}\n');
    write('src/sub/new.ts', 'export class Quince {}\n');
    expect(paths(await ask('Peach'))[0]).toBe('src/sub/made.ts');
    expect(paths(await ask('Quince'))[0]).toBe('src/sub/new.ts');
  });

  it('keeps its index over restarts and does not read a touched file again', async () => {
    await ask('pool');
    await semantic.settled(tree);
    const before = segments();
    await close();
    utimesSync(join(root, 'src/pool.ts'), 1, 1);
    await open();
    expect(paths(await ask('ConnectionPool'))[0]).toBe('src/pool.ts');
    await semantic.settled(tree);
    expect(segments()).toEqual(before);
  });

  it('merges what many edits leave behind and keeps the segments of other files', async () => {
    await ask('pool');
    await semantic.settled(tree);
    const [first] = segments();
    for (let edit = 0; edit < 66; edit++) {
      write('src/edited.ts', `export function edited${edit}Times() {}\n`);
      if (edit === 40) rmSync(join(root, 'src/queue.go'));
      await ask('edited');
    }
    await semantic.settled(tree);
    expect(segments().length).toBeLessThan(20);
    expect(segments()).toContain(first);
    expect(paths(await ask('edited65Times'))[0]).toBe('src/edited.ts');
    expect((await ask('edited3Times')).hits[0]?.symbol).toBe('edited65Times');
    expect(paths(await ask('adds a job to the queue'))).not.toContain('src/queue.go');
    expect(paths(await ask('ConnectionPool'))[0]).toBe('src/pool.ts');
  });

  it('rebuilds the index if a segment is damaged', async () => {
    await ask('pool');
    await semantic.settled(tree);
    await close();
    const [segment] = segments();
    truncateSync(join(folder, 'home/code', segment ?? ''), 300);
    await open();
    expect(paths(await ask('ConnectionPool'))[0]).toBe('src/pool.ts');
  });

  it('filters, limits and asks for a score', async () => {
    expect(paths(await ask('pool queue retry', { filter: { below: 'src', globs: ['*.py'] } }))).toEqual([
      'src/retry.py',
    ]);
    expect(
      paths(await ask('pool queue retry', { filter: { below: '', globs: [], language: 'go' } })),
    ).toEqual(['src/queue.go']);
    expect((await ask('pool', { limit: 1 })).hits.length).toBe(1);
    const { hits } = await ask('ConnectionPool', { minScore: 0.5 });
    expect(hits.every(({ score }) => score >= 0.5)).toBe(true);
    expect((await ask('how sockets are kept', { minScore: 1 })).hits).toEqual([]);
  });

  it('finds code similar to a place', async () => {
    write(
      'src/socket-pool.ts',
      '/** Keeps idle sockets. */\nexport class SocketPool {\n  acquire() { return this.idle.pop(); }\n}\n',
    );
    const answer = await ask('', {
      mode: 'semantic',
      text: undefined,
      like: { path: 'src/pool.ts', line: 3 },
    });
    expect(paths(answer)[0]).toBe('src/socket-pool.ts');
    expect(paths(answer)).not.toContain('src/pool.ts');
    await expect(ask('', { text: undefined, like: { path: 'src/none.ts', line: 3 } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('stops when the caller goes away', async () => {
    const gone = AbortSignal.abort(new Error('gone'));
    const search = semantic.search(
      tree,
      { mode: 'hybrid', text: 'x', filter: { below: '', globs: [] }, minScore: 0, limit: 5 },
      gone,
    );
    await expect(search).rejects.toThrow('gone');
  });
});

describe('a segment file', () => {
  it.each([true, false])('comes back as it was, in memory: %s', async (inMemory) => {
    const segment = await segmentOf(FILES);
    const file = join(folder, 'a.seg');
    const bytes = writeSegment(file, segment);
    const read = openSegment(file, () => inMemory);
    expect([read.bytes, read.inMemory]).toEqual([bytes, inMemory]);
    expect([...read.segment.files]).toEqual([...segment.files]);
    const { length } = segment.words.postings;
    expect([...read.segment.words.postings.read(3, length)]).toEqual([
      ...segment.words.postings.read(3, length),
    ]);
    for (const kind of ['chunkVectors', 'fileVectors', 'pathVectors'] as const) {
      const rows = (from: Segment) =>
        Array.from({ length: segment[kind].count }, (_none, at) => [...from[kind].source.row(at)]);
      expect(rows(read.segment)).toEqual(rows(segment));
      // Backwards too, because rows in a file are read some at a time.
      expect([...read.segment[kind].source.row(0)]).toEqual([...segment[kind].source.row(0)]);
    }
    const { length: lines } = segment.lineEnd;
    expect(read.segment.lineEnd.read(0, lines)).toEqual(segment.lineEnd.read(0, lines));
    read.close();
  });

  it('is refused when it is cut short or something else', async () => {
    const file = join(folder, 'a.seg');
    const bytes = writeSegment(file, await segmentOf(FILES));
    for (const length of [0, 5, 100, bytes - 8]) {
      truncateSync(file, length);
      expect(() => openSegment(file)).toThrow();
      writeSegment(file, await segmentOf(FILES));
    }
  });
});
