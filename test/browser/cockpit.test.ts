import { dirname } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { axeViolations, launchBrowser, openPage, overflow, settled } from './browser.ts';
import { EDITOR, LOOPER, makeRunningAgents, RIVAL } from './running-agents.ts';
import { openSite } from './site.ts';

const site = await openSite({ sessions: 1 });
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);
const row = (title: string) => page.locator('.agent-row').filter({ hasText: title });

test('an empty cockpit says what would be here, and who ran last', async () => {
  await page.goto(`${site.base}/cockpit`);
  await settled(page, 'No agent is running');
  await page.getByText('Start an agent and it appears here').waitFor();
  await page.getByRole('heading', { name: 'Last to run' }).waitFor();
});

test('agents appear by themselves, with context, cost, what they do, and where they get in each other’s way', async () => {
  const agents = makeRunningAgents(dirname(site.project), site.project);
  await page.getByText('agents running').waitFor();
  await expect.poll(() => page.locator('.agent-row:not(.clock-head)').count()).toBe(4);
  await row('legend')
    .getByText(/^\d+%$/)
    .waitFor();
  await row('legend').getByText('of 200k').waitFor();
  await expect.poll(() => row('legend').locator('.agent-cost strong').textContent()).toMatch(/^\$\d/);
  await row('upgrade the tile server').getByText('Bash for').waitFor();
  const trouble = page.locator('.trouble-list li');
  await trouble
    .filter({ hasText: 'src/tile.ts' })
    .getByRole('link', { name: 'add a legend for station types' })
    .waitFor();
  const loop = trouble.filter({ hasText: 'repeats itself' });
  await loop.getByText('npm test -- export').waitFor();
  await expect
    .poll(() => loop.getByRole('link').getAttribute('href'))
    .toContain(`/sessions/${LOOPER.slice(0, 8)}?turn=0`);

  // What happens now is there within moments, in the map and in the list of edits.
  await page.locator('.work-clash').filter({ hasText: 'tile.ts' }).waitFor();
  const clashes = () => page.locator('.work-clash').count();
  const sameFile = () => trouble.filter({ hasText: 'same file' }).count();
  agents.edit('src/fresh.ts');
  const fresh = page.locator('.work-file').filter({ hasText: 'fresh.ts' });
  await page.locator('.work-glow').filter({ hasText: 'fresh.ts' }).waitFor();
  await expect.poll(() => fresh.getAttribute('aria-label')).toContain('edited once');
  agents.rivalEdits('src/fresh.ts');
  await page.locator('.work-clash').filter({ hasText: 'fresh.ts' }).waitFor();
  await expect.poll(async () => (await clashes()) - (await sameFile())).toBe(0);
  const authors = trouble.filter({ hasText: 'fresh.ts' }).locator('.author a');
  const links = () =>
    authors.evaluateAll((found) => found.map((one) => one.getAttribute('href')?.slice(0, 18)));
  // Both edits may be of the same second.
  const sorted = async () => (await links()).toSorted();
  await expect.poll(sorted).toEqual([EDITOR, RIVAL].map((id) => `/sessions/${id.slice(0, 8)}`));
});

test('strips move with the clock', async () => {
  const picture = () =>
    row('legend')
      .locator('canvas')
      .evaluate((canvas) => (canvas as unknown as { toDataURL(): string }).toDataURL());
  const first = await picture();
  await expect.poll(picture).not.toBe(first);
});

test.each([
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 390 },
] as const)('the cockpit is accessible and silent, $theme, $width pixels', async ({ theme, width }) => {
  await page.emulateMedia({ colorScheme: theme });
  await page.setViewportSize({ width, height: 900 });
  await expect.poll(() => axeViolations(page)).toEqual([]);
  expect(Math.max(0, await overflow(page))).toBe(0);
  expect(problems).toEqual([]);
});
