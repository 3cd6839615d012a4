import { appendFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sizeText } from '../../src/contract/format.ts';
import { claude, lines, text } from '../fixtures/sessions/logs.ts';
import { idle, launchBrowser, type OpenPage, openPage, settled } from './browser.ts';
import { EVIL_SESSION, EVIL_TEXT, MAIN_SESSION } from './demo-sessions.ts';
import { EVIL_CODE, EVIL_NAME } from './demo-tree.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});

let opened: OpenPage;
let page: Page;
beforeEach(async () => {
  opened = await openPage(browser, site);
  page = opened.page;
});
afterEach(async () => {
  await opened.context.close();
  expect(opened.problems).toEqual([]);
});

const visit = (path: string) => page.goto(site.base + path);
const at = () => page.url().slice(site.base.length);
const main = MAIN_SESSION.slice(0, 8);

describe('everywhere', () => {
  test('keys: search, help, places, theme', async () => {
    await visit('/');
    await page.keyboard.press('/');
    await page.keyboard.type('retry');
    await page.getByRole('option', { name: /search in code/ }).waitFor();
    // What is chosen stays chosen while results come and move it.
    const chosen = page.locator('[role="option"][aria-selected="true"]');
    for (let presses = 0; !(await chosen.textContent())?.includes('search in sessions'); presses++) {
      expect(presses).toBeLessThan(40);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => at()).toBe('/sessions/search?q=retry');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The second key must come soon after the first, which a busy machine may not manage at once.
    const goToDisk = async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('d');
      return at();
    };
    await expect.poll(goToDisk).toBe('/disk');
    await page.getByText('Indexed folders').waitFor();
    await page.keyboard.press('t');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.reload();
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.goBack();
    await expect.poll(() => at()).toBe('/sessions/search?q=retry');
  });

  test('a folder typed into the search field opens', async () => {
    await visit('/');
    await page.getByRole('combobox').fill(`${site.project}/media`);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'footage' }).waitFor();
    await expect.poll(() => at()).toMatch(/^\/disk\/i1\/n\w+$/);
  });

  test('Pinhole goes away and comes back', async () => {
    await visit('/sessions');
    await settled(page, 'tiles load twice');
    await page.route('**/api/**', (route) => route.abort());
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('codex');
    await page.getByText('Connection lost').waitFor();
    await page.unroute('**/api/**');
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /retry settings/ }).waitFor();
    // The browser tells of the calls that did not get through; that is the point here.
    opened.problems.length = 0;
  });

  test('an unknown address says so', async () => {
    await visit('/disk/i99');
    await page.getByText('There is no such index.').waitFor();
    await visit('/sessions/zzzzzzzz');
    await page.getByRole('alert').waitFor();
    // The view asks several questions; each of them is refused.
    await idle(page);
    opened.problems.length = 0;
  });
});

