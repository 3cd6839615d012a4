import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { OpenApp } from '../../src/app/open-app.ts';
import { OPERATIONS } from '../../src/app/operations.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { connectClient, onlyText, processHome } from '../processes.ts';
import { counted } from '../reliability/counted.ts';
import { ask, temporaryApp, temporaryFolder } from '../support.ts';

/* Every spelling of a path that leads out of the allowed folder, for every operation that takes one. */

const MARK = 'forbidden-words';
/** A name beside it, which nobody asks for. */
const BESIDE = 'beside-it';
const root = join(realpathSync(temporaryFolder()), 'root');
const outside = realpathSync(temporaryFolder());
let app: OpenApp;
let calls = 0;

beforeAll(async () => {
  mkdirSync(join(root, 'src'), { recursive: true });
  for (const folder of [outside, join(outside, 'folder')]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${MARK}.ts`), `export const needle = '${MARK}';\n`);
  }
  for (const folder of [outside, join(root, '..')]) writeFileSync(join(folder, `${BESIDE}.ts`), 'needle');
  writeFileSync(join(root, '..', `${MARK}.ts`), `export const needle = '${MARK}';\n`);
  writeFileSync(join(root, 'src/a.ts'), 'export const needle = 1;\n');
  symlinkSync(outside, join(root, 'folder-link'));
  symlinkSync(join(outside, `${MARK}.ts`), join(root, 'file-link.ts'));
  symlinkSync('..', join(root, 'up'));
  symlinkSync('/proc/self/root', join(root, 'proc'));
  app = await temporaryApp();
});

const up = (depth: number) => '../'.repeat(depth);
const spellings = (): readonly string[] => {
  const file = join(outside, `${MARK}.ts`);
  return [
    ...[
      file,
      outside,
      `${outside}/`,
      join(outside, 'folder'),
      `/${file}`,
      `//${file}`,
      `${root}/../${MARK}.ts`,
    ],
    ...[
      `${root}/..`,
      `${root}/../`,
      `${root}/src/../../${MARK}.ts`,
      `${root}/./.././${MARK}.ts`,
      '..',
      '../',
      up(20),
    ],
    ...[
      `${up(20)}${file.slice(1)}`,
      `src/${up(3)}${MARK}.ts`,
      `../${MARK}.ts`,
      'folder-link',
      'folder-link/',
    ],
    ...[
      `folder-link/${MARK}.ts`,
      'folder-link/folder',
      `folder-link/../${basename(outside)}`,
      'file-link.ts',
      'up',
      `up/${MARK}.ts`,
    ],
    ...[
      `proc${file}`,
      `/proc/self/root${file}`,
      '/proc/self/cwd/..',
      '/proc/self/environ',
      '/dev/fd/0',
      '~',
      '~/',
      '~root',
    ],
    ...[
      `${root}\0/../${MARK}.ts`,
      `${root}%2f..%2f${MARK}.ts`,
      `%2e%2e/${MARK}.ts`,
      `..\\${MARK}.ts`,
      `${root}\\..\\${MARK}.ts`,
    ],
    ...[
      `file://${file}`,
      `file:${file}`,
      `${root}/．．/${MARK}.ts`,
      `${root}/../${basename(root)}x`,
      `${root}-other`,
    ],
    ...[`${root.toUpperCase()}/../${MARK}.ts`, '/', '//', '/etc/passwd', '/etc/shadow'],
  ];
};

test('no operation shows what is outside, however the path is spelled', { timeout: 300_000 }, async ({
  task,
}) => {
  const words: Readonly<Record<string, unknown>> = {
    pattern: 'needle',
    query: 'needle',
    name: 'needle',
    filter: { name: '*' },
  };
  const leaks: string[] = [];
  let tried = 0;
  for (const operation of OPERATIONS as readonly Operation<never>[]) {
    const fields = Object.keys(operation.input.shape);
    const field = ['path', 'root', 'under', 'file'].find((name) => fields.includes(name));
    // These are for a person, who may name any folder.
    if (field === undefined || ['allow', 'disk_import', 'disk_export'].includes(operation.name)) continue;
    const base = Object.fromEntries(fields.flatMap((name) => (name in words ? [[name, words[name]]] : [])));
    const patience = fields.includes('wait_seconds') ? { wait_seconds: 0 } : {};
    for (const path of spellings()) {
      const who = { roots: [root], cwd: root, id: `out ${calls++}`, budget: 50_000 };
      const { answer } = await ask(app, operation.name, { ...base, ...patience, [field]: path }, who);
      tried++;
      // What the file holds, or what is beside it; the path itself may be repeated.
      const shown = answer.ok ? answer.rendered.text : '';
      if (shown.includes(`'${MARK}'`) || shown.includes(BESIDE) || /root:x:0|root:\*/.test(shown))
        leaks.push(`${operation.name} ${path}: ${shown.slice(0, 200)}`);
      if (!answer.ok && answer.error.code === 'internal_error')
        leaks.push(`${operation.name} ${path}: internal_error`);
    }
  }
  expect(leaks).toEqual([]);
  expect(tried).toBeGreaterThan(500);
  counted(task, tried, tried);
});

test('a hard link inside is the file itself, which nothing can tell', async () => {
  linkSync(join(outside, `${MARK}.ts`), join(root, 'hard.ts'));
  const { body } = await ask(app, 'file_view', { path: join(root, 'hard.ts') }, { roots: [root], cwd: root });
  expect(JSON.stringify(body.data)).toContain(MARK);
});

test('an agent that is started in the root of the disk may read nothing because of that', async () => {
  const client = await connectClient(processHome(), { cwd: '/' });
  for (const path of ['/', outside]) {
    const answer = onlyText(await client.callTool({ name: 'cd', arguments: { path } }));
    expect(answer).toContain('path_not_allowed');
  }
  await client.close();
});
