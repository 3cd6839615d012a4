import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const house = await temporaryApp();
const base = await realpath(temporaryFolder());
const root = join(base, 'root');
const who = { roots: [root] };

beforeEach(() => {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root);
});

describe('cd', () => {
  test('lists the largest first, with a remainder that adds up', async () => {
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'folder', 'x'), '');
    for (let i = 1; i <= 30; i++) writeFileSync(join(root, `f${i}`), 'x'.repeat(i));
    const { body } = await ask(house, 'cd', { path: root }, who);
    expect(body.data.cwd).toBe(root);
    expect(body.data.entries[0]).toMatchObject({
      name: 'folder',
      kind: 'dir',
      counts: { files: 1, dirs: 0 },
    });
    expect(body.data.entries[1]).toMatchObject({ name: 'f30', kind: 'file', size: 30 });
    expect(body.pagination).toMatchObject({ total_in_page: 20, total: 31, has_more: true });
    expect(body.data.rest).toEqual({ entries: 11, size: (11 * 12) / 2 });
    const next = await ask(house, 'cd', { cursor: body.pagination.next_cursor }, who);
    expect(next.body.data.entries.map((e: { name: string }) => e.name)).toEqual(
      Array.from({ length: 11 }, (_, i) => `f${11 - i}`),
    );
    expect(next.body.data.rest).toBeUndefined();
  });

  test('remembers the place for relative paths, by caller and by handle', async () => {
    mkdirSync(join(root, 'a', 'b'), { recursive: true });
    const { shell } = (await ask(house, 'cd', { path: root }, { ...who, id: 'one' })).body.data;
    expect((await ask(house, 'cd', { path: 'a' }, { ...who, id: 'one' })).body.data).toMatchObject({
      cwd: join(root, 'a'),
      shell,
    });
    expect((await ask(house, 'cd', { path: 'b', shell }, { ...who, id: 'two' })).body.data).toMatchObject({
      cwd: join(root, 'a', 'b'),
      shell,
    });
    expect((await ask(house, 'inspect', { path: '..', shell }, who)).body.data.path).toBe(join(root, 'a'));
    expect((await ask(house, 'session_preferences', { shell, sort: 'name' }, who)).body.data).toMatchObject({
      shell,
      sort: 'name',
    });
  });

  test('rows and units are as the shell prefers, unless the call says otherwise', async () => {
    const place = root;
    for (let i = 0; i < 30; i++) writeFileSync(join(place, `f${i}`), 'x'.repeat(3_000));
    const me = { roots: [place], id: 'prefers' };
    const { shell } = (await ask(house, 'cd', { path: place }, me)).body.data;
    await ask(house, 'session_preferences', { shell, limit: 7, units: 'si' }, me);
    const rows = async (input: object) =>
      (await ask(house, 'cd', { ...input }, me)).body.pagination.total_in_page;
    expect(await rows({ path: place })).toBe(7);
    expect(await rows({ path: place, limit: 3 })).toBe(3);
    const { pagination } = (await ask(house, 'cd', { path: place }, me)).body;
    expect(await rows({ cursor: pagination.next_cursor })).toBe(7);
    const text = async (name: string, input: object, id: string) =>
      (await ask(house, name, { ...input }, { ...me, id, format: 'text' })).answer.rendered.text;
    expect(await text('cd', { path: place }, 'prefers')).toContain('3.0 kB');
    expect(await text('inspect', { path: 'f1' }, 'prefers')).toContain('3.0 kB');
    expect(await text('inspect', { path: 'f1', shell }, 'another')).toContain('3.0 kB');
    expect(await text('inspect', { path: join(place, 'f1') }, 'a third')).toContain('3.0 kB');
    await ask(house, 'session_preferences', { shell, limit: 25, units: 'bytes' }, me);
    expect(await rows({ path: place })).toBe(25);
    expect(await text('cd', { path: place }, 'prefers')).toContain('3,000 B');
  });

  test('a cursor keeps its folder although the shell has moved on', async () => {
    mkdirSync(join(root, 'other'));
    for (let i = 0; i < 30; i++) writeFileSync(join(root, `f${String(i).padStart(2, '0')}`), '');
    const first = await ask(house, 'cd', { path: root, sort: 'name' }, { ...who, id: 'mover' });
    await ask(house, 'cd', { path: 'other' }, { ...who, id: 'mover' });
    const second = await ask(
      house,
      'cd',
      { cursor: first.body.pagination.next_cursor },
      { ...who, id: 'mover' },
    );
    expect(second.body.data.cwd).toBe(root);
    expect(second.body.data.entries.at(0).name).toBe('f20');
  });

  test('a folder that vanishes between two pages is an error, and the next call works', async () => {
    const gone = join(root, 'gone');
    mkdirSync(gone);
    for (let i = 0; i < 30; i++) writeFileSync(join(gone, `f${i}`), '');
    const { body } = await ask(house, 'cd', { path: gone }, who);
    rmSync(gone, { recursive: true });
    expect((await ask(house, 'cd', { cursor: body.pagination.next_cursor }, who)).body.error.code).toBe(
      'not_found',
    );
    expect((await ask(house, 'cd', { path: root }, who)).answer.ok).toBe(true);
  });

  test('every entry once while files come and go', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('name', 'size', 'modified'),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.tuple(fc.nat(120), fc.boolean()), { maxLength: 10 }),
        async (sort, limit, changes) => {
          rmSync(root, { recursive: true, force: true });
          mkdirSync(root);
          const stays = new Set<string>();
          for (let i = 0; i < 80; i++) {
            writeFileSync(join(root, `f${i}`), 'x'.repeat(i % 7));
            stays.add(`f${i}`);
          }
          const pending = [...changes];
          const seen: string[] = [];
          let cursor: string | undefined;
          do {
            const { body } = await ask(
              house,
              'cd',
              cursor === undefined ? { path: root, sort, limit } : { cursor },
              { ...who, id: `walk${Math.random()}` },
            );
            for (const entry of body.data.entries) seen.push(entry.name);
            cursor = body.pagination.next_cursor;
            const change = pending.shift();
            if (change) {
              const name = `f${change[0]}`;
              if (change[1] && !stays.has(name)) writeFileSync(join(root, name), 'new');
              else if (!change[1]) {
                rmSync(join(root, name), { force: true });
                stays.delete(name);
              }
            }
          } while (cursor !== undefined);
          expect(new Set(seen).size).toBe(seen.length);
          for (const name of stays) expect(seen).toContain(name);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('strange names arrive whole in JSON and harmless in text', async () => {
    const names = [
      'new\nline',
      'esc\u001b[31m',
      'bidi\u202egnp.exe',
      'ünïcödé 漢字 🙂',
      ' space ',
      '-rf',
      '"quote"',
    ];
    for (const name of names) writeFileSync(join(root, name), '');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff, 0xfe])]), '');
    const { body } = await ask(house, 'cd', { path: root }, who);
    const listed = body.data.entries.map((entry: { name: string }) => entry.name);
    for (const name of names) expect(listed).toContain(name);
    expect(listed.some((name: string) => name.startsWith('bad-'))).toBe(true);
    const { answer } = await ask(house, 'cd', { path: root }, { ...who, format: 'text' });
    expect(answer.rendered.text).not.toMatch(/\u202e|(?!\n)\p{Cc}/u);
    expect(answer.rendered.text).toContain('new\\nline');
    for (const name of names) {
      expect((await ask(house, 'inspect', { path: join(root, name) }, who)).body.data.path).toBe(
        join(root, name),
      );
    }
  });
});

