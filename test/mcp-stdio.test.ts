import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TOOL_GROUPS } from '../src/mcp/tool.ts';
import { CLIENTS, loadedBy, tokensOf, tokensOfAll } from './clients/cost.ts';
import { connectClient, ERAS, type Era, JSON_ANSWERS, MAIN, onlyText, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const place = processHome();
const root = realpathSync(temporaryFolder());
const more = realpathSync(temporaryFolder());
const names = Array.from({ length: 45 }, (_, n) => `file-${String(n).padStart(2, '0')}.txt`);
for (const name of names) writeFileSync(join(root, name), name);
mkdirSync(join(root, 'sub'));

async function connect(args: readonly string[] = [], era: Era = 'modern', name = 'pinhole-test') {
  const client = await connectClient(place, { cwd: root, args, era, name });
  onTestFinished(() => client.close());
  return client;
}

async function ask(
  client: Awaited<ReturnType<typeof connect>>,
  name: string,
  input: Record<string, unknown>,
) {
  const result = await client.callTool({ name, arguments: input });
  return { result, text: onlyText(result), body: JSON.parse(onlyText(result)) };
}

describe.each(ERAS)('over stdio, %s era', (era) => {
  test('lists, calls, pages with only a cursor, and tells errors', async () => {
    const client = await connect(JSON_ANSWERS, era);
    expect(client.getDiscoverResult() === undefined).toBe(era === 'legacy');
    expect(client.getServerVersion()).toMatchObject({ name: 'pinhole' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('regex_search');

    const first = await ask(client, 'cd', { path: root, limit: 20, sort: 'name' });
    expect(first.body.data.cwd).toBe(root);
    expect(first.body.pagination).toMatchObject({ total: 46, total_in_page: 20, has_more: true });
    expect(first.body.meta.bytes).toBe(Buffer.byteLength(first.text));
    const seen: string[] = first.body.data.entries.map((entry: { name: string }) => entry.name);
    for (let cursor = first.body.pagination.next_cursor; cursor !== undefined; ) {
      const next = await ask(client, 'cd', { cursor });
      seen.push(...next.body.data.entries.map((entry: { name: string }) => entry.name));
      cursor = next.body.pagination.next_cursor;
    }
    expect([...seen].sort()).toEqual([...names, 'sub'].sort());

    const outside = await ask(client, 'cd', { path: '/' });
    expect(outside.result.isError).toBe(true);
    expect(outside.body.error.code).toBe('path_not_allowed');
    const unknown = await ask(client, 'cd', { path: root, colour: 'red' });
    expect(unknown.result.isError).toBe(true);
    expect(unknown.body.error).toMatchObject({ code: 'invalid_parameter' });
    expect(unknown.body.error.message).toContain("Unknown argument 'colour'");
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});

/** What clients load into every conversation, with the instructions and the tables that `sql` describes. */
const LOADED_TOKENS = 850;
const ALL_TOKENS = 3_300;

describe('what a model pays for', () => {
  const choices = [...TOOL_GROUPS.map((group) => [group, ['--toolsets', group]] as const)];
  test.each(choices)('toolset %s is as recorded', async (name, args) => {
    const { tools } = await (await connect(args)).listTools();
    await expect(`${JSON.stringify(tools, undefined, 2)}\n`).toMatchFileSnapshot(
      `__snapshots__/tools-${name}.snap`,
    );
    expect(tokensOfAll(tools)).toBeLessThanOrEqual(ALL_TOKENS);
    // Old tools have all filters of their time, and the agents by name: 20 of them by now.
    const most = name === 'legacy' ? 280 : 250;
    expect(tools.filter((tool) => tool.name !== 'sql' && tokensOf(tool) > most)).toEqual([]);
  });

  test.each(CLIENTS)('$title loads what docs/clients.md says', async (client) => {
    const { listed, loaded, tokens } = loadedBy(client);
    expect(tokens).toBeLessThanOrEqual(LOADED_TOKENS);
    for (const era of ERAS) {
      const { tools } = await (await connect([], era, client.name)).listTools();
      expect(tools.map(({ name }) => name)).toEqual(listed.map(({ name }) => name));
      const marked = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true);
      expect(tokensOfAll(client.defers ? marked : tools)).toBe(tokensOfAll(loaded));
      if (!client.defers) expect(marked).toEqual([]);
    }
  });

  test('instructions name only listed tools, and the command that was started', async () => {
    const client = await connect();
    const instructions = client.getInstructions() ?? '';
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    const every = (await (await connect(['--toolsets', 'all'])).listTools()).tools;
    for (const { name } of every)
      if (!names.includes(name)) expect(instructions).not.toMatch(new RegExp(`\\b${name}\\b`));
    expect(instructions).toContain(`node ${MAIN} mcp --toolsets all`);
    expect((await connect(['--toolsets', 'all'])).getInstructions()).not.toContain('--toolsets all');
  });
});

describe('names', () => {
  test('what is not listed still answers', async () => {
    const client = await connect(JSON_ANSWERS);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('cd');
    expect((await ask(client, 'cd', { path: root })).body.data.cwd).toBe(root);
  });

  test.each([
    ['job-progress', { jobId: 'j99' }, "not_found: No job 'j99'."],
    ['get_session_by_id', { session_id: 'zz' }, "session_not_found: No session 'zz'."],
    ['get_session_details', { session_id: 'zz', detail_level: 'turns' }, 'session_not_found'],
    ['search_events', { pattern: 'no such words' }, 'No matches'],
    ['resource-set-ops', { op: 'list' }, 'No selections yet.'],
    ['resource-set-ops', {}, 'resource-set-ops is now resource_set_create, '],
  ])('the old %s %j answers as its successor', async (name, input, words) => {
    const client = await connect();
    expect(onlyText(await client.callTool({ name, arguments: input }))).toContain(words);
  });

  test('--read-only holds for what is not listed', async () => {
    const client = await connect(['--read-only']);
    for (const name of ['index', 'resource_set_create', 'resource-set-create'])
      await expect(client.callTool({ name, arguments: { name: 'x' } })).rejects.toMatchObject({
        code: -32602,
      });
    const refused = await client.callTool({
      name: 'resource-set-ops',
      arguments: { op: 'create', name: 'x' },
    });
    expect(refused.isError).toBe(true);
  });
});

describe('flags', () => {
  test('--read-only leaves out what changes state', async () => {
    const all = (await (await connect(['--toolsets', 'all'])).listTools()).tools;
    const reading = (await (await connect(['--toolsets', 'all', '--read-only'])).listTools()).tools;
    expect(reading).toEqual(all.filter(({ annotations }) => annotations?.readOnlyHint === true));
    expect(reading.length).toBeLessThan(all.length);
    for (const { annotations } of all)
      expect(annotations).toEqual(
        annotations?.readOnlyHint === true
          ? { readOnlyHint: true }
          : { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
      );
  });

  test('answers are lines, and the cursor in them works', async () => {
    const client = await connect();
    const text = onlyText(
      await client.callTool({ name: 'cd', arguments: { path: root, limit: 20, sort: 'name' } }),
    );
    expect(text.split('\n')[0]).toContain(root);
    const cursor = /\nmore: cursor=(\S+) \(26 left\)$/.exec(text)?.[1];
    const next = onlyText(await client.callTool({ name: 'cd', arguments: { cursor } }));
    expect(next).toContain('file-20.txt');
  });

  test('--structured sends the same object twice, and errors as text alone', async () => {
    const client = await connect(['--structured']);
    const { tools } = await client.listTools();
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
    const { result, body } = await ask(client, 'cd', { path: root });
    expect(result.structuredContent).toEqual(body);
    const failed = await ask(client, 'cd', { path: '/' });
    expect(failed.result.isError).toBe(true);
    expect(failed.result.structuredContent).toBeUndefined();
  });

  test('--max-response-bytes bounds every answer', async () => {
    const client = await connect([...JSON_ANSWERS, '--max-response-bytes', '2000']);
    const { text, body } = await ask(client, 'cd', { path: root, limit: 100 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
    expect(body.pagination.has_more).toBe(true);
  });

  test('--root opens one more folder', async () => {
    const client = await connect([...JSON_ANSWERS, '--root', more]);
    expect((await ask(client, 'cd', { path: more })).body.data.cwd).toBe(more);
  });
});
