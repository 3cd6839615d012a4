import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApp } from '../src/app/open-app.ts';
import { PinholeError } from '../src/contract/errors.ts';
import { createRoots } from '../src/contract/roots.ts';
import { counted, tries } from './reliability/counted.ts';
import { ask, temporaryApp, temporaryFolder } from './support.ts';

/*
 * A program in an allowed folder swaps a file and a folder for links to others outside while they are read: whatever
 * is asked, nothing of what is outside comes out.
 */

/** Swaps for each way of reading; `npm run test:attacks` makes 10,000. */
const SWAPS = tries('PINHOLE_SWAPS', 400);
/** A busy machine swaps slowly. */
const LONGEST_MS = Math.max(20_000, SWAPS * 30);
const root = realpathSync(temporaryFolder());
const aside = realpathSync(temporaryFolder());
const outside = realpathSync(temporaryFolder());

let app: OpenApp;
let attacker: ReturnType<typeof fork>;
let swaps = 0;
let download = { index: '', node: '' };
beforeAll(async () => {
  app = await temporaryApp();
  for (const [place, word] of [
    [root, 'inside'],
    [outside, 'forbidden'],
  ] as const) {
    mkdirSync(join(place, 'folder/deep'), { recursive: true });
    writeFileSync(join(place, 'file.txt'), `a marker ${word}\n`);
    writeFileSync(join(place, `folder/deep/file.txt`), `a marker ${word}\n`);
    writeFileSync(join(place, `folder/${word}.txt`), `a marker ${word}\n`);
  }
  // An empty line more, so that a count tells them apart.
  writeFileSync(join(outside, 'file.txt'), 'a marker forbidden\na marker forbidden\n');
  writeFileSync(join(outside, 'folder/deep/file.txt'), 'a marker forbidden\na marker forbidden\n');
  const { body } = await ask(app, 'index', { root, wait_seconds: 10 }, who());
  const { body: seen } = await ask(app, 'inspect', { path: join(root, 'file.txt') }, who());
  download = { index: body.data.index_id, node: seen.data.node_id };
  symlinkSync(join(outside, 'file.txt'), join(aside, 'file-link'));
  symlinkSync(join(outside, 'folder'), join(aside, 'folder-link'));
  const names = ['file.txt', 'file-link', 'folder', 'folder-link'];
  const paths = names.map((name) => join(name.endsWith('-link') ? aside : root, name));
  attacker = fork(fileURLToPath(new URL('fixtures/swapper.mjs', import.meta.url)), paths, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  attacker.on('message', (count) => {
    swaps = Number(count);
  });
  if (attacker.stdout !== null) await once(attacker.stdout, 'data');
});
afterAll(() => attacker.kill());

let calls = 0;
const who = () => ({ roots: [root], cwd: root, id: `swapped-${calls++}`, budget: 8_000 });

async function search(input: Record<string, unknown>): Promise<string> {
  return (await ask(app, 'regex_search', input, who())).answer.rendered.text;
}

async function grep(request: Record<string, unknown>): Promise<string> {
  const pieces: Uint8Array[] = [];
  const roots = await createRoots([root], root);
  const asked = { paths: [{ folder: root, lead: '' }], ...request };
  try {
    for await (const piece of app.services.code.exact.grep(asked, roots, new AbortController().signal))
      pieces.push(piece);
  } catch (error) {
    // The asked path is the link at this moment.
    if (!/path_not_allowed|not_found|ENOENT|ENOTDIR/.test(`${(error as { code?: string }).code}`))
      throw error;
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Asks until as many swaps were made, and something was answered. */
async function during(ask: () => Promise<boolean>): Promise<number> {
  const before = swaps;
  const latest = performance.now() + LONGEST_MS;
  let answered = false;
  do answered = (await ask()) || answered;
  while ((swaps - before < SWAPS || !answered) && performance.now() < latest);
  return swaps - before;
}

const asked = async (operation: string, input: Record<string, unknown>): Promise<string> =>
  (await ask(app, operation, input, who())).answer.rendered.text;

const doors: Record<string, () => Promise<string>> = {
  'regex_search through the index': () => search({ pattern: 'marker' }),
  'regex_search with lines around': () => search({ pattern: 'marker', context_lines: 2 }),
  'regex_search of one file': () => search({ pattern: 'marker', path: join(root, 'file.txt') }),
  'regex_search of a folder': () => search({ pattern: 'marker', path: join(root, 'folder') }),
  'regex_search through ripgrep': () => search({ pattern: 'm' }),
  'regex_search of a pattern for ripgrep alone': () => search({ pattern: '(?x)mark er', context_lines: 1 }),
  'regex_search of everything': () => search({ pattern: 'marker', everything: true, hidden: true }),
  grep: () => grep({ pattern: 'marker' }),
  'grep of a pattern for ripgrep alone': () => grep({ pattern: '(?x)mark er' }),
  'grep of one file': () =>
    grep({ pattern: 'marker', paths: [{ folder: join(root, 'file.txt'), lead: '' }] }),
  'grep without ignore rules': () => grep({ pattern: 'marker', ignored: true }),
  'grep for the names of files': () => grep({ pattern: '', form: 'files' }),
  'grep for the names of files without ignore rules': () =>
    grep({ pattern: '', form: 'files', ignored: true }),
  'cd to a folder': async () =>
    (await ask(app, 'cd', { path: join(root, 'folder') }, who())).answer.rendered.text,
  'cd to the folder above': async () => (await ask(app, 'cd', { path: root }, who())).answer.rendered.text,
  file_view: () => asked('file_view', { path: join(root, 'file.txt') }),
  'file_view in a folder': () => asked('file_view', { path: join(root, 'folder/deep/file.txt') }),
  inspect: () => asked('inspect', { path: join(root, 'file.txt') }),
  'inspect of a folder': () => asked('inspect', { path: join(root, 'folder') }),
  hybrid_search: () => asked('hybrid_search', { query: 'marker', path: root }),
  semantic_search: () => asked('semantic_search', { query: 'marker', path: root }),
  outline: () => asked('outline', { path: root }),
  'outline of one file': () => asked('outline', { path: join(root, 'file.txt') }),
  symbol: () => asked('symbol', { name: 'marker', path: root }),
  'sql on files': () => asked('sql', { query: `select path, size from files where path like '${root}%'` }),
  'a scan of the disk': async () => {
    await ask(app, 'index', { root, full: true, wait_seconds: 10 }, who());
    return asked('disk_find', { under: root, name: '*' });
  },
  duplicates: () => asked('disk_duplicates', { under: root, min_size: 1 }),
  'a download': async () => {
    const { disk } = app.services;
    const roots = await createRoots([root], root, true);
    try {
      const { handle } = await disk.openContent(download.index, download.node, roots, {});
      try {
        return await handle.readFile('utf8');
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (error instanceof PinholeError) return 'inside: refused';
      throw error;
    }
  },
};

describe.each(Object.entries(doors))('%s', (_name, door) => {
  it('shows nothing of what is outside', { timeout: LONGEST_MS + 60_000 }, async ({ task }) => {
    let answers = 0;
    const leaked: string[] = [];
    const made = await during(async () => {
      const text = await door();
      if (text.includes('forbidden')) leaked.push(text);
      if (text !== '') answers++;
      return text !== '';
    });
    counted(task, made, made - leaked.length);
    expect(made).toBeGreaterThanOrEqual(SWAPS);
    expect({ leaks: leaked.length, example: leaked[0] }).toEqual({ leaks: 0, example: undefined });
    expect(answers).toBeGreaterThan(0);
  });
});

it('a count does not count what is outside', { timeout: LONGEST_MS + 60_000 }, async ({ task }) => {
  const seen = new Set<string>();
  const made = await during(async () => {
    for (const pattern of ['m', 'marker', '(?x)mark er']) {
      const { body } = await ask(app, 'regex_search', { pattern, output: 'files' }, who());
      for (const { path, hits } of body?.data?.files ?? []) seen.add(`${path} ${hits}`);
    }
    return seen.size > 0;
  });
  const wrong = [...seen].filter((one) => !/ 1$/.test(one));
  counted(task, made, made - wrong.length);
  expect(wrong).toEqual([]);
  expect(seen.size).toBeGreaterThan(0);
});
