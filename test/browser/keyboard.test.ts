import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser, openPage, settled } from './browser.ts';
import { MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);
const main = MAIN_SESSION.slice(0, 8);

/** What has the focus: its id, or its tag. */
const focused = (of: Page) =>
  of.evaluate<string>("document.activeElement?.id || document.activeElement?.tagName || 'nothing'");

test('the first stop of the Tab key leads past the frame', async () => {
  await page.goto(`${site.base}/sessions`);
  await settled(page, 'tiles load twice');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('content');
  await expect.poll(() => page.url()).toBe(`${site.base}/sessions`);
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
});

test('j and k move between the sessions of the list', async () => {
  await page.goto(`${site.base}/sessions`);
  await settled(page, 'tiles load twice');
  const links = page.locator('.session-table .session-title a');
  for (const [key, at] of [
    ['j', 0],
    ['j', 1],
    ['k', 0],
  ] as const) {
    await page.keyboard.press(key);
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("href")'))
      .toBe(await links.nth(at).getAttribute('href'));
  }
});

test('the focus is never lost on the way: it goes on from the content, and where one is gets announced', async () => {
  await page.goto(`${site.base}/sessions`);
  await settled(page, 'tiles load twice');
  const row = page.getByRole('list', { name: 'Sessions' }).getByRole('link').first();
  await row.focus();
  await page.keyboard.press('Enter');
  await settled(page, 'Turn 0');
  await expect.poll(() => focused(page)).toBe('content');
  await page.getByRole('status').filter({ hasText: 'Sessions · Pinhole' }).waitFor({ state: 'attached' });
  await page.goBack();
  await settled(page, 'tiles load twice');
  await expect.poll(() => focused(page)).toBe('content');
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await settled(page, 'Indexed folders');
  await expect.poll(() => focused(page)).toBe('content');
  // A focus in the frame stays there.
  await page.getByRole('link', { name: 'Code' }).focus();
  await page.keyboard.press('Enter');
  await settled(page, 'What are you looking for');
  // Where one comes to type, the cursor is in the field.
  await page.waitForFunction("document.activeElement.getAttribute('aria-label') === 'Search in code'");
});

test('a field keeps what is typed while its results come', async () => {
  await page.goto(`${site.base}/disk/${site.index}`);
  const field = page.getByLabel('Filter');
  await field.pressSequentially('ext:mp4 ');
  await page.waitForURL(/f=ext%3Amp4$/);
  await page.getByText('match the filter').waitFor();
  await field.pressSequentially('take-0');
  await page.waitForURL(/f=ext%3Amp4\+take-0$/);
  await expect.poll(() => field.inputValue()).toBe('ext:mp4 take-0');
  // What changes the address elsewhere changes the field.
  await page.goBack();
  await page.goForward();
  await expect.poll(() => field.inputValue()).toBe('ext:mp4 take-0');
});

test('the arrow keys move the focus to rows that are not drawn yet', async () => {
  await page.goto(`${site.base}/disk/${site.index}?tab=largest`);
  const row = (index: number) => page.locator(`[data-index="${index}"] a`);
  await row(0).focus();
  for (let presses = 0; presses < 60; presses++) await page.keyboard.press('ArrowDown');
  const at = () =>
    page.evaluate<string>("document.activeElement.closest('[data-index]')?.dataset.index ?? ''");
  await expect.poll(at).toBe('60');
  await page.keyboard.press('Home');
  await expect.poll(at).toBe('0');
});

test('addresses that are mistyped still show a view', async () => {
  for (const [path, shows] of [
    ['/sessions/%E0%A4%A', 'All sessions'],
    ['/disk/%zz', 'All indexes'],
  ] as const) {
    await page.goto(site.base + path);
    await page.getByText(shows).waitFor();
    await expect.poll(() => page.getByText('Something went wrong in this view').count()).toBe(0);
  }
  // The browser tells of refused calls; they are the point here.
  problems.length = 0;
});

test('a step that is not there leads to its turn', async () => {
  await page.goto(`${site.base}/sessions/${main}?turn=3&step=999`);
  await settled(page, 'Turn 3');
  const list = page.locator('.transcript .virtual');
  const head = list.locator('.turn-head', { hasText: 'Turn 3' });
  const distance = async () =>
    ((await head.boundingBox())?.y ?? Number.POSITIVE_INFINITY) - ((await list.boundingBox())?.y ?? 0);
  await expect.poll(distance).toBeLessThan(60);
  expect(problems).toEqual([]);
});

test('code by keys alone: from the field to the hits, into a file and back', async () => {
  await page.goto(`${site.base}/code?q=retry&mode=regex`);
  await settled(page, 'matches');
  await page.getByLabel('Search in code').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('hit-row');
  await page.keyboard.press('Enter');
  const file = page.getByRole('region', { name: 'File', exact: true });
  await file.locator('.source-line.on').waitFor();
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('line')).toBe(await file.locator('.source-line.on').getAttribute('data-line'));
  await file.getByRole('region', { name: 'File content' }).focus();
  await page.keyboard.press('Escape');
  await file.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.className')).toContain('hit-row');
  expect(problems).toEqual([]);
});

test('tab and breadcrumb name what is looked at', async () => {
  for (const [path, shows, title] of [
    ['/sessions/usage', 'By model', 'Usage · Sessions · Pinhole'],
    ['/sessions/search?q=retry', 'matches', 'Search retry · Sessions · Pinhole'],
    ['/activity/j1', 'Disk scan', 'Job j1 · Activity · Pinhole'],
  ] as const) {
    await page.goto(site.base + path);
    await settled(page, shows);
    await expect.poll(() => page.title()).toBe(title);
    const [name, view] = title.split(' · ');
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' });
    await expect.poll(() => trail.textContent()).toBe(`${view}/${name}`);
    await trail.getByRole('link').click();
    await expect.poll(() => page.url()).toBe(`${site.base}/${path.split('/')[1]}`);
  }
});
