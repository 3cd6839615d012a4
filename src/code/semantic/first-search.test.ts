import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

/* The first questions about trees that nobody has read: never a confident answer from half an index. */

const parent = realpathSync(temporaryFolder());
const small = join(parent, 'zeta');
const FOLDERS = 25;
const FILES = 100;

/** A file with enough text that reading thousands of them takes seconds. */
const filler = (name: string) =>
  Array.from(
    { length: 15 },
    (_none, at) =>
      `export function ${name}Step${at}(input: string): string {\n  return input + '${name}-${at}';\n}\n`,
  ).join('\n');

beforeAll(() => {
  for (let folder = 0; folder < FOLDERS; folder++) {
    mkdirSync(join(parent, `alpha${folder}`));
    for (let file = 0; file < FILES; file++)
      writeFileSync(join(parent, `alpha${folder}/part${file}.ts`), filler(`alpha${folder}x${file}`));
  }
  mkdirSync(small);
  for (let file = 0; file < 20; file++) writeFileSync(join(small, `other${file}.ts`), filler(`other${file}`));
  writeFileSync(
    join(small, 'authentication-gate.ts'),
    '/** Checks the password of a user: authentication. */\nexport function letIn(user: User): boolean {\n  return user.proven;\n}\n',
  );
});

const QUESTION = { query: 'authentication', limit: 3 };
const inParent = { roots: [parent], cwd: parent };
const inSmall = { roots: [small], cwd: small };

async function first(house: OpenApp, input: Record<string, unknown>, who: object) {
  const { body } = await ask(house, 'semantic_search', { ...QUESTION, ...input }, who);
  return body;
}

test('reads the asked path first', async () => {
  const house = await temporaryApp();
  const { data, meta } = await first(house, { path: 'zeta' }, inParent);
  expect(data.matches[0].path).toBe('zeta/authentication-gate.ts');
  expect(meta.index.fresh).toBe(true);
  expect(meta.indexing).toBeUndefined();
  await house.close();
});

test('answers about a part of a tree while all of it is being read for others', async () => {
  const house = await temporaryApp();
  await ask(house, 'regex_search', { pattern: 'gate' }, inParent);
  const whole = ask(house, 'hybrid_search', { query: 'steps' }, inParent);
  for (const path of ['alpha24/part99.ts', 'alpha1', 'zeta']) {
    const { data, meta } = await first(house, { path }, inParent);
    expect(data.matches[0].path.startsWith(path)).toBe(true);
    expect(meta.index.fresh).toBe(true);
  }
  await whole;
  await house.close();
});

test('a caller in a small repository does not wait for the folder around it', async () => {
  const house = await temporaryApp();
  await ask(house, 'regex_search', { pattern: 'gate' }, inParent);
  const whole = ask(house, 'hybrid_search', { query: 'steps' }, inParent);
  await expect.poll(() => house.services.jobs.busy()).toBe(true);
  const { data, meta } = await first(house, {}, inSmall);
  expect(data).toMatchObject({ matches: [{ path: 'authentication-gate.ts' }, {}, {}] });
  // Its own paths and sizes, though the folder around it is open for somebody else.
  expect(data.root).toBeUndefined();
  expect(meta.index).toMatchObject({ files: 21, fresh: true });
  const { body } = await ask(house, 'regex_search', { pattern: 'letIn' }, inSmall);
  expect(body.data.root).toBeUndefined();
  expect(JSON.stringify(body.data)).not.toContain('zeta');
  await whole;
  await house.close();
});

test('finds code similar to a place in a tree that was never read', async () => {
  const house = await temporaryApp();
  const like = { query: undefined, like: 'zeta/authentication-gate.ts:2', path: 'alpha3' };
  const { data } = await first(house, like, inParent);
  expect(data.matches[0].path).toMatch(/^alpha3\//);
  await house.close();
});

test('an index job that is done has also built the semantic index', async () => {
  const house = await temporaryApp();
  const { body } = await ask(house, 'index', { root: parent, what: 'code' }, inParent);
  const id: string = body.data.job_id;
  const percents: number[] = [];
  await new Promise<void>((resolve, reject) => {
    const look = (job: Awaited<ReturnType<typeof house.services.jobs.get>>) => {
      const { done, total } = job?.progress ?? {};
      if (done !== undefined && total !== undefined) percents.push(done / total);
      if (job?.status === 'done') resolve();
      if (job?.status === 'failed') reject(new Error(job.error));
    };
    house.services.jobs.watch(id, look);
    void house.services.jobs.get(id).then(look);
  });
  const { meta } = await first(house, {}, inParent);
  expect(meta.index).toMatchObject({ files: FOLDERS * FILES + 21, fresh: true });
  expect(meta.indexing).toBeUndefined();
  expect(percents).toEqual([...percents].sort((a, b) => a - b));
  await house.close();
});
