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
const main = MAIN_SESSION.slice(0, 8);

/** Views that are put together from several answers, and the text that tells they are there. */
const VIEWS: readonly (readonly [path: string, shows: string])[] = [
  ['/', 'Connect your agent'],
  ['/activity?who=all', 'All calls'],
  [`/disk/${site.index}`, 'on disk'],
  ['/sessions', 'tiles load twice'],
  [`/sessions/${main}`, 'Turn 0'],
  ['/code?q=how+often+is+a+request+tried+again', 'results'],
];
/** Of the screen, times how far it moves: what is below it nobody sees. */
const UNSEEN = 0.015;

const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

test.each(WIDTHS)('nothing jumps while answers come, at $width pixels', async ({ width, height }) => {
  const { page, context } = await openPage(browser, site, { width, height });
  await page.addInitScript(
    `globalThis.moved = [];
    new PerformanceObserver((list) => moved.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });`,
  );
  // Answers come one after the other, so that each could push what is there already.
  let turn = 0;
  await page.route('**/api/**', async (route) => {
    await page.waitForTimeout(30 * (turn++ % 7));
    await route.continue().catch(() => {});
  });
  const jumps: string[] = [];
  for (const [path, shows] of VIEWS) {
    await page.goto(site.base + path);
    await settled(page, shows);
    await idle(page);
    const sum = await page.evaluate<number>('moved.reduce((sum, { value }) => sum + value, 0)');
    if (sum > UNSEEN) jumps.push(`${path}: ${sum.toFixed(3)}`);
  }
  expect(jumps).toEqual([]);
  await context.close();
});
