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

/** What a test needs of an answer. */
interface Body {
  readonly link?: string;
  readonly links?: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly data: any;
  readonly pagination?: { readonly next_cursor?: string };
}

/** A call of every MCP tool, and what of its answer its page shows. */
const CALLS: Readonly<Record<string, readonly [input: RawInput, shows: (body: Body) => readonly string[]]>> =
  {
    cd: [{ path: site.project }, ({ data }) => [firstFolder(data.entries).name]],
    inspect: [{ path: join(site.project, 'README.md') }, () => ['README.md', 'permissions']],
    query_run: [{ query_id }, ({ data }) => ['films', data.selection_id]],
    query_list: [{}, ({ data }) => [data.queries[0].name]],
    query_get: [{ query_id }, ({ data }) => [data.name, JSON.stringify(data.filter.ext ?? 'mp4')]],
    resource_set_create: [
      { name: 'two', index_id: site.index, node_ids },
      ({ data }) => ['two', data.sample[0].name],
    ],
    resource_set_list: [{}, ({ data }) => [data.selections[0].name]],
    resource_set_get: [{ selection_id }, ({ data }) => [data.name, data.sample[0].name]],
    resource_set_update: [{ selection_id, add: node_ids }, ({ data }) => [data.name]],
    resource_set_delete: [{ selection_id: extra.selection_id }, () => ['Selections']],
    session_preferences: [{ shell }, () => ['media']],
    index: [{ root: site.project }, ({ data }) => [`Job ${data.job_id}`]],
    job_progress: [{ job_id: 'j1' }, () => ['Job j1', 'Disk scan']],
    regex_search: [
      { pattern: 'load\\w+', path: site.project },
      ({ data }) => [data.matches[0].path, data.matches[0].hits[0].text.trim()],
    ],
    semantic_search: [
      { query: 'wait before a retry', path: site.project },
      ({ data }) => [data.matches[0].path],
    ],
    hybrid_search: [
      { query: 'wait before a retry', path: site.project },
      ({ data }) => [data.matches[0].path],
    ],
    list_sessions: [{}, ({ data }) => [data.sessions[0].title ?? data.sessions[0].snippet]],
    get_project_info: [{}, () => ['tiles load twice']],
    get_session_summary: [{ session_id }, ({ data }) => [data.id, data.model, data.first_prompt]],
    get_session_turns: [{ session_id }, ({ data }) => ['Turn 0', data.turns[1].user_message]],
    get_turn_steps: [{ session_id, turn_index: 2 }, () => ['Turn 2']],
    get_session_full: [{ session_id, cursor: 'start' }, () => ['Turn 0']],
    analyze_session: [{ session_id }, ({ data }) => [String(data.score), data.insights[0].message]],
    search_event_previews: [{ query: 'AssertionError' }, () => ['AssertionError', 'matches']],
    get_event_details: [{ session_id, event_index: 12 }, ({ data }) => [`Turn ${data.turn_index}`]],
    file_history: [
      { path: join(site.project, 'src/tile.ts') },
      ({ data }) => [data.touches[0].why, data.touches[0].action],
    ],
    compare_sessions: [{ a: session_id, b: sessions[2].id }, ({ data }) => [data.a.id, data.b.id, 'Figures']],
    get_reasoning_chain: [{ session_id, turn_index: 1 }, () => ['Turn 1']],
  };

function firstFolder(entries: readonly { kind: string; node_id?: string; name: string }[]) {
  const found = entries.find((entry) => entry.kind === 'dir');
  if (found === undefined) throw new Error('no folder');
  return found;
}

/** The page that an answer points to; templates are filled with the first folder, whose own view lies above it. */
function pageOf({ link, links, data }: Body): string {
  const address = link ?? links?.self ?? links?.entry ?? '';
  expect(address).toMatch(new RegExp(`^${site.base}/(?!api/)`));
  return address.replace('{node_id}', () => firstFolder(data.entries).node_id ?? '');
}

