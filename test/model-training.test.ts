import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './support.ts';

/* A small run of the scripts that make the training data; train.py itself needs torch, which is not a dependency. */

const folder = temporaryFolder();
const project = join(folder, 'project');
const benchmark = join(folder, 'benchmark/known');
const run = (script: string, ...args: readonly string[]): string =>
  execFileSync('node', [`model/train/${script}`, ...args], { encoding: 'utf8' });
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    encoding: 'utf8',
  });

const POOL = `"""Keeps connections for later use."""


def acquire_connection(pool, timeout):
    """Takes an idle connection from the pool or waits for one."""
    while not pool.idle:
        pool.wait(timeout)
    return pool.idle.pop()
`;
const TEST = `from pool import acquire_connection


def test_acquire_waits_for_idle_connection():
    # The mined files have at least two hundred characters.
    pool = make_pool(size=1, open_at_once=False)
    connection = acquire_connection(pool, 3)
    assert connection.open
`;
const COPIED = Array.from(
  { length: 8 },
  (_none, at) => `copied_value_${at} = compute_the_known_thing(${at}, limit)`,
);

test('mines pairs of a repository and leaves copies of benchmark files out', () => {
  mkdirSync(join(project, 'tests'), { recursive: true });
  mkdirSync(benchmark, { recursive: true });
  writeFileSync(join(benchmark, 'known.py'), COPIED.join('\n'));
  writeFileSync(join(project, 'copy.py'), COPIED.join('\n'));
  writeFileSync(join(project, 'pool.py'), POOL);
  writeFileSync(join(project, 'tests/test_pool.py'), TEST);
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'Add a pool that keeps idle connections');
  const overlap = join(folder, 'overlap.bin');
  const pairs = join(folder, 'pairs');
  const data = join(folder, 'data');
  mkdirSync(pairs);
  run('overlap.mjs', join(folder, 'benchmark'), overlap);
  expect(run('mine.mjs', join(project, '.git'), join(pairs, 'project.txt'), overlap)).toContain(
    '1 copies left out',
  );
  const mined = readFileSync(join(pairs, 'project.txt'), 'utf8');
  expect(mined).not.toContain('copied value');
  expect(mined).toMatch(/^d\ttakes idle connection from pool waits one$/m);
  expect(mined).toMatch(/^t\tacquire waits idle connection$/m);
  expect(mined).toMatch(/^g\tadd pool keeps idle connections$/m);
  expect(run('encode.mjs', pairs, data)).toMatch(/^2 words, [1-9]\d* documents, [1-9]\d* questions\n$/);
  const documents = readFileSync(join(data, 'dl.u8')).length;
  expect(JSON.parse(readFileSync(join(data, 'repos.json'), 'utf8'))).toEqual([['project', documents]]);
});

test('gives the reader what searches find, in the words of the model', () => {
  const repositories = join(folder, 'asked');
  const source = join(repositories, 'someone/pool');
  const out = join(folder, 'candidates');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, 'pool.py'), POOL);
  const list = join(folder, 'outlined.jsonl');
  const question = 'What happens when no connection is idle?';
  writeFileSync(
    list,
    `${JSON.stringify({ repo: 'someone/pool', path: 'pool.py', function: 'acquire_connection', question })}\n`,
  );
  expect(run('reader-candidates.mjs', out, repositories, list)).toBe(
    'someone/pool: 1 questions, function found for 1\n',
  );
  const found = JSON.parse(readFileSync(join(out, 'someone+pool.json'), 'utf8'));
  expect(found.definitions).toHaveLength(1);
  const [row] = found.rows;
  expect(row).toMatchObject({ set: 'outlined', kind: 'q', missed: false });
  const [[definition, right, named, ...facts]] = row.candidates;
  // 17 facts of the search and ten numbers about the nearest words.
  expect([definition, right, facts.length]).toEqual([0, 1, 27]);
  expect(named).toBeGreaterThan(0);
  const pairs = join(folder, 'pairs');
  const data = join(folder, 'reader-data');
  expect(run('encode.mjs', pairs, data, '--vocabulary', 'model/weights/vocab.txt')).toMatch(
    /^32063 words, [1-9]/,
  );
});

