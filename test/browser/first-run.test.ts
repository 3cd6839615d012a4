import { afterAll, expect, test } from 'vitest';
import { axeViolations, launchBrowser, openPage, settled } from './browser.ts';
import { openSite } from './site.ts';

const site = await openSite({ filled: false });
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);

/** What each view says when there is nothing yet, and how the command or the label of the button it gives ends. */
const EMPTY: readonly (readonly [path: string, says: string, command: string])[] = [
  ['/', 'No folder is indexed yet', 'Map your home folder'],
  ['/cockpit', 'No agent is running', ''],
  ['/disk', 'No folder is indexed yet', 'Map your home folder'],
  ['/sessions', 'No agent logs found', ' doctor'],
  ['/sessions/usage', 'No agent logs found', ' doctor'],
  ['/code', 'No folder is allowed yet', 'Allow a folder'],
];

test.each(EMPTY)('%s says what to do first', async (path, says, command) => {
  problems.length = 0;
  await page.goto(site.base + path);
  await settled(page, says);
  if (command !== '')
    await page
      .getByText(new RegExp(`${command}$`))
      .first()
      .waitFor();
  await expect.poll(() => axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('the folders that were looked at are named', async () => {
  await page.goto(`${site.base}/sessions`);
  await page
    .getByText(/none\/projects/)
    .first()
    .waitFor();
});

test('on a phone the tabs stay above a long list of folders', async () => {
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(`${site.base}/sessions`);
  await settled(page, 'No agent logs found');
  const tab = page.getByRole('navigation', { name: 'Sessions' }).getByRole('link', { name: 'Usage' });
  const tabs = page.locator('.tabs').first();
  await expect.poll(async () => (await tabs.boundingBox())?.height).toBeGreaterThan(30);
  await tab.click();
  await page.waitForURL(/usage/);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('only our own views and files are served', async () => {
  const headers = { cookie: await site.cookie() };
  const status = async (path: string) => (await fetch(site.base + path, { headers })).status;
  expect(await status('/sessions/anything/below')).toBe(200);
  expect(await status('/nowhere-to-be-found')).toBe(404);
  expect(await status('/api/nothing')).toBe(404);
  expect(await status('/assets/nothing.js')).toBe(404);
  expect(await status('/.stamp')).toBe(404);
  expect(await status('/.views.json')).toBe(404);
  expect(await status('/disk/%2e%2e/%2e%2e/etc/passwd')).not.toBe(500);
});

test('files are kept by the browser, the frame is checked each time', async () => {
  const frame = await fetch(site.base);
  expect(frame.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(frame.headers.get('cache-control')).toBe('no-cache');
  const again = await fetch(site.base, { headers: { 'if-none-match': frame.headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
  const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await frame.text()) ?? [];
  const asset = await fetch(`${site.base}${script}`);
  expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test('colours for code come from a thread; what is no order is refused', async () => {
  const { data } = await site.api('POST', '/api/highlight', { language: 'typescript', code: 'const a = 1;' });
  expect(data.lines).toEqual([
    [
      ['const', 2],
      [' a ', 0],
      ['= ', 8],
      ['1', 4],
      [';', 8],
    ],
  ]);
  expect((await site.api('POST', '/api/highlight', { language: 'klingon', code: 'x' })).data).toEqual({});
  await expect(site.api('POST', '/api/highlight', { language: 1 })).rejects.toThrow('The body must be');
});
