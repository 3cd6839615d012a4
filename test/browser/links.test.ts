import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations.ts';
import type { RawInput } from '../../src/contract/input.ts';
import { caller } from '../support.ts';
import { launchBrowser, openPage, settled } from './browser.ts';
import { MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});

const session_id = MAIN_SESSION.slice(0, 8);
const { sessions } = (await site.api('GET', '/api/agent-sessions?limit=5')).data;
const { files } = (await site.api('GET', `/api/indexes/${site.index}/reports/largest?limit=2`)).data;
const node_ids = files.map((file: { node_id: string }) => file.node_id);
const query = { filter: { ext: 'mp4' }, save_as: 'films', index_id: site.index };
const { selection_id, query_id } = (await site.api('POST', '/api/queries', query)).data;
const { shell } = (await site.api('GET', `/api/cd?path=${encodeURIComponent(site.project)}`)).data;
const extra = (await site.api('POST', '/api/resource-sets', { name: 'x', index_id: site.index, node_ids }))
  .data;

/** A call of every MCP tool, and a text that its page shows. */
const CALLS: Readonly<Record<string, readonly [input: RawInput, shows: string]>> = {
  cd: [{ path: site.project }, 'footage'],
  inspect: [{ path: join(site.project, 'README.md') }, 'permissions'],
  query_run: [{ query_id }, 'films'],
  query_list: [{}, 'films'],
  query_get: [{ query_id }, 'films'],
  resource_set_create: [{ name: 'two', index_id: site.index, node_ids }, 'two'],
  resource_set_list: [{}, 'films'],
  resource_set_get: [{ selection_id }, 'films'],
  resource_set_update: [{ selection_id, add: node_ids }, 'films'],
  resource_set_delete: [{ selection_id: extra.selection_id }, 'Selections'],
  session_preferences: [{ shell }, 'media'],
  index: [{ root: site.project }, 'Job j'],
  job_progress: [{ job_id: 'j1' }, 'Job j1'],
  regex_search: [{ pattern: 'load\\w+', path: site.project }, 'matches'],
  semantic_search: [{ query: 'wait before a retry', path: site.project }, 'places'],
  hybrid_search: [{ query: 'wait before a retry', path: site.project }, 'places'],
  list_sessions: [{}, 'tiles load twice'],
  get_project_info: [{}, 'tiles load twice'],
  get_session_summary: [{ session_id }, 'Turn 0'],
  get_session_turns: [{ session_id }, 'Turn 0'],
  get_turn_steps: [{ session_id, turn_index: 2 }, 'Turn 2'],
  get_session_full: [{ session_id, cursor: 'start' }, 'Turn 0'],
  analyze_session: [{ session_id }, 'of 100'],
  search_event_previews: [{ query: 'AssertionError' }, 'found'],
  get_event_details: [{ session_id, event_index: 12 }, 'Turn 0'],
  file_history: [{ path: join(site.project, 'src/tile.ts') }, 'edit'],
  compare_sessions: [{ a: session_id, b: sessions[2].id }, 'Figures'],
  get_reasoning_chain: [{ session_id, turn_index: 1 }, 'Turn 1'],
};

/** The page that an answer points to; templates are filled with the first row. */
function pageOf(body: {
  link?: string;
  links?: Record<string, string>;
  data: { entries?: { kind: string; node_id?: string }[] };
}): string | undefined {
  const address = body.link ?? body.links?.self ?? body.links?.entry;
  const folder = body.data.entries?.find((entry) => entry.kind === 'dir')?.node_id ?? '';
  return address?.includes('/api/') ? undefined : address?.replace('{node_id}', folder);
}

const tools = OPERATIONS.filter(({ toolset }) => toolset !== undefined && toolset !== 'legacy');

test('every tool has a call here', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
});

const { page, context, problems } = await openPage(browser, site.base);
afterAll(() => context.close());

test.each(tools.map(({ name }) => name))('the link of %s opens its view', async (name) => {
  const [input, shows] = CALLS[name] ?? [{}, ''];
  const answer = await site.owner.house.engine.run(name, input, {
    caller: caller({ roots: [site.project], cwd: site.project }),
  });
  expect(answer.text).not.toContain('"error"');
  const address = pageOf(JSON.parse(answer.text));
  expect(address).toMatch(new RegExp(`^${site.base}/`));
  problems.length = 0;
  await page.goto(address ?? '');
  await settled(page, shows);
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(problems).toEqual([]);
});