test('one command clones, mines and searches for all repositories of the lists', () => {
  const lists = join(folder, 'lists');
  const mirrors = join(folder, 'mirrors');
  const work = join(folder, 'work');
  mkdirSync(lists);
  mkdirSync(join(mirrors, 'someone+pool'), { recursive: true });
  execFileSync('git', ['clone', '-q', '--bare', project, join(mirrors, 'someone+pool/repo')]);
  const commit = git('rev-parse', 'HEAD').trim();
  const corpus = join(folder, 'CORPUS.md');
  writeFileSync(
    corpus,
    `| someone/pool | ${commit.slice(0, 12)} | MIT | 3 |\n\n## Of the reader alone\n| someone/else | ${commit} | MIT | 1 |\n`,
  );
  writeFileSync(join(lists, 'commits.json'), JSON.stringify({ 'someone/pool': commit }));
  const about = { repo: 'someone/pool', path: 'pool.py', function: 'acquire_connection' };
  writeFileSync(
    join(lists, 'behaviour.jsonl'),
    JSON.stringify({ ...about, question: 'Who waits if none is idle?' }),
  );
  writeFileSync(join(lists, 'phrases.jsonl'), 'not about functions');
  const options = { mirrors, corpus, questions: lists, benchmark: join(folder, 'benchmark') };
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const said = run('make-weights.mjs', work, '--steps', 'clone,mine,candidates', ...flags);
  expect(said).toContain('1 copies left out');
  expect(said).toContain('someone/pool: 1 questions, function found for 1\n');
  expect(readdirSync(join(work, 'pairs'))).toEqual(['someone+pool.txt']);
  expect(readFileSync(join(work, 'checkouts/someone/pool/pool.py'), 'utf8')).toBe(POOL);
  // What is there is not made again.
  expect(run('make-weights.mjs', work, '--steps', 'clone,mine', ...flags)).toBe('');
});

test('a writer of questions sees functions without those that are asked about already', () => {
  const repositories = join(folder, 'outlined');
  const source = join(repositories, 'someone/pool');
  const [out, asked] = [join(folder, 'outlines'), join(folder, 'known')];
  mkdirSync(source, { recursive: true });
  mkdirSync(asked);
  writeFileSync(join(source, 'pool.py'), POOL);
  writeFileSync(join(source, 'test_pool.py'), POOL);
  const functions = (): string[] => {
    const outline = readFileSync(join(out, 'someone+pool.txt'), 'utf8');
    return outline.split('\n').flatMap((line) => /^\d+ (\S+)/.exec(line)?.[1] ?? []);
  };
  expect(run('outline.mjs', out, repositories, 'someone/pool')).toMatch(/^someone\/pool: \d+ functions\n$/);
  const all = functions();
  expect(all).toContain('acquire_connection');
  const known = {
    repo: 'someone/pool',
    path: 'pool.py',
    function: 'acquire_connection',
    question: 'Who waits?',
  };
  writeFileSync(join(asked, 'outlined.jsonl'), `${JSON.stringify(known)}\n`);
  run('outline.mjs', out, repositories, 'someone/pool', '--questions', asked);
  expect(functions()).toEqual(all.filter((name) => name !== 'acquire_connection'));
  expect(JSON.parse(readFileSync(join(out, 'someone+pool.json'), 'utf8'))).toHaveLength(all.length - 1);
});

test('learns to turn questions towards the code that answers them', async () => {
  const repositories = join(folder, 'repositories');
  const weights = join(folder, 'weights');
  const source = join(repositories, 'someone/shop/src');
  mkdirSync(source, { recursive: true });
  cpSync('model/weights', weights, { recursive: true });
  const names = ['apple', 'bread', 'cheese', 'dates', 'eggs', 'flour', 'grapes', 'honey'];
  const questions = names.map((name) => {
    writeFileSync(
      join(source, `${name}.py`),
      `def order_${name}(basket):\n    return basket.add("${name}")\n`,
    );
    // The file says nothing of a parrot: only what is learned can tell that it is meant.
    const question = name === 'honey' ? 'Who pays for the parrot?' : `Where do I buy ${name}?`;
    return { repo: 'someone/shop', path: `src/${name}.py`, start: 1, end: 2, question };
  });
  const list = join(folder, 'questions.jsonl');
  writeFileSync(list, questions.map((one) => JSON.stringify(one)).join('\n'));
  const said = run('question-map.mjs', list, repositories, weights);
  const [before = 0, after = 0] = [...said.matchAll(/1 \/ place ([\d.]+)/g)].map(([, mean]) => Number(mean));
  expect(said).toMatch(/^8 questions; before/);
  expect(after).toBeGreaterThan(before);
  // The runtime uses what was learned.
  const { openStaticEmbedder } = await import('../src/code/embed/static-embedder.ts');
  const [asked, plain] = await Promise.all(
    [weights, 'model/weights'].map(async (one) =>
      (await openStaticEmbedder(one)).question('Who pays for the parrot?'),
    ),
  );
  expect(asked).not.toEqual(plain);
  expect(readFileSync(join(weights, 'question-map.bin'))).toHaveLength(4 * 256 * 256);
});
