import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeSessions } from '../../bench/page/many-sessions.mjs';
import { launchBrowser, openPage, settled } from './browser.ts';
import { openSite } from './site.ts';

/** The sizes that the page promises; `npm run bench -- page` measures it at the same ones. */
const SESSIONS = 2_000;
const LARGE_BYTES = 100_000_000;
const FILES = 300_000;

const site = await openSite({ sessions: 0, evil: false });
const home = dirname(site.project);
/** A folder that was scanned elsewhere. */
/** Not a folder of this machine. */
const archive = '/archive-of-another-machine';
const before = await sessionCount();
const large = writeSessions(join(home, 'claude'), SESSIONS, LARGE_BYTES).slice(0, 8);
await site.background.app.services.sessions.reading.refresh();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);
const visit = (path: string) => page.goto(site.base + path);

async function sessionCount(): Promise<number> {
  return (await site.api('GET', '/api/agent-health')).data.sessions;
}

/** A text of the transcript, once it is loaded. */
const shown = (text: string) => page.locator('.transcript').getByText(text).first();

test('one of 2,000 sessions is found by its title, from every page', async () => {
  expect(await sessionCount()).toBe(before + SESSIONS + 1);
  await visit('/');
  await page.getByRole('combobox').fill('ticket 1137');
  await page
    .getByRole('option', { name: /ticket 1137/ })
    .first()
    .waitFor();
  await visit('/sessions');
  await page.getByText(/^2,00\d sessions/).waitFor();
  await visit('/sessions/search?q=ticket+1137');
  await page.getByRole('region', { name: 'Matches' }).getByText('ticket 1137').first().waitFor();
  expect(problems).toEqual([]);
});

test('the list of 2,000 sessions is read to its end', async () => {
  await visit('/sessions?sort=cost');
  const list = page.getByRole('list', { name: 'Sessions' }).locator('..');
  const last = () => list.locator('[data-index]').last().getAttribute('data-index').then(Number);
  await expect
    .poll(async () => {
      await list.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      return last();
    })
    .toBeGreaterThanOrEqual(SESSIONS);
  await expect.poll(() => list.locator('[data-index]').count()).toBeLessThan(100);
});

test('a session of 100 MB opens at its end and anywhere else, with few elements', async () => {
  const { data } = await site.api('GET', `/api/agent-sessions/${large}`);
  const end = data.stats.total_turns - 1;
  expect(end).toBeGreaterThan(50);
  await visit(`/sessions/${large}?turn=${end}`);
  await shown(`Turn ${end}`).waitFor();
  await expect.poll(() => shown(`Turn ${end}`).isVisible()).toBe(true);
  await visit(`/sessions/${large}?turn=3`);
  await shown('Turn 3').waitFor();
  await page.locator('.transcript .virtual').hover();
  for (let steps = 0; !(await shown('Turn 4').isVisible()); steps++) {
    expect(steps).toBeLessThan(200);
    await page.mouse.wheel(0, 4_000);
    await page.locator('.transcript .step').first().waitFor();
  }
  await page.keyboard.press('f');
  await page.waitForURL(/event=\d+/);
  await page.locator('.transcript .tool.current').waitFor();
  await expect.poll(() => page.locator('.transcript *').count()).toBeLessThan(20_000);
  await visit(`/sessions/${large}?side=findings`);
  await settled(page, 'of 100');
  expect(problems).toEqual([]);
});

test('300,000 files are a picture, a list and a filter', async () => {
  const index = await importTree();
  await visit(`/disk/${index}`);
  await page.getByRole('application', { name: new RegExp(`Map of ${archive}`) }).waitFor();
  await page.getByText('on disk, 300,000 files').waitFor();
  await page.getByLabel('Filter').fill('large.zip');
  await page.getByText('match the filter, 1 file').waitFor();
  await page.getByLabel('Filter').fill('');
  await page.getByText('on disk, 300,000 files').waitFor();
  await page.getByRole('link', { name: 'Largest' }).click();
  await settled(page, 'large.zip');
  await page.getByRole('link', { name: 'Types' }).click();
  await page.getByRole('row', { name: /^\.jpg .* 299,999$/ }).waitFor();
  await page.getByRole('link', { name: 'Map' }).click();
  await page.getByRole('link', { name: 'day-0', exact: true }).click();
  await page.getByRole('application', { name: new RegExp(`Map of ${archive}/day-0`) }).waitFor();
  await page
    .getByRole('navigation', { name: 'Path' })
    .getByRole('link', { name: archive.slice(1) })
    .click();
  await page.getByText('on disk, 300,000 files').waitFor();
  expect(problems).toEqual([]);
});

/** An index of many files, from an export: making as many files would take a minute. */
async function importTree(): Promise<string> {
  const FOLDERS = 300;
  const file = (name: string, bytes: number) => ({ name, asize: bytes, dsize: bytes, mtime: 1_760_000_000 });
  const folders = Array.from({ length: FOLDERS }, (_, folder) => [
    { name: `day-${folder}` },
    ...Array.from({ length: FILES / FOLDERS - (folder === 0 ? 1 : 0) }, (_, i) =>
      file(`part-${i}.jpg`, 4_096),
    ),
    ...(folder === 0 ? [file('large.zip', 40_960_000)] : []),
  ]);
  const path = join(site.project, 'export.json');
  writeFileSync(
    path,
    JSON.stringify([1, 2, { timestamp: 1_760_000_000 }, [{ name: archive, dev: 1 }, ...folders]]),
  );
  return (await site.api('POST', '/api/indexes/import', { file: path })).data.index_id;
}
