import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeSessions } from '../../bench/page/many-sessions.mjs';
import { launchBrowser, openPage, settled } from './browser.ts';
import { openSite } from './site.ts';

/** Small enough for every run; `npm run bench -- page` has 2,000 sessions, 100 MB and 300,000 files. */
const SESSIONS = 250;
const LARGE_BYTES = 6_000_000;
const FILES = 6_000;

const site = await openSite({ sessions: 0, evil: false });
const home = dirname(site.project);
const large = writeSessions(join(home, 'claude'), SESSIONS, LARGE_BYTES).slice(0, 8);
await site.background.app.services.sessions.reading.refresh();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);
const visit = (path: string) => page.goto(site.base + path);

test('one of many sessions is found by its title, from every page', async () => {
  await visit('/');
  await page.getByRole('combobox').fill('ticket 137');
  await page
    .getByRole('option', { name: /ticket 137/ })
    .first()
    .waitFor();
  await visit('/sessions');
  await page.getByText(/^2\d\d sessions/).waitFor();
  await visit('/sessions/search?q=ticket+137');
  await page.getByRole('region', { name: 'Matches' }).getByText('ticket 137').first().waitFor();
  expect(problems).toEqual([]);
});

test('a large session opens at its end and anywhere else, with few elements', async () => {
  await visit(`/sessions/${large}?turn=3`);
  await page.locator('.transcript').getByText('Turn 3').first().waitFor();
  await page.keyboard.press('f');
  await page.waitForURL(/event=\d+/);
  await page.locator('.transcript .tool.current').waitFor();
  await expect.poll(() => page.locator('.transcript *').count()).toBeLessThan(20_000);
  await visit(`/sessions/${large}?side=findings`);
  await settled(page, 'of 100');
  expect(problems).toEqual([]);
});

test('a folder of thousands of small files is a picture in the colour of its files', async () => {
  const folder = join(home, 'many');
  mkdirSync(folder);
  for (let i = 0; i < FILES; i++) writeFileSync(join(folder, `part-${i}.jpg`), 'x');
  writeFileSync(join(folder, 'large.zip'), Buffer.alloc(40_000_000, 1));
  await site.api('POST', '/api/allowed', { path: folder });
  await visit(`/disk?path=${encodeURIComponent(folder)}&scan=true`);
  await page.getByRole('application', { name: new RegExp(`Map of ${folder}`) }).waitFor();
  await page.getByText('large.zip').first().waitFor();
  await page.getByRole('link', { name: 'Largest' }).click();
  await settled(page, 'part-');
  expect(problems).toEqual([]);
});
