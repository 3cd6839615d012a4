import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { scriptHeaders } from '../sign-in.ts';
import { axeViolations, launchBrowser, openPage, overflow, settled } from './browser.ts';
import { openSite } from './site.ts';

const site = await openSite({ sessions: 4 });
const ID = 'cccccccc-0000-4000-8000-000000000009';
const log = claude({ id: ID, cwd: site.project, extra: { timestamp: new Date().toISOString() } });
writeLog(
  join(process.env.CLAUDE_CONFIG_DIR ?? '', 'projects', site.project.replaceAll('/', '-'), `${ID}.jsonl`),
  lines([log.prompt('look at loadTile again'), log.answer('p1', text('Looking.'))]),
);
await site.background.app.services.sessions.reading.refresh();
// Only folders with a semantic index are searched while one types.
await site.api('GET', `/api/code/search?mode=hybrid&query=tile&path=${encodeURIComponent(site.project)}`);
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site, { width: 1440, height: 900 });
const group = (name: string) => page.getByRole('listbox').getByRole('group', { name });

describe('search everything', () => {
  test('finds code, sessions, files and projects as one types', async () => {
    await page.goto(site.base);
    await settled(page, 'Connect your agent');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('loadTile');
    await group('Sessions').getByRole('option', { name: 'look at loadTile again' }).waitFor();
    await group('Code')
      .getByRole('option', { name: /tile\.ts/ })
      .first()
      .waitFor();
    await expect.poll(() => axeViolations(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('atlas');
    await group('Projects').getByRole('option', { name: site.project }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('tile.ts');
    await group('Files and folders')
      .getByRole('option', { name: /src\/tile\.ts/ })
      .first()
      .waitFor();
  });

  test('Enter opens the best', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('loadTile');
    await group('Code')
      .getByRole('option', { name: /loadTile/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/code\?q=loadTile.*file=.*tile\.ts/);
    await page.locator('.source-line.on').waitFor();
  });

  test('knows actions', async () => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('light and dark');
    const before = await page.locator('html').getAttribute('data-theme');
    await group('Actions').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).not.toBe(before);
    await page.keyboard.press('t');
  });
});

describe('home', () => {
  test('says what it is, what runs and what it costs; connecting comes first until an agent called', async () => {
    await page.goto(site.base);
    await page.getByText('nothing leaves this machine').waitFor();
    const running = page.locator('.panel', { hasText: 'Running now' });
    await running.getByRole('link', { name: 'look at loadTile again' }).waitFor();
    await page
      .getByRole('link', { name: 'Usage and cost' })
      .getByText(/^\D*\$[\d,.]+$/)
      .first()
      .waitFor();
    const top = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.y ?? 0;
    // What is above may still move both.
    const below = async () => (await top('Connect your agent')) - (await top('Running now'));
    await expect.poll(below).toBeLessThan(0);
    await fetch(`${site.base}/api/health`, { headers: scriptHeaders(site.background) });
    await expect
      .poll(async () => (await site.api('GET', '/api/stats?who=agents')).data.calls)
      .toBeGreaterThan(0);
    await page.goto(site.base);
    await page.getByRole('heading', { name: 'Running now' }).waitFor();
    await settled(page, 'Connect your agent');
    await expect.poll(below).toBeGreaterThan(0);
    await expect.poll(() => axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  });
});

test('nothing went wrong in the page', () => expect(problems).toEqual([]));
