import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { call, claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { axeViolations, launchBrowser, openPage, overflow, settled } from './browser.ts';
import { openSite } from './site.ts';

const site = await openSite({ sessions: 6 });
const folder = join(process.env.CLAUDE_CONFIG_DIR ?? '', 'projects', site.project.replaceAll('/', '-'));
const DAY = 86_400_000;
/** A session of some days ago; its tools print a word, and its prompt may be about it. */
function session(n: number, daysAgo: number, prompt: string, printed: string): void {
  const id = `${String(n).padStart(8, '0')}-0000-4000-8000-0000000000cc`;
  const timestamp = new Date(Date.now() - daysAgo * DAY - 60_000).toISOString();
  const log = claude({ id, cwd: site.project, extra: { timestamp } });
  writeLog(
    join(folder, `${id}.jsonl`),
    lines([
      log.prompt(prompt),
      log.answer(`f${n}`, call(`c${n}`, 'Bash', { command: 'cat log' }), { input: 1000, output: 100 * n }),
      log.result(`c${n}`, printed.repeat(30)),
      log.answer(`g${n}`, text('Done.')),
    ]),
  );
}
for (let n = 1; n <= 120; n++) session(n, Math.floor(n / 4), `routine work ${n}`, 'uses goreleaser\n');
session(500, 40, 'set up goreleaser pro for us', 'ok\n');
session(501, 0, 'just now', 'ok\n');
await site.background.app.services.sessions.reading.refresh();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site, { width: 1440, height: 900 });
const rows = page.locator('.session-row:not(.session-row-head)');

describe('the list', () => {
  test('is a table: counted, grouped by date, with cost, model and what runs now', async () => {
    await page.goto(`${site.base}/sessions`);
    await settled(page, 'routine work 1');
    const { pagination } = await site.api('GET', '/api/agent-sessions?limit=1');
    await page.getByText(`${pagination.total} sessions`, { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Today' }).waitFor();
    await page.getByRole('img', { name: 'running' }).first().waitFor();
    await expect.poll(() => rows.first().textContent()).toMatch(/\$\d/);
    await expect.poll(() => axeViolations(page)).toEqual([]);
  });

  test('is sorted by its heads', async () => {
    await page.getByRole('button', { name: '≈ cost' }).click();
    await page.waitForURL(/sort=cost/);
    await expect.poll(() => page.getByRole('heading', { name: 'Today' }).count()).toBe(0);
    const isSorted = async () => {
      const costs = await rows.evaluateAll((all) =>
        all.map((row) => Number(/\$([\d.]+)/.exec(row.textContent ?? '')?.[1] ?? 0)),
      );
      return costs.length > 1 && costs.every((cost, i) => i === 0 || cost <= (costs[i - 1] ?? 0));
    };
    await expect.poll(isSorted).toBe(true);
  });

  test('is where it was left after Back', async () => {
    await page.goto(`${site.base}/sessions`);
    await settled(page, 'routine work 1');
    const list = page.locator('.session-table .virtual');
    // The list grows as it is scrolled.
    const scroll = () =>
      list.evaluate((box) => {
        box.scrollBy(0, 1_200);
        return box.scrollTop;
      });
    await expect.poll(scroll).toBeGreaterThan(2_000);
    // A click scrolls to a row that is partly hidden, so the pointer goes there first.
    const chosen = rows.nth(8).getByRole('link');
    await chosen.hover();
    const left = await list.evaluate((box) => box.scrollTop);
    await chosen.click();
    await settled(page, 'Turn 0');
    await page.goBack();
    await rows.first().waitFor();
    await expect.poll(() => list.evaluate((box) => box.scrollTop)).toBe(left);
  });

  test('a day of the calendar shows the sessions of that day', async () => {
    await page.goto(`${site.base}/sessions`);
    await settled(page, 'routine work 1');
    const day = new Date(Date.now() - 40 * DAY);
    const name = new Date(day.getTime() - day.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    await page.locator('.heat', { hasText: name }).click();
    await page.waitForURL(new RegExp(`day=${name}`));
    await page.getByRole('link', { name: 'set up goreleaser' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'routine work' }).count()).toBe(0);
  });

  test('says what to do after Compare…', async () => {
    await page.goto(`${site.base}/sessions?pick=abc`);
    await page.getByText('Compare abc with: tick another session').waitFor();
  });

  test('a star and a note stay on a session, and Starred finds it', async () => {
    await page.goto(`${site.base}/sessions`);
    await rows.first().getByRole('link').click();
    await settled(page, 'Turn 0');
    const star = page.getByRole('button', { name: 'Star' });
    await star.click();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Add a note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('for the talk');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'for the talk' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(`${site.base}/sessions`);
    await page.getByRole('button', { name: 'Starred' }).click();
    await page.waitForURL(/starred=true/);
    await page.getByText('1 session', { exact: true }).waitFor();
    await rows.first().getByRole('img', { name: 'starred' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await rows.first().getByRole('link').click();
    await page.getByRole('button', { name: 'for the talk' }).waitFor();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
  });
});

describe('search', () => {
  test('begins in the list, groups by session, and puts the session that is about it first', async () => {
    await page.goto(`${site.base}/sessions`);
    await page.getByRole('searchbox', { name: 'Search all sessions' }).fill('goreleaser');
    await page.waitForURL(/\/sessions\/search\?q=goreleaser/);
    const groups = page.locator('.match-group');
    await groups.first().getByRole('link', { name: 'set up goreleaser pro for us' }).first().waitFor();
    await expect.poll(() => groups.first().textContent()).toMatch(/atlas.*\$\d.*1 match/);
    await expect.poll(() => groups.nth(1).locator('.match-line').count()).toBeLessThanOrEqual(2);
    await page.getByText(/matches in \d+ sessions/).waitFor();
    await expect.poll(() => axeViolations(page)).toEqual([]);
    // The cursor is in the field, so one can go on typing.
    await page.keyboard.type(' pro');
    await page.waitForURL(/q=goreleaser\+pro/);
    await expect.poll(() => groups.count()).toBe(1);
  });

  test('is offered again on the empty tab', async () => {
    await page.goto(`${site.base}/sessions/search?q=legend`);
    await page.locator('.match-group').first().waitFor();
    // A search that stays for two seconds is kept.
    await expect
      .poll(() => page.evaluate('JSON.stringify({ ...localStorage })'), { timeout: 20_000 })
      .toContain('legend');
    await page.goto(`${site.base}/sessions/search`);
    await page.getByRole('link', { name: 'legend', exact: true }).click();
    await page.waitForURL(/q=legend/);
  });

  test('is narrowed by time', async () => {
    await page.goto(`${site.base}/sessions/search?q=goreleaser`);
    await page.getByRole('link', { name: 'set up goreleaser pro' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('7d');
    await page.waitForURL(/since=7d/);
    await expect.poll(() => page.getByRole('link', { name: 'set up goreleaser pro' }).count()).toBe(0);
  });

  test('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await page.goto(`${site.base}/sessions`);
    await settled(page, 'routine work 1');
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  });
});

test('nothing went wrong in the page', () => expect(problems).toEqual([]));
