import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

import { scriptHeaders } from '../sign-in.ts';
import { axeViolations, launchBrowser, openPage, settled } from './browser.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site, { width: 1440, height: 900 });
const visit = async (path: string) => page.goto(site.base + path);

/** The width of the first bar of a table, of the space it has. */
const firstBar = (label: string) =>
  page
    .getByRole('region', { name: label })
    .locator('.bar-fill')
    .first()
    .evaluate((fill) => Number.parseFloat(fill.getAttribute('style')?.replace(/\D*/, '') ?? ''));

describe('what is not known is not claimed', () => {
  test('while logs are read, the page says how far that is', async () => {
    // The server reports this only while it takes more than a moment, which cannot be relied on here.
    const events = (done: number, total: number) =>
      `event: hello\ndata: {"version":"x","started_at":"2026-03-01T10:00:00Z","start":["pinhole"]}\n\nevent: reading\ndata: ${JSON.stringify({ done, total })}\n\n`;
    // The page connects again whenever an answer ends; reading ends once the line was seen.
    let seen = false;
    await page.route('**/api/live*', (route) =>
      route.fulfill({
        contentType: 'text/event-stream',
        body: seen ? events(0, 0) : events(3_000_000, 12_000_000),
      }),
    );
    await visit('/');
    const line = page.getByText(/^Reading agent logs: 3(?:\.0)? MB of 12(?:\.0)? MB/);
    await line.waitFor();
    await expect.poll(() => axeViolations(page)).toEqual([]);
    seen = true;
    await line.waitFor({ state: 'detached' });
    await page.unroute('**/api/live*');
    problems.length = 0;
  });

  test('a cap is not a count, and a name that is nowhere is said to be nowhere', async () => {
    await visit('/code?q=HttpRequestRetry');
    await settled(page, 'contains HttpRequestRetry');
    const folder = encodeURIComponent(site.project);
    const { pagination, data } = await site.api(
      'GET',
      `/api/code/search?mode=hybrid&query=HttpRequestRetry&limit=200&path=${folder}`,
    );
    const total = pagination.total ?? data.matches.length;
    // The first page has 30; how many follow is not known yet.
    await page.getByText(total > 30 ? /^(30\+|Best 200) results, / : `${total} results, `).waitFor();
    await page.getByRole('button', { name: 'Search as text' }).click();
    await page.getByText('No matching lines in').waitFor();
    await page.getByRole('link', { name: 'Search by meaning instead' }).click();
    await settled(page, 'contains HttpRequestRetry');
    await visit('/code?q=loadTile');
    await settled(page, 'result');
    await expect.poll(() => page.getByText(/^No line in/).count()).toBe(0);
  });

  test('a search in a folder that is being indexed says how much of it was read, and asks again', async () => {
    let asked = 0;
    await page.route('**/api/code/search?mode=hybrid**', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      // The numbers beside the results are a search of their own, without lines.
      const counts = route.request().url().includes('include_snippet=false');
      if (!counts && asked++ === 0) answer.meta.indexing = { files: 1_635, of: 118_583, seconds_left: 90 };
      await route.fulfill({ response, json: answer });
    });
    await visit('/code?q=how+often+is+a+request+tried+again');
    await page.getByText('1,635 of 118,583 files so far, about 2m left').waitFor();
    await page.getByText('files so far').waitFor({ state: 'detached' });
    await page.unroute('**/api/code/search?mode=hybrid**');
    expect(asked).toBe(2);
  });

  test('duplicates say from which size files were compared; smaller ones are a click away', async () => {
    const folder = join(site.project, 'small-copies');
    mkdirSync(folder);
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(folder, name), 'the same few words\n');
    const { data } = await site.api('POST', '/api/indexes', { root: folder });
    let done = await site.api('GET', `/api/jobs/${data.job_id}`);
    while (done.data.status !== 'done') done = await site.api('GET', `/api/jobs/${data.job_id}`);
    await visit(`/disk/${done.data.index_id}?tab=duplicates`);
    await page.getByText('No duplicate files of 4.1 kB or more in this folder.').waitFor();
    await page.getByRole('link', { name: 'Compare smaller files too' }).click();
    await page.getByText('can be freed by keeping one copy').waitFor();
    await page.getByRole('link', { name: 'b.txt' }).waitFor();
  });
});

describe('figures mean what they are called', () => {
  test('a share is a share', async () => {
    await visit(`/disk/${site.index}?tab=types`);
    await settled(page, '.mp4');
    const cell = page.getByRole('region', { name: 'Types' }).locator('tbody td').nth(3);
    const percent = Number.parseFloat((await cell.textContent()) ?? '');
    expect(percent).toBeLessThan(100);
    expect(Math.abs((await firstBar('Types')) - percent)).toBeLessThan(0.51);
    // The list beside the map: the bars of all entries together are the folder.
    await visit(`/disk/${site.index}`);
    const shares = () =>
      page
        .getByRole('region', { name: 'Entries of this folder' })
        .locator('.virtual .bar-fill')
        .evaluateAll((bars) =>
          bars.reduce(
            (sum, bar) => sum + Number.parseFloat(bar.getAttribute('style')?.replace(/\D*/, '') ?? ''),
            0,
          ),
        );
    await expect.poll(shares).toBeGreaterThan(99);
    await expect.poll(shares).toBeLessThan(100.5);
  });

  test('figures of Activity follow the chosen operation', async () => {
    const headers = { ...scriptHeaders(site.background), 'x-pinhole-client': 'curl/8' };
    for (let i = 0; i < 3; i++) await fetch(`${site.base}/api/health`, { headers });
    await fetch(`${site.base}/api/agent-sessions`, { headers });
    await visit('/activity?operation=health');
    const calls = page.locator('.figure', { hasText: 'calls' }).locator('dd');
    await expect.poll(() => calls.textContent()).toBe('3');
    await expect.poll(() => page.locator('table').first().locator('tbody tr').count()).toBe(1);
    await visit('/');
    await page.getByRole('heading', { name: 'Calls by agents and scripts, last 24 hours' }).waitFor();
  });

  test('usage counts whole days', async () => {
    const asked = page.waitForRequest((request) => request.url().includes('/api/usage'));
    await visit('/sessions/usage');
    expect(new URL((await asked).url()).searchParams.get('since')).toMatch(/^\d{4}-\d\d-\d\d$/);
    await settled(page, 'By model');
  });
});

test('nothing went wrong in the page', () => expect(problems).toEqual([]));