describe('disk', () => {
  test('the map zooms in and out, by mouse and by keys; filters reshape it', async () => {
    await visit(`/disk/${site.index}`);
    const map = page.getByRole('application');
    await map.waitFor();
    await map.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/disk\/i1\/n\w+/);
    const first = at();
    await page.locator('.crumbs > span').nth(3).waitFor();
    await map.focus();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => url.pathname !== first);
    await page.getByRole('link', { name: 'archive', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Video and audio' }).click();
    await page.getByText('match the filter').waitFor();
    await expect.poll(() => at()).toContain('f=is%3Avideo');
    await expect
      .poll(() => page.getByRole('list', { name: 'Entries' }).getByRole('link').allTextContents())
      .toEqual(['media']);
    const { total_disk_size, total_files } = (
      await site.api(
        'GET',
        `/api/indexes/${site.index}/tree?filter=${encodeURIComponent('{"ext":["mp4","wav"]}')}`,
      )
    ).data;
    await expect
      .poll(() => page.locator('.map-total').textContent())
      .toBe(`${sizeText(total_disk_size)} match the filter, ${total_files} files`);
    for (const [tab, shows] of [
      ['Largest', 'take-'],
      ['Types', '.mp4'],
      ['Duplicates', 'match the filter'],
    ] as const) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await settled(page, shows);
      await expect.poll(() => at()).toContain('f=is%3Avideo');
      await expect.poll(() => page.locator('.tab-body').textContent()).not.toContain('.parquet');
    }
    for (let i = 0; i < 4; i++) await page.goBack();
    await page.getByText('on disk,').waitFor();
  });

  test('selected, saved, planned, moved to the trash, undone', async () => {
    const logs = join(site.project, 'logs');
    const before = (await readdir(logs)).length;
    await visit(`/disk?path=${encodeURIComponent(logs)}`);
    await page.getByRole('checkbox', { name: 'Select server-3.log' }).check();
    await page.getByRole('checkbox', { name: 'Select server-4.log' }).check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Save selection…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('two logs');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'two logs' }).waitFor();
    await page.getByRole('button', { name: 'Plan clean-up' }).click();
    await page.getByText('draft, nothing moved yet').waitFor();
    expect((await readdir(logs)).length).toBe(before);
    await page.getByRole('button', { name: 'Move to the trash…' }).click();
    await page.getByRole('button', { name: 'Move 2 items to the trash' }).click();
    await page.getByText('2 moved').waitFor();
    expect((await readdir(logs)).length).toBe(before - 2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('undone', { exact: true }).waitFor();
    expect((await readdir(logs)).length).toBe(before);
  });

  test('who leaves while a plan is made or a selection saved is not called back', async () => {
    /** Holds back changes at an address until they are released; both steps can be waited for. */
    const hold = async (address: string) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(address, async (route) => {
        if (route.request().method() === 'POST') await released;
        await route.continue();
      });
      const asked = page.waitForRequest(
        (one) => one.method() === 'POST' && one.url().endsWith(address.slice(2)),
      );
      return { asked, release: () => release() };
    };
    const answered = (ending: string) =>
      page.waitForResponse((one) => one.request().method() === 'POST' && one.url().endsWith(ending));
    const leave = async () => {
      await page.getByRole('link', { name: 'Sessions', exact: true }).first().click();
      await expect.poll(() => at()).toBe('/sessions');
    };
    const stays = async () => {
      await page.waitForTimeout(300);
      expect(at()).toBe('/sessions');
      await page.unrouteAll();
    };
    const select = async () => {
      await visit(`/disk/${site.index}?tab=largest`);
      await page.getByRole('checkbox').nth(1).check();
    };

    const saving = await hold('**/api/resource-sets');
    await select();
    await page.getByRole('button', { name: 'Save selection…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('left meanwhile');
    await page.keyboard.press('Enter');
    await saving.asked;
    await leave();
    const saved = answered('/resource-sets');
    saving.release();
    const { selection_id } = (await (await saved).json()).data;
    await stays();

    const planning = await hold('**/plan');
    await select();
    await page.getByRole('button', { name: 'Plan clean-up' }).click();
    await page.getByRole('button', { name: 'Planning…' }).waitFor();
    await planning.asked;
    await leave();
    const planned = answered('/plan');
    planning.release();
    await planned;
    await stays();

    const again = await hold('**/plan');
    await visit(`/disk/selections/${selection_id}`);
    await page.getByRole('button', { name: 'Plan clean-up' }).click();
    await page.getByRole('button', { name: 'Planning…' }).waitFor();
    await again.asked;
    await leave();
    const done = answered('/plan');
    again.release();
    await done;
    await stays();
  });

  test('a filter is saved as a query, run and explained', async () => {
    await visit(`/disk/${site.index}`);
    await page.getByRole('searchbox', { name: 'Filter' }).fill('*.csv >1KB');
    await page.getByRole('button', { name: 'Save query…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('tables');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'tables' }).waitFor();
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('How it runs').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page
      .getByRole('link', { name: /stations-2026/ })
      .first()
      .waitFor();
  });

  test('a folder that is not allowed is allowed after a question', async () => {
    await visit(`/disk?path=${encodeURIComponent(join(site.project, '..', 'share'))}`);
    await page.getByRole('button', { name: 'Allow this folder…' }).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('not indexed').waitFor();
    opened.problems.length = 0;
  });
});

describe('sessions', () => {
  test('from the list to a failed step and its output', async () => {
    await visit('/sessions');
    await page.getByRole('link', { name: 'tiles load twice' }).first().click();
    await settled(page, 'Turn 0');
    await page.getByRole('link', { name: 'Findings' }).click();
    await page
      .getByRole('link', { name: /failures/ })
      .first()
      .click();
    await page.waitForURL(/turn=\d/);
    await page.locator('.tool-failed').first().waitFor();
    await page.getByText('AssertionError').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.waitForURL(/turn=\d/);
  });

  test('a click on the strips lands on a step', async () => {
    await visit(`/sessions/${main}`);
    const strips = page.locator('.strips-box');
    await strips.waitFor();
    await settled(page, 'Turn 0');
    const box = await strips.boundingBox();
    await strips.click({ position: { x: (box?.width ?? 0) * 0.7, y: 110 } });
    await page.waitForURL(/turn=4&step=\d+|turn=5&step=\d+/);
    await page.locator('.step.current').waitFor();
  });

  test('an address with an event opens its step', async () => {
    await visit(`/sessions/${main}?event=40`);
    await page.waitForURL(/turn=0&step=\d+/);
    await page.locator('.step.current').waitFor();
  });

  test('search as it is typed, a hit opens its place', async () => {
    await visit('/sessions/search');
    await page.getByRole('searchbox').fill('expected 2 to be');
    const hit = page.getByRole('list', { name: 'Matches' }).locator('.match-line').first();
    await hit.waitFor();
    await hit.click();
    await page.waitForURL(/\/sessions\/\w+\?turn=\d+&step=\d+&event=\d+/);
    await page.locator('.step.current').waitFor();
  });

  test('two are picked and compared', async () => {
    await visit('/sessions');
    await settled(page, 'tiles load twice');
    await page.getByRole('checkbox').nth(0).check();
    await page.getByRole('checkbox').nth(1).check();
    await page.getByRole('link', { name: /^Compare/ }).click();
    await page.getByText('They diverge at').waitFor();
  });

  test('a running session grows while it is looked at', async () => {
    const id = 'abababab-0000-4000-8000-000000000001';
    const log = claude({ id, cwd: site.project, extra: { timestamp: new Date().toISOString() } });
    const file = join(
      process.env.CLAUDE_CONFIG_DIR ?? '',
      'projects',
      site.project.replaceAll('/', '-'),
      `${id}.jsonl`,
    );
    appendFileSync(file, lines([log.prompt('begin'), log.answer('live1', text('Begun.'))]));
    await site.background.app.services.sessions.reading.refresh();
    await visit(`/sessions/${id}`);
    await page.getByText('running', { exact: true }).waitFor();
    appendFileSync(
      file,
      lines([log.prompt('go on with the second part'), log.answer('live2', text('Going on.'))]),
    );
    await page.getByText('Turns 2').waitFor();
    await page.getByText('Going on.').waitFor();
  });
});

describe('code', () => {
  test('hits are walked by arrows and open at the line, in colours', async () => {
    await visit('/code?mode=regex');
    await page.getByRole('searchbox', { name: 'Search in code' }).fill('export async function load\\w+');
    const hits = page.locator('.hit-row');
    await hits.first().waitFor();
    await expect.poll(() => hits.first().locator('mark').allTextContents()).not.toEqual([]);
    await hits.first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/file=.*&line=\d+/);
    await page.locator('.source-line.on').waitFor();
    await page.locator('.source .k2').first().waitFor();
  });

  test('a question finds its place and says why', async () => {
    await visit('/code?q=how+often+is+a+failed+request+tried+again');
    await page
      .getByRole('link', { name: /Why this result/ })
      .first()
      .click();
    await page.getByText('Result 1 of').waitFor();
    await page.locator('.why dd .bar-fill').first().waitFor();
  });
});

test('names, texts and code that look like scripts are shown as text', async () => {
  await visit(`/disk/${site.index}`);
  await page.getByRole('link', { name: EVIL_NAME }).waitFor();
  await visit(`/sessions/${EVIL_SESSION}`);
  await page.getByText(EVIL_TEXT).first().waitFor();
  await settled(page, 'Bash');
  await visit(`/sessions/search?q=${encodeURIComponent('onerror')}`);
  await page.getByRole('list', { name: 'Matches' }).getByRole('link').first().waitFor();
  await visit(`/code?mode=regex&q=evil%20marker`);
  await page.getByText(EVIL_CODE.slice(0, 30), { exact: false }).first().waitFor();
  await visit(`/code?file=${encodeURIComponent(join(site.project, 'src/evil.ts'))}`);
  await page.locator('.source .k3').first().waitFor();
  await expect.poll(() => page.evaluate('globalThis.evil')).toBeUndefined();
  await expect.poll(() => page.evaluate("document.querySelectorAll('main script, main img').length")).toBe(0);
});
