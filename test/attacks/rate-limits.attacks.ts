import { realpathSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeEach, expect, test } from 'vitest';
import { connectClient, JSON_ANSWERS, onlyText, type ProcessHome, processHome } from '../processes.ts';
import { temporaryFolder } from '../support.ts';

/* get_session_full allows 10 calls per minute, whatever a caller calls itself and however often it connects. */

const LIMIT = 10;
const root = realpathSync(temporaryFolder());
const TOOL = { name: 'get_session_full', arguments: { session_id: 'aaaaaaaa' } };
let place: ProcessHome;
beforeEach(() => {
  place = processHome();
});

const isLimited = (text: string) => text.includes('"rate_limited"');

/** How many of some calls were let through, each from a new connection. */
async function passed(tries: number, one: (n: number) => Promise<string>): Promise<number> {
  let through = 0;
  for (let n = 0; n < tries; n++) if (!isLimited(await one(n))) through++;
  return through;
}

test('over REST with a new connection and another name each time', async () => {
  const first = await connectClient(place, { cwd: root });
  await first.callTool({ name: 'cd', arguments: { path: root } });
  await first.close();
  const { port } = place.background();
  const through = await passed(40, async (n) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/agent-sessions/aaaaaaaa/full`, {
      headers: { ...place.script(), connection: 'close', 'x-pinhole-client': `other ${n}` },
    });
    return response.text();
  });
  // One more comes back within the few seconds that this takes.
  expect(through).toBeGreaterThanOrEqual(LIMIT);
  expect(through).toBeLessThanOrEqual(LIMIT + 3);
});

test('over MCP by HTTP with a new session each time', async () => {
  const starter = await connectClient(place, { cwd: root });
  await starter.callTool({ name: 'cd', arguments: { path: root } });
  await starter.close();
  const { port } = place.background();
  const through = await passed(30, async (n) => {
    const client = new Client({ name: `other ${n}`, version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
        requestInit: { headers: place.script() },
      }),
    );
    const { content, isError } = await client.callTool(TOOL);
    await client.close();
    const said = JSON.stringify(content);
    return isError === true && /per minute/.test(said) ? '"rate_limited"' : said;
  });
  expect(through).toBeGreaterThanOrEqual(LIMIT);
  expect(through).toBeLessThanOrEqual(LIMIT + 4);
});

test('over MCP by stdio with a new process each time', async () => {
  let through = 0;
  for (let process = 0; process < 4; process++) {
    const client = await connectClient(place, { cwd: root, args: JSON_ANSWERS, name: `other ${process}` });
    through += await passed(LIMIT / 2, async () => onlyText(await client.callTool(TOOL)));
    await client.close();
  }
  expect(through).toBeGreaterThanOrEqual(LIMIT);
  expect(through).toBeLessThanOrEqual(LIMIT + 4);
});

test('agents in other folders are not held up', async () => {
  const busy = await connectClient(place, { cwd: root, args: JSON_ANSWERS });
  expect(await passed(LIMIT + 1, async () => onlyText(await busy.callTool(TOOL)))).toBe(LIMIT);
  const other = await connectClient(place, { cwd: realpathSync(temporaryFolder()), args: JSON_ANSWERS });
  expect(isLimited(onlyText(await other.callTool(TOOL)))).toBe(false);
  await Promise.all([busy.close(), other.close()]);
});
