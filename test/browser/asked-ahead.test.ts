import { afterAll, expect, test } from 'vitest';
import { idle, launchBrowser, openPage, settled } from './browser.ts';
import { MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);

/** A question about the session itself; its subagents have strips of their own. */
const ofMain = (what: string) => new RegExp(`${MAIN_SESSION}/${what}`);

/** What each view asks first, and a text that it shows then. */
const VIEWS: readonly (readonly [path: string, shows: string, asks: readonly RegExp[]])[] = [
  ['/', 'Connect your agent', [/\/stats\?days=365/, /\/agent-sessions\?since=1d/, /\/usage\?by=day/]],
  [`/disk/${site.index}?tab=types`, '.ts', [/\/api\/indexes\/i\d+$/, /\/reports\/extensions/]],
  [`/disk/${site.index}?tab=largest`, 'Oldest', [/\/reports\/largest/]],
  ['/activity?who=all', 'By operation', [/\/stats\?days=1$/, /\/audit\?limit=500$/]],
  ['/settings', 'Keep copies of logs', [/\/api\/agent-health/, /\/api\/allowed$/, /\/api\/indexes$/]],
  ['/sessions', ' sessions', [/\/agent-sessions\?/, /\/usage\?by=day/]],
  ['/sessions/search?q=tile', 'matches', [/\/agent-events\?.*event_type=user/]],
  ['/sessions/usage', 'By model', [/\/usage\?.*by=day/, /\/usage\?.*by=model/]],
  ['/sessions/files', 'Files that sessions changed most', [/\/files\/history/]],
  [
    `/sessions/${MAIN_SESSION}?side=brief`,
    'Last runs',
    [/\/brief$/, ofMain('timeline$'), ofMain('turns/0/steps')],
  ],
];

test.each(VIEWS)('%s asks for its first answers once', async (path, shows, asks) => {
  const asked: string[] = [];
  const note = (request: { url(): string }) => void asked.push(request.url());
  page.on('request', note);
  await page.goto(site.base + path);
  await settled(page, shows);
  await idle(page);
  page.off('request', note);
  for (const one of asks) expect([one, asked.filter((url) => one.test(url)).length]).toEqual([one, 1]);
});

test('the tab of an index is asked for before its folder is known', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/indexes\/i\d+$/, async (route) => {
    await held;
    await route.continue();
  });
  const report = page.waitForRequest(/\/reports\/extensions/);
  await page.goto(`${site.base}/disk/${site.index}?tab=types`);
  await report;
  release();
  await settled(page, '.ts');
  await page.unroute(/\/api\/indexes\/i\d+$/);
  expect(problems).toEqual([]);
});

test('a stream that tells where a session stands before its first answer is there changes nothing', async () => {
  const other = await openPage(browser, site);
  await other.page.addInitScript(`
    const Stream = window.EventSource;
    window.EventSource = class extends Stream {
      constructor(url) {
        super(url);
        this.addEventListener('session', () => document.documentElement.setAttribute('data-heard', ''));
      }
    };
  `);
  const asked: string[] = [];
  other.page.on('request', (request) => void asked.push(request.url()));
  await other.page.route(new RegExp(`/agent-sessions/${MAIN_SESSION}$`), async (route) => {
    await other.page.waitForSelector('html[data-heard]', { state: 'attached' });
    await route.continue();
  });
  await other.page.goto(`${site.base}/sessions/${MAIN_SESSION}?side=brief`);
  await settled(other.page, 'Last runs');
  await idle(other.page);
  expect(asked.filter((url) => ofMain('timeline$').test(url))).toHaveLength(1);
  expect(other.problems).toEqual([]);
});
