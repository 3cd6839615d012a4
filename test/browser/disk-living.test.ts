import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sizeText } from '../../src/contract/format.ts';
import { launchBrowser, openPage, settled } from './browser.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);
const base = `/api/indexes/${site.index}`;
const entries: { name: string; node_id: string; disk_size: number }[] = (
  await site.api('GET', `${base}/tree?limit=50`)
).data.entries;
const named = (name: string) => {
  const entry = entries.find((one) => one.name === name);
  if (entry === undefined) throw new Error(`no ${name}`);
  return entry;
};
const media = named('media');
const src = named('src');

test('a selection says what it takes, each byte once', async () => {
  const [inside] = (await site.api('GET', `${base}/tree?parent=${media.node_id}&limit=1`)).data.entries;
  const sel = `${media.node_id},${src.node_id},${inside.node_id}`;
  await page.goto(`${site.base}/disk/${site.index}?sel=${sel}`);
  await page.getByText(`3 selected, ${sizeText(media.disk_size + src.disk_size)}`).waitFor();
  await page.getByLabel('Select media').uncheck();
  await page.getByText(`2 selected, ${sizeText(src.disk_size + inside.disk_size)}`).waitFor();
  expect(problems).toEqual([]);
});

test('out of a folder by Escape or the path: the map stays, and so do filter, colours and selection', async () => {
  const rest = `f=%3E1B&by=age&sel=${src.node_id}`;
  await page.goto(`${site.base}/disk/${site.index}/${media.node_id}?${rest}`);
  const map = page.getByRole('application');
  await map.waitFor();
  await map.evaluate((element) => element.setAttribute('data-same', 'yes'));
  await map.focus();
  await page.keyboard.press('Escape');
  await page.getByRole('application', { name: new RegExp(`Map of ${site.project}\\.`) }).waitFor();
  await expect.poll(() => map.getAttribute('data-same')).toBe('yes');
  const { search, pathname } = new URL(page.url());
  expect(pathname).toMatch(new RegExp(`^/disk/${site.index}/`));
  expect(Object.fromEntries(new URLSearchParams(search))).toEqual({ f: '>1B', by: 'age', sel: src.node_id });
  await page.goBack();
  await page.getByRole('application', { name: /\/media\./ }).waitFor();
  await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'atlas' }).click();
  await page.getByRole('application', { name: new RegExp(`Map of ${site.project}\\.`) }).waitFor();
  await expect.poll(() => map.getAttribute('data-same')).toBe('yes');
  expect(problems).toEqual([]);
});

test('an index that is scanned again while it is looked at shows what is new', async () => {
  await page.goto(`${site.base}/disk/${site.index}`);
  await settled(page, 'media');
  const file = join(site.project, 'came-just-now.bin');
  writeFileSync(file, Buffer.alloc(3_000_000, 1));
  const started = await site.api('POST', '/api/indexes', { root: site.project });
  await page.getByRole('link', { name: 'came-just-now.bin' }).waitFor();
  // The folders show which job is which.
  await page.goto(`${site.base}/activity/${started.data.job_id}`);
  await page.getByRole('heading', { name: 'Disk scan' }).waitFor();
  await expect.poll(() => page.getByText('Disk scan').count()).toBe(1);
  await page.getByText(site.project, { exact: true }).waitFor();
  rmSync(file);
  expect(problems).toEqual([]);
});

test('growth is plotted, also in a browser whose language has no valid name', async () => {
  const { page: odd, context, problems: oddProblems } = await openPage(browser, site);
  // Chromium in the locale C.
  await odd.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true })",
  );
  const file = join(site.project, 'src', 'grown.bin');
  writeFileSync(file, Buffer.alloc(5_000_000, 1));
  const scanned = async () => (await site.api('GET', base)).data.scanned_at;
  const before = await scanned();
  await site.api('POST', '/api/indexes', { root: site.project });
  await expect.poll(scanned).not.toBe(before);
  await odd.goto(`${site.base}/disk/${site.index}?tab=growth`);
  await odd.getByRole('img', { name: /^Size of .* over its scans$/ }).waitFor();
  await odd.locator('.plot canvas').waitFor();
  await odd.getByText(/^\+\d/).first().waitFor();
  expect(oddProblems).toEqual([]);
  await context.close();
  rmSync(file);
});

test('a stream that went silent, as after a sleep, begins again and what was missed is asked for', async () => {
  const { page: other, context } = await openPage(browser, site);
  await other.clock.install();
  const streams: string[] = [];
  other.on('request', (request) => {
    if (request.url().includes('/api/live')) streams.push(request.url());
  });
  await other.goto(site.base);
  await settled(other, 'Connect your agent');
  await expect.poll(() => streams.length).toBe(1);
  // Projects are asked for once, unless everything is.
  const asked = other.waitForRequest((request) => request.url().includes('/api/projects'));
  await other.clock.fastForward(60_000);
  await asked;
  await expect.poll(() => streams.length).toBe(2);
  await context.close();
});
