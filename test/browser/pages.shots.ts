import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, test } from 'vitest';
import { scriptHeaders } from '../sign-in.ts';
import { idle, launchBrowser, openPage, settled } from './browser.ts';
import { AGENTS, MAIN_SESSION } from './demo-sessions.ts';
import { makeRunningAgents } from './running-agents.ts';
import { openSite } from './site.ts';

/** All pictures; git ignores this folder. */
const ALL = resolve('.screenshots');
/** The pictures that the README and the guide show, and a few more. */
const KEPT = resolve('docs/screenshots');
const KEPT_NAMES: ReadonlySet<string> = new Set([
  'home-light-1280',
  'disk-map-light-1280',
  'disk-map-dark-1280',
  'session-light-1280',
  'session-dark-1280',
  'session-light-390',
  'sessions-usage-light-1280',
  'code-preview-light-1280',
  'cockpit-dark-1280',
]);
const DOCS_WIDTH = 1280;
// The pictures show this folder's path, so it is short and always the same.
const folder = join(tmpdir(), 'ada');
rmSync(folder, { recursive: true, force: true });
const site = await openSite({ folder, scale: 4, sessions: 30, evil: false });
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});

makeRunningAgents(folder, site.project);
const main = MAIN_SESSION.slice(0, 8);
const other = (await site.api('GET', '/api/agent-sessions?limit=5')).data.sessions[2].id;
const project = encodeURIComponent(site.project);
const tile = encodeURIComponent(join(site.project, 'src/tile.ts'));
const largest = (await site.api('GET', `/api/indexes/${site.index}/reports/largest?limit=4`)).data.files;
const nodes = largest.map((file: { node_id: string }) => file.node_id);
const selection = await site.api('POST', '/api/resource-sets', {
  name: 'old footage',
  index_id: site.index,
  node_ids: nodes,
});
const plan = await site.api('POST', `/api/resource-sets/${selection.data.selection_id}/plan`);
const query = await site.api('POST', '/api/queries', {
  filter: { all: [{ ext: 'log' }, { modified: '>30d' }] },
  save_as: 'old logs',
  index_id: site.index,
});
// A second scan, so that there is growth.
writeFileSync(join(site.project, 'data', 'stations-new.csv'), Buffer.alloc(6_000_000, 1));
const scanned = async () => (await site.api('GET', `/api/indexes/${site.index}`)).data.scanned_at;
const firstScan = await scanned();
await site.api('POST', '/api/indexes', { root: site.project });
while ((await scanned()) === firstScan) await new Promise((resolve) => setTimeout(resolve, 100));
// A day's worth of calls, so that Home and Activity have something to show.
for (const path of [
  '/api/cd?limit=20',
  '/api/agent-sessions?limit=20',
  '/api/code/search?mode=regex&pattern=retry',
  '/api/code/search?mode=hybrid&query=retry',
  '/api/agent-events?query=fail',
]) {
  for (let i = 0; i < 6; i++) {
    const folder =
      path.includes('cd?') || path.includes('code') ? `&path=${encodeURIComponent(site.project)}` : '';
    const answer = await fetch(`${site.base}${path}${folder}&max_bytes=${4_000 + 2_000 * i}`, {
      headers: { ...scriptHeaders(site.background), 'x-pinhole-client': 'claude-code' },
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }
}

/** Name of the picture, address, text that must be there. */
const SHOTS: readonly (readonly [name: string, path: string, shows: string])[] = [
  ['home', '/', 'Connect your agent'],
  ['cockpit', '/cockpit', 'agents running'],
  ['disk', '/disk', 'Indexed folders'],
  ['disk-folder', `/disk?path=${project}%2Fmedia`, 'footage'],
  ['disk-map', `/disk/${site.index}`, 'on disk'],
  ['disk-map-age', `/disk/${site.index}?by=age`, 'on disk'],
  ['disk-map-filter', `/disk/${site.index}?f=ext:mp4`, 'match the filter'],
  ['disk-file', `/disk?path=${tile}`, 'tile.ts'],
  ['disk-largest', `/disk/${site.index}?tab=largest`, 'take-'],
  ['disk-types', `/disk/${site.index}?tab=types`, '.mp4'],
  ['disk-age', `/disk/${site.index}?tab=age`, '1 to 7 days ago'],
  ['disk-duplicates', `/disk/${site.index}?tab=duplicates`, 'can be freed'],
  ['disk-growth', `/disk/${site.index}?tab=growth`, 'Changes since the scan'],
  ['disk-again', `/disk/${site.index}?tab=again`, 'npm install'],
  ['disk-selection', `/disk/selections/${selection.data.selection_id}`, 'old footage'],
  ['disk-query', `/disk/queries/${query.data.query_id}`, 'old logs'],
  ['disk-plan', `/disk/plans/${plan.data.plan_id}`, 'draft'],
  ['sessions', '/sessions', 'tiles load twice'],
  ['session', `/sessions/${main}?turn=2&step=3`, 'Turn'],
  ['session-agents', `/sessions/${main}?turn=4&step=0&agents=${AGENTS[2].id}`, 'reviewer'],
  ['session-findings', `/sessions/${main}?side=findings&turn=1`, 'of 100'],
  ['session-files', `/sessions/${main}?side=files`, 'src/tile.ts'],
  ['session-brief', `/sessions/${main}?side=brief`, 'Last runs'],
  ['sessions-search', '/sessions/search?q=AssertionError', 'matches'],
  ['sessions-search-start', '/sessions/search', 'Search everything agents'],
  ['sessions-compare', `/sessions/compare?a=${main}&b=${other}`, 'They diverge'],
  ['sessions-compare-picker', `/sessions/compare?a=${main}`, 'Sessions of the same project'],
  ['sessions-files', `/sessions/files?path=${tile}`, 'edit'],
  ['sessions-files-start', '/sessions/files', 'Files that sessions changed most'],
  ['sessions-usage', '/sessions/usage', 'Cost per day'],
  ['sessions-usage-year', '/sessions/usage?by=session&show=tokens&since=365d', 'By session'],
  ['sessions-time', `/sessions/files?path=${tile}&view=time`, 'Cost of the step'],
  ['sql', '/sql', 'Examples'],
  ['sql-rows', '/sql?q=SELECT+id+AS+session,+cost+FROM+sessions', 'rows'],
  ['settings', '/settings', 'Keep copies of logs'],
  ['code', '/code?q=how+often+is+a+failed+request+tried+again', 'results'],
  ['code-start', '/code', 'What are you looking for'],
  ['code-preview', `/code?q=RETRY&mode=regex&file=${tile}&line=10`, 'matches'],
  ['code-symbol', `/code?file=${tile}&line=12&symbol=loadTile`, 'No use of it is known'],
  ['activity', '/activity', 'By operation'],
  ['activity-job', '/activity/j1', 'Job j1'],
];

/** `PINHOLE_SHOTS=home,session` takes only these. */
const only = process.env.PINHOLE_SHOTS?.split(',');
const wanted = (name: string) => only === undefined || only.includes(name);

/** Every view is taken on a wide screen and on a phone; 1280 pixels are for the pictures in the docs. */
const LOOKS = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1440, height: 900 },
  { theme: 'light', width: 390, height: 780 },
  { theme: 'dark', width: 390, height: 780 },
  { theme: 'light', width: DOCS_WIDTH, height: 800 },
  { theme: 'dark', width: DOCS_WIDTH, height: 800 },
] as const;

mkdirSync(ALL, { recursive: true });
test.each(LOOKS)('$theme, $width pixels', async ({ theme, width, height }) => {
  const { page, context } = await openPage(browser, site, { theme, width, height });
  for (const [name, path, shows] of SHOTS) {
    const picture = `${name}-${theme}-${width}`;
    if (!wanted(name) || (width === DOCS_WIDTH && !KEPT_NAMES.has(picture))) continue;
    await page.goto(site.base + path);
    await settled(page, shows);
    // Colours of code, plots and measured rows appear a moment after the text.
    await idle(page);
    await page.screenshot({ path: join(KEPT_NAMES.has(picture) ? KEPT : ALL, `${picture}.png`) });
  }
  await context.close();
});
