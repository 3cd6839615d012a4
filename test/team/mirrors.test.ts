import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Background } from '../../src/daemon/background.ts';
import type { Mirror } from '../../src/team/mirrors/mirror-folders.ts';
import { mirrorUrl } from '../../src/team/mirrors/mirror-url.ts';
import { addMirror } from '../../src/team/mirrors/update-mirror.ts';
import { temporaryRepository } from '../git.ts';
import { addressOf, startNode } from './nodes.ts';
import { sharedPostgres } from './postgres.ts';

/* Code of a mirror is found on the node that holds it, with a token that sees its project. */

let node: Background;
let mirror: Mirror;
const tokens = { sees: '', other: '' };

beforeAll(async () => {
  node = await startNode(await (await sharedPostgres()).database());
  const { root, write, commit } = await temporaryRepository();
  write('flags.ts', 'export const mirroredFlag = 1;\n');
  commit('flags', '2026-03-01T12:00:00Z');
  mirror = await addMirror(node.app.services.about.home, mirrorUrl(root));
  const team = node.app.services.team?.tokens;
  tokens.sees = (await team?.create({ name: 'sees', scopes: ['read'], projects: [mirror.project] })) ?? '';
  tokens.other =
    (await team?.create({ name: 'other', scopes: ['read'], projects: ['example.com/a/b'] })) ?? '';
});

afterAll(() => node?.stop());

const find = async (token: string) => {
  const query = new URLSearchParams({ pattern: 'mirroredFlag', path: mirror.path });
  const answer = await fetch(`${addressOf(node)}/api/code/search?mode=regex&${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, text: await answer.text() };
};

test('a token that sees the project finds its code, another one is refused', async () => {
  expect(await find(tokens.sees)).toMatchObject({ status: 200, text: expect.stringContaining('flags.ts') });
  const other = await find(tokens.other);
  expect(other.status).toBe(403);
  expect(other.text).toContain('path_not_allowed');
  expect(other.text).not.toContain('flags.ts');
});
