import { gzipSync } from 'node:zlib';
import { LIMITS, milliseconds, note, report } from './report.mjs';

/** Waits until no view is loading any more. */
async function settled(page) {
  await page.locator('.skeleton, .skeleton-box').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(300);
}

/** What a browser fetches before Home is complete, and what each view adds. */
export async function firstLoad(browser, base) {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const weights = new Map();
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/')) return;
    const body = await response.body().catch(() => Buffer.alloc(0));
    weights.set(pathname, gzipSync(body).length);
  });
  await page.goto(base);
  await page.getByText('Connect your agent').waitFor();
  await settled(page);
  const first = [...weights.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
  const paint = await page.evaluate(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0",
  );
  report(
    `first load, ${weights.size} files, gzip`,
    `${first.toFixed(1)} kB`,
    first,
    LIMITS.firstLoadKb,
    'kB',
  );
  note('first contentful paint', milliseconds(paint));
  for (const view of ['cockpit', 'disk', 'sessions', 'code', 'activity', 'sql', 'settings']) {
    const before = [...weights.values()].reduce((sum, bytes) => sum + bytes, 0);
    await page.goto(`${base}/${view}`);
    await settled(page);
    const more = ([...weights.values()].reduce((sum, bytes) => sum + bytes, 0) - before) / 1000;
    report(`  and for /${view}`, `${more.toFixed(1)} kB`, more, LIMITS.viewKb, 'kB');
  }
  await context.close();
}