async function ask(name: string, input: RawInput, budget = 8_000): Promise<Body> {
  const answer = await site.background.app.engine.run(name, input, {
    caller: caller({ roots: [site.project], cwd: site.project, budget }),
  });
  expect(answer.rendered.text).not.toContain('"error"');
  return JSON.parse(answer.rendered.text);
}

/** Opens a page in which all of the texts must be, and nothing may go wrong. */
async function opens(address: string, shows: readonly string[]): Promise<void> {
  problems.length = 0;
  await page.goto(address);
  for (const text of shows) await settled(page, text);
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  expect(problems).toEqual([]);
}

/** These have no view on the page yet. */
const WITHOUT_VIEW = [
  'sql',
  'symbol',
  'outline',
  'code_history',
  'find_files',
  'commit_sessions',
  'blame',
  'how_fixed',
  'recall',
  'brief',
];
const tools = OPERATIONS.filter(
  ({ name, toolset }) => toolset !== undefined && toolset !== 'legacy' && !WITHOUT_VIEW.includes(name),
);

test('every tool has a call here', () => {
  expect(tools.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
});

const { page, context, problems } = await openPage(browser, site);
afterAll(() => context.close());

test.each(tools.map(({ name }) => name))('the link of %s opens what it answered', async (name) => {
  const [input, shows] = CALLS[name] ?? [{}, () => []];
  const body = await ask(name, input);
  await opens(pageOf(body), shows(body));
});

/** Later pages of lists and of kept searches, and what they and their page have in common. */
const LATER: readonly (readonly [name: string, input: RawInput, shows: (body: Body) => readonly string[]])[] =
  [
    ['regex_search', { pattern: 'const', path: site.project, limit: 2 }, () => ['matches', 'src/']],
    [
      'hybrid_search',
      { query: 'wait before a retry', path: site.project, limit: 2 },
      ({ data }) => [data.matches[0].path],
    ],
    ['list_sessions', { limit: 2 }, ({ data }) => [data.sessions[0].snippet]],
    ['get_session_turns', { session_id, limit: 2 }, ({ data }) => [data.turns[0].user_message]],
    ['search_event_previews', { query: 'AssertionError', limit: 2 }, () => ['AssertionError']],
  ];

test.each(LATER)('a later page of %s links to the same view', async (name, input, shows) => {
  const first = await ask(name, input);
  const later = await ask(name, { cursor: first.pagination?.next_cursor ?? '' });
  expect(pageOf(later)).toBe(pageOf(first));
  await opens(pageOf(later), shows(later));
});

/** Addresses of things that are not there: the page says so, in words for people where those of the API name a call. */
const GONE: readonly (readonly [path: string, says: string])[] = [
  ['/sessions/zzzzzzzz', 'There is no session with this id.'],
  [`/sessions/${session_id}?event=999999`, 'Turn 0'],
  ['/disk/i99', 'There is no such index.'],
  [`/disk/${site.index}/nzzzz`, 'This is no longer in the index.'],
  ['/disk/selections/s999', 's999'],
  ['/disk/queries/q999', 'q999'],
  ['/disk/plans/p999', 'p999'],
  ['/disk?path=/etc', 'not allowed to read'],
  ['/activity/j999', 'j999'],
  ['/code?mode=regex&q=(', 'unclosed group'],
  ['/code?mode=regex&q=x&path=/etc', 'not allowed to read /etc'],
  ['/sessions/search?q=(&regex=true', 'unclosed group'],
  ['/sessions/compare?a=zzzzzzzz&b=yyyyyyyy', 'zzzzzzzz'],
  ['/nowhere', 'There is no page'],
];

test.each(GONE)('%s says what is wrong', async (path, says) => {
  const opened = await page.goto(site.base + path);
  // The server knows which views there are.
  if (path === '/nowhere') return expect(opened?.status()).toBe(404);
  await settled(page, says);
  expect(problems.filter((problem) => problem.startsWith('exception'))).toEqual([]);
});
