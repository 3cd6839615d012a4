import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectClient, JSON_ANSWERS, onlyText, processHome } from './processes.ts';
import { temporaryFolder } from './support.ts';

/* Links in an agent's answer open for the person beside it; one agent does not get at another's folders. */

const app = processHome();
const project = temporaryFolder();
for (let i = 0; i < 9; i++) writeFileSync(join(project, `file-${i}.txt`), 'x'.repeat(1000 * i));

test('pages and cursors of an agent are for the page, not for another agent or a script', async () => {
  const agent = await connectClient(app, { cwd: project, args: JSON_ANSWERS });
  const tool = async (client: typeof agent, name: string, given: Record<string, unknown>) =>
    JSON.parse(onlyText(await client.callTool({ name, arguments: given })));
  const { data: begun } = await tool(agent, 'index', { root: project });
  const at = `http://127.0.0.1:${app.background().port}`;
  const get = async (path: string, headers: Record<string, string>) =>
    JSON.parse(await (await fetch(at + path, { headers })).text());
  const page = await app.person();
  const script = app.script();
  await expect.poll(async () => (await get(`/api/jobs/${begun.job_id}`, page)).data?.status).toBe('done');

  const { data, links } = await tool(agent, 'cd', { path: project, limit: 2 });
  expect(links.entry).toBe(`${at}/disk/${data.index_id}/{node_id}`);
  const node = `/api/indexes/${data.index_id}/nodes/${data.entries[0].node_id}`;
  expect((await get(node, page)).data).toMatchObject({ path: expect.stringContaining('file-8.txt') });
  const content = await fetch(`${at}${node}/content`, { headers: page });
  expect([content.status, (await content.arrayBuffer()).byteLength]).toEqual([200, 8000]);
  expect((await get(node, script)).error).toMatchObject({
    code: 'path_not_allowed',
    message: expect.stringContaining('pinhole allow'),
  });
  expect((await get(`/api/jobs/${begun.job_id}`, script)).error.code).toBe('not_found');

  const found = await tool(agent, 'query_run', {
    index_id: data.index_id,
    filter: { name: '*.txt' },
    select: true,
  });
  expect(found.error).toBeUndefined();
  const first = await get(`/api/indexes/${data.index_id}/find?limit=2`, page);
  const more = `/api/indexes/${data.index_id}/find?cursor=${first.pagination.next_cursor}`;
  expect((await get(more, page)).data.nodes.length).toBeGreaterThan(0);
  expect((await get(more, script)).error).toMatchObject({
    code: 'path_not_allowed',
    message: expect.stringContaining('pinhole allow PATH'),
  });

  // The page looks at what an agent brought; to change anything there, a person allows it first.
  const change = await fetch(`${at}/api/resource-sets/${found.data.selection_id}/plan`, {
    method: 'POST',
    headers: { ...page, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(JSON.parse(await change.text()).error.code).toBe('path_not_allowed');

  const other = await connectClient(app, { cwd: temporaryFolder(), args: JSON_ANSWERS });
  for (const [name, given] of [
    ['cd', { path: project }],
    ['inspect', { index_id: data.index_id, node_id: data.entries[0].node_id }],
    ['query_run', { index_id: data.index_id, filter: { kind: 'file' } }],
    ['job_progress', { job_id: begun.job_id }],
  ] as const) {
    expect((await tool(other, name, given)).error.code).toMatch(/path_not_allowed|not_found/);
  }
  const overHttp = await fetch(`${at}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...script },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'cd', arguments: { path: project } },
    }),
  });
  const refused = await overHttp.text();
  expect(refused).toContain('path_not_allowed');
  expect(refused).not.toContain('file-8.txt');
  await agent.close();
  await other.close();
});
