import { mkdirSync, rmSync } from 'node:fs';
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
const tile = encodeURIComponent(join(site.project, 'src/tile.ts'));
const largest = (await site.api('GET', `/api/indexes/${site.index}/reports/largest?limit=4`)).data.files;
const nodes = largest.map((file: { node_id: string }) => file.node_id);
const selection = await site.api('POST', '/api/resource-sets', {
  name: 'old footage',
  index_id: site.index,
  node_ids: nodes,
});
const plan = await site.api('POST', `/api/resource-sets/${selection.data.selection_id}/plan`);
await site.api('POST', '/api/queries', {
  filter: { all: [{ ext: 'log' }, { modified: '>30d' }] },
  save_as: 'old logs',
  index_id: site.index,
});
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
  ['disk-map', `/disk/${site.index}`, 'on disk'],
  ['disk-map-age', `/disk/${site.index}?by=age`, 'on disk'],
  ['disk-types', `/disk/${site.index}?tab=types`, '.mp4'],
  ['disk-again', `/disk/${site.index}?tab=again`, 'npm install'],
  ['disk-plan', `/disk/plans/${plan.data.plan_id}`, 'draft'],
  ['sessions', '/sessions', 'tiles load twice'],
  ['session', `/sessions/${main}?turn=2&step=3`, 'Turn'],
  ['session-agents', `/sessions/${main}?turn=4&step=0&agents=${AGENTS[2].id}`, 'reviewer'],
  ['session-findings', `/sessions/${main}?side=findings&turn=1`, 'of 100'],
  ['sessions-search', '/sessions/search?q=AssertionError', 'matches'],
  ['sessions-compare', `/sessions/compare?a=${main}&b=${other}`, 'They diverge'],
  ['sessions-files', `/sessions/files?path=${tile}`, 'edit'],
  ['sessions-usage', '/sessions/usage', 'Cost per day'],
  ['sessions-time', `/sessions/files?path=${tile}&view=time`, 'Cost of the step'],
  ['sql', '/sql', 'Examples'],
  ['settings', '/settings', 'Keep copies of logs'],
  ['code', '/code?q=how+often+is+a+failed+request+tried+again', 'results'],
  ['code-preview', `/code?q=RETRY&mode=regex&file=${tile}&line=10`, 'matches'],
  ['activity', '/activity', 'By operation'],
];

/** `PINHOLE_SHOTS=home,session` takes only these. */
const only = process.env.PINHOLE_SHOTS?.split(',');
const wanted = ([name]: (typeof SHOTS)[number]) => only === undefined || only.includes(name);

const LOOKS = [
  { theme: 'light', width: 1280, height: 800 },
  { theme: 'dark', width: 1280, height: 800 },
  { theme: 'light', width: 390, height: 780 },
  { theme: 'dark', width: 390, height: 780 },
] as const;

mkdirSync(ALL, { recursive: true });
test.each(LOOKS)('$theme, $width pixels', async ({ theme, width, height }) => {
  const { page, context } = await openPage(browser, site, { theme, width, height });
  for (const [name, path, shows] of SHOTS.filter(wanted)) {
    await page.goto(site.base + path);
    await settled(page, shows);
    // Colours of code, plots and measured rows appear a moment after the text.
    await idle(page);
    const picture = `${name}-${theme}-${width}`;
    await page.screenshot({ path: join(KEPT_NAMES.has(picture) ? KEPT : ALL, `${picture}.png`) });
  }
  await context.close();
});
