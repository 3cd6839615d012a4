import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TOOLSETS } from '../src/contract/operation.ts';
import { connectClient, ERAS, type Era, onlyText, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

const place = processHome();
const root = realpathSync(temporaryFolder());
const more = realpathSync(temporaryFolder());
const names = Array.from({ length: 45 }, (_, n) => `file-${String(n).padStart(2, '0')}.txt`);
for (const name of names) writeFileSync(join(root, name), name);
mkdirSync(join(root, 'sub'));

async function connect(args: readonly string[] = [], era: Era = 'modern') {
  const client = await connectClient(place, { cwd: root, args, era });
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
    const client = await connect([], era);
    expect(client.getDiscoverResult() === undefined).toBe(era === 'legacy');
    expect(client.getServerVersion()).toMatchObject({ name: 'pinhole' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('cd');

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

describe('what a model pays for', () => {
  const choices = [
    ...TOOLSETS.map((toolset) => [toolset, toolset] as const),
    ['all', 'code,sessions,disk'] as const,
  ];
  test.each(choices)('toolset %s is as recorded and within its budget', async (name, list) => {
    const client = await connect(['--toolsets', list]);
    const { tools } = await client.listTools();
    await expect(`${JSON.stringify(tools, undefined, 2)}\n`).toMatchFileSnapshot(
      `__snapshots__/tools-${name}.snap`,
    );
    const costs = tools.map(({ name, description, inputSchema }) => ({
      name,
      tokens: countTokens(JSON.stringify({ name, description, inputSchema })),
    }));
    expect(costs.filter(({ tokens }) => tokens > 100)).toEqual([]);
    const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(total).toBeLessThanOrEqual(name === 'all' ? 2_400 : 900);
  });

  test('instructions are at most 350 tokens', async () => {
    const instructions = (await connect()).getInstructions() ?? '';
    expect(countTokens(instructions)).toBeLessThanOrEqual(350);
    expect(countTokens(instructions)).toBeGreaterThan(50);
  });
});

describe('flags', () => {
  test('--read-only leaves out what changes state', async () => {
    const all = (await (await connect()).listTools()).tools;
    const reading = (await (await connect(['--read-only'])).listTools()).tools;
    expect(reading).toEqual(all.filter(({ annotations }) => annotations?.readOnlyHint === true));
    expect(reading.length).toBeLessThan(all.length);
    expect(all.every(({ annotations }) => annotations?.openWorldHint === false)).toBe(true);
  });

  test('--format text answers in lines and the cursor still works', async () => {
    const client = await connect(['--format', 'text']);
    const text = onlyText(await client.callTool({ name: 'cd', arguments: { path: root, limit: 20 } }));
    expect(text.split('\n')[0]).toContain(root);
    const cursor = /next: cd cursor=(\S+)/.exec(text)?.[1];
    const next = onlyText(await client.callTool({ name: 'cd', arguments: { cursor } }));
    expect(next).toContain('file-');
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
    const client = await connect(['--max-response-bytes', '2000']);
    const { text, body } = await ask(client, 'cd', { path: root, limit: 100 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2000);
    expect(body.pagination.has_more).toBe(true);
  });

  test('--root opens one more folder', async () => {
    const client = await connect(['--root', more]);
    expect((await ask(client, 'cd', { path: more })).body.data.cwd).toBe(more);
  });
});
