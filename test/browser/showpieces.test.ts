import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { localDay } from '../../src/contract/zone.ts';
import { idle, launchBrowser, openPage, settled } from './browser.ts';
import { MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const opened = await openPage(browser, site);
const { page } = opened;
const visit = (path: string) => page.goto(site.base + path);
const query = () => Object.fromEntries(new URL(page.url()).searchParams);
afterEach(() => {
  expect(opened.problems).toEqual([]);
});

test('the time machine of a file shows what asked for each edit', async () => {
  const path = join(site.project, 'src', 'tile.ts');
  const { touches } = (
    await site.api('GET', `/api/files/history?path=${encodeURIComponent(path)}&order=oldest&limit=50`)
  ).data;
  const edits = touches.filter((touch: { status?: string; diff?: string }) => touch.diff && !touch.status);
  expect(edits.length).toBeGreaterThan(1);
  await visit('/sessions/files');
  await page
    .getByRole('link', { name: /tile\.ts/ })
    .first()
    .click();
  await page.getByText(`Edit ${edits.length} of ${edits.length}`).waitFor();
  await page.getByRole('slider').fill('0');
  await page.getByText(`Edit 1 of ${edits.length}`).waitFor();
  await expect.poll(() => query()).toMatchObject({ view: 'time', stop: '0' });
  await page.locator('.behind').getByText('Cost of the step').waitFor();
  const link = page.getByRole('link', { name: 'Open the session' });
  await expect.poll(() => link.getAttribute('href')).toContain(`${edits[0].session_id}?`);
  await expect.poll(() => link.getAttribute('href')).toContain(`event=${edits[0].event_index}`);
});

test('a statement gives a table whose sessions are links', async () => {
  await visit('/sql');
  await page.getByRole('link', { name: 'sessions', exact: true }).waitFor();
  await page.getByRole('link', { name: 'The most expensive sessions' }).click();
  await settled(page, 'rows');
  const first = page.locator('.sql-table tbody a').first();
  await expect.poll(() => first.getAttribute('href')).toMatch(/^\/sessions\/[0-9a-f]{8}/);
  await page.getByLabel('SQL statement').fill('SELECT 1 + 1 AS two');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('columnheader', { name: 'two' }).waitFor();
  await expect.poll(() => page.locator('.sql-table tbody').textContent()).toBe('2');
});

test('a session is compared with one that is picked by its title', async () => {
  await visit(`/sessions/${MAIN_SESSION}`);
  await page.getByRole('link', { name: 'Compare…' }).click();
  await page.getByLabel('Find a session').fill('legend');
  await page
    .getByRole('link', { name: /legend/ })
    .first()
    .click();
  await page.getByText('They diverge at').waitFor();
  // By their titles, not by their ids.
  await page.getByRole('columnheader', { name: /legend/ }).waitFor();
  await expect.poll(() => page.title()).toMatch(/ and .*legend/);
  await page.getByRole('cell', { name: /^≈ \$/ }).first().waitFor();
  // The calls of both, side by side; each leads to its place.
  await page.getByText(/\d+ the same, \d+ different/).waitFor();
  const one = page.locator('.aligned-call').first();
  await expect.poll(() => one.getAttribute('href')).toMatch(/^\/sessions\/\w{8}\?turn=\d+&event=\d+$/);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Fold identical calls' }).waitFor();
});

test('a session has a brief, whole or since the last compaction', async () => {
  await visit(`/sessions/${MAIN_SESSION}?side=brief`);
  const side = page.getByRole('region', { name: 'Turns and findings' });
  await side.getByRole('heading', { name: 'Task' }).waitFor();
  await side.getByText('tiles load twice').first().waitFor();
  await side.getByRole('link', { name: 'npm test' }).first().click();
  await page.locator('.transcript .tool.current').waitFor();
  await side.getByRole('button', { name: 'Since compaction' }).click();
  await side.getByRole('heading', { name: 'Last runs' }).waitFor();
  await expect.poll(() => query()).toMatchObject({ side: 'brief', brief: 'recall' });
});

test('a failed call says how the same failure was fixed before', async () => {
  await visit(`/sessions/${MAIN_SESSION}?show=failures`);
  await page.getByRole('button', { name: 'How was this fixed before?' }).first().click();
  const fixed = page.getByRole('region', { name: 'How this was fixed before' });
  await fixed.getByText(/error/).first().waitFor();
  await expect
    .poll(() => fixed.getByRole('link', { name: 'passed' }).first().getAttribute('href'))
    .toMatch(/^\/sessions\/\w{8}\?event=\d+$/);
});

test('settings: folders are allowed and taken back, sizes change their units', async () => {
  await visit('/settings');
  await page.getByLabel('Folder to allow').fill(join(site.project, 'src'));
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  const row = page.locator('.settings-rows li').filter({ hasText: 'atlas/src' });
  await row.getByRole('button', { name: 'Remove…' }).click();
  await row.getByRole('button', { name: 'Remove', exact: true }).click();
  await row.waitFor({ state: 'detached' });
  const { folders } = (await site.api('GET', '/api/allowed')).data;
  expect(folders).toEqual([site.project]);
  await page.getByRole('button', { name: /^MiB/ }).click();
  await page.getByText(/ MiB$/).first().waitFor();
  await page.getByRole('checkbox', { name: /Keep copies of logs/ }).check();
  await expect.poll(async () => (await site.api('POST', '/api/agent-archive', {})).data.on).toBe(true);
});

test('settings: a price that is set changes costs on the page, and goes back', async () => {
  const cost = async () => {
    await visit(`/sessions/${MAIN_SESSION}`);
    return page.locator('.session-head').getByText(/\$/).first().textContent();
  };
  const listed = await cost();
  await visit('/settings');
  await page
    .getByRole('button', { name: /^Change the price of/ })
    .first()
    .click();
  const model = await page.getByLabel('Model').inputValue();
  for (const rate of ['Input', 'Cached', 'Cache write', 'Output'])
    await page.getByLabel(rate, { exact: true }).fill('1000');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('yours').waitFor();
  await expect.poll(cost).not.toBe(listed);
  await visit('/settings');
  await page.getByRole('button', { name: `List price of ${model}` }).click();
  await page.getByText('yours').waitFor({ state: 'detached' });
  await expect.poll(cost).toBe(listed);
});

test('settings: times and days are those of the chosen zone, which is kept', async () => {
  const zone = 'Pacific/Kiritimati';
  await visit('/settings');
  await page.getByLabel('Time zone').selectOption(zone);
  const asked = page.waitForRequest(/\/api\/usage\?.*by=day/);
  await visit('/sessions/usage');
  expect((await asked).headers()['x-pinhole-zone']).toBe(zone);
  const today = localDay(Date.now(), zone);
  await expect.poll(() => page.getByLabel('Last day').inputValue()).toBe(today);
  await visit('/settings');
  await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe(zone);
  await page.getByLabel('Time zone').selectOption({ index: 0 });
});

test('on a phone a tapped turn opens', async () => {
  // A session that runs opens at its end, and goes on there only until a turn is chosen.
  await visit(`/sessions/${MAIN_SESSION}`);
  await page.locator('.transcript .step').first().waitFor();
  await page.setViewportSize({ width: 390, height: 780 });
  await visit(`/sessions/${MAIN_SESSION}`);
  await page.locator('.turn-link').nth(2).click();
  await page.waitForURL(/turn=2/);
  const head = page.locator('.transcript .turn-head').filter({ hasText: 'Turn 2' });
  await expect.poll(async () => (await head.boundingBox())?.y ?? 2_000).toBeLessThan(780);
});

test('on a phone a chosen turn stays in view when what is above it arrives late', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const analysis = /\/analysis/;
  await page.route(analysis, async (route) => {
    await held;
    await route.continue();
  });
  const height = 1_100;
  await page.setViewportSize({ width: 390, height });
  await visit(`/sessions/${MAIN_SESSION}?side=findings&turn=5`);
  const head = page.locator('.transcript .turn-head').filter({ hasText: 'Turn 5' });
  const bottom = async () => {
    const box = await head.boundingBox();
    return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
  };
  await expect.poll(bottom).toBeLessThan(height);
  release();
  await settled(page, 'of 100');
  await expect.poll(bottom).toBeLessThan(height);
  await page.unroute(analysis);
});

/** Longer than any redraw that a scroll sets off. */
const LATE_MS = 500;

test('a chosen turn stays where it is when the steps above it arrive late', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const steps = /\/turns\/\d+\/steps/;
  await page.route(steps, async (route) => {
    await held;
    await route.continue();
  });
  const turns = await site.api('GET', `/api/agent-sessions/${MAIN_SESSION}/turns`);
  const last = turns.data.turns.length - 1;
  await visit(`/sessions/${MAIN_SESSION}`);
  await page.locator('.turn-link').nth(last).click();
  const head = page.locator('.transcript .turn-head').filter({ hasText: `Turn ${last}` });
  await head.waitFor();
  // Late: long after the page has scrolled to the turn.
  await page.waitForTimeout(LATE_MS);
  release();
  await page.locator('.transcript .tool').first().waitFor();
  await idle(page);
  const box = page.locator('.transcript .virtual');
  const below = async () => ((await head.boundingBox())?.y ?? 0) - ((await box.boundingBox())?.y ?? 0);
  await expect.poll(below).toBeLessThan(20);
  await page.unroute(steps);
});