describe('bad input', () => {
  test.each([
    ['outside the roots', 'cd', { path: '/etc' }, 'path_not_allowed', /pinhole allow PATH/],
    ['traversal', 'cd', { path: '../../etc' }, 'path_not_allowed', /outside/],
    ['missing', 'cd', { path: 'nothing' }, 'not_found', /Nothing exists/],
    ['a file', 'cd', { path: 'file' }, 'invalid_parameter', /not a folder/],
    ['a link out', 'cd', { path: 'out' }, 'path_not_allowed', /outside/],
    ['a link out, below', 'inspect', { path: 'out/passwd' }, 'path_not_allowed', /outside/],
    ['an unknown shell', 'cd', { path: '.', shell: 'w999' }, 'not_found', /No shell 'w999'/],
    ['a wrong type', 'cd', { path: 7 }, 'invalid_parameter', /path must be a string/],
    [
      'an unknown argument',
      'cd',
      { path: '.', colour: 'red' },
      'invalid_parameter',
      /Unknown argument 'colour'/,
    ],
    ['limit 0', 'cd', { path: '.', limit: 0 }, 'invalid_parameter', /limit must be 1\.\.100/],
    ['limit -1', 'cd', { path: '.', limit: -1 }, 'invalid_parameter', /limit must be 1\.\.100/],
    ['a NUL', 'cd', { path: 'a\0b' }, 'invalid_parameter', /NUL/],
    ['a job that is not there', 'job_progress', { job_id: 'j999' }, 'not_found', /No job 'j999'/],
  ])('%s: %s', async (_name, operation, input, code, message) => {
    writeFileSync(join(root, 'file'), '');
    symlinkSync('/etc', join(root, 'out'));
    const { body, answer } = await ask(house, operation, input, { ...who, cwd: root, id: 'bad' });
    expect(body.error.code).toBe(code);
    expect(body.error.message).toMatch(message);
    expect(answer.rendered.bytes).toBeLessThanOrEqual(8_000);
    expect((await ask(house, 'cd', { path: root }, who)).answer.ok).toBe(true);
  });
});

test('a link is judged by its own place: its target is told and never opened', async () => {
  symlinkSync('/etc', join(root, 'leads-out'));
  symlinkSync('/etc/no-such-file', join(root, 'leads-nowhere'));
  const inspected = async (name: string) =>
    (await ask(house, 'inspect', { path: join(root, name), digest: true }, who)).body.data;
  const out = await inspected('leads-out');
  expect(out).toMatchObject({ path: join(root, 'leads-out'), kind: 'symlink', symlink: '/etc' });
  expect([out.broken, out.digest, out.counts]).toEqual([undefined, undefined, undefined]);
  expect(await inspected('leads-nowhere')).toMatchObject({ symlink: '/etc/no-such-file', broken: true });
  const { entries } = (await ask(house, 'cd', { path: root, limit: 100 }, who)).body.data;
  const listed = (name: string) => entries.find((entry: { name: string }) => entry.name === name);
  expect(listed('leads-out')).toMatchObject({ kind: 'symlink', target: '/etc' });
  expect(listed('leads-nowhere')).toMatchObject({ target: '/etc/no-such-file', broken: true });
});

test('inspect tells the facts of a file and of a broken link', async () => {
  writeFileSync(join(root, 'hello.txt'), 'hello', { mode: 0o640 });
  symlinkSync('nowhere', join(root, 'broken'));
  expect(
    (await ask(house, 'inspect', { path: join(root, 'hello.txt'), digest: true }, who)).body.data,
  ).toMatchObject({
    kind: 'file',
    size: 5,
    permissions: 'rw-r-----',
    digest: 'sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  });
  expect((await ask(house, 'inspect', { path: join(root, 'broken') }, who)).body.data).toMatchObject({
    kind: 'symlink',
    symlink: 'nowhere',
    broken: true,
  });
});
