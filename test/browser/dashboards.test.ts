import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { sizeText } from '../../src/contract/format.ts';
import { scriptHeaders } from '../sign-in.ts';
import { axeViolations, launchBrowser, openPage, settled } from './browser.ts';
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

describe('usage', () => {
  test('bars are stacked, tell their values, and lead to the sessions of their day', async () => {
    const { usage } = (await site.api('GET', '/api/usage?by=day&split=model&since=60d&limit=200')).data;
    const days: { group: string; cost_usd: number }[] = usage;
    const costly = days.reduce((most, day) => (day.cost_usd > most.cost_usd ? day : most));
    await visit(`/sessions/usage?from=${costly.group}&to=${costly.group}`);
    await settled(page, 'Cost per day by model');
    const bars = page.locator('.stacked-bars');
    await bars.locator('rect').first().waitFor();
    await bars.hover();
    const tip = page.locator('.bars-tip');
    await tip.waitFor();
    await expect.poll(() => tip.textContent()).toContain(`$${costly.cost_usd.toFixed(2)}`);
    await bars.click();
    await settled(page, 'By session');
    await expect.poll(() => query()).toEqual({ from: costly.group, to: costly.group, by: 'session' });
    // Sessions have titles, and lead to themselves.
    const first = page.locator('.usage-table tbody a').first();
    await expect.poll(() => first.textContent()).not.toMatch(/^[0-9a-f]{8}/);
    await expect.poll(() => first.getAttribute('href')).toMatch(/^\/sessions\/[0-9a-f]{8}/);
  });

  test('a model narrows everything to it; a range is compared with the one before', async () => {
    const days: string[] = (await site.api('GET', '/api/usage?by=day&since=60d&limit=200')).data.usage.map(
      (day: { group: string }) => day.group,
    );
    // The range before then holds the oldest day.
    const from = new Date(Date.parse(days.at(-1) ?? '') + 86_400_000).toISOString().slice(0, 10);
    await visit(`/sessions/usage?from=${from}&to=${days[0]}&show=tokens`);
    await settled(page, 'Tokens per day by model');
    await page.locator('.usage-table tbody a').first().click();
    await settled(page, 'By project');
    const { model = '' } = query();
    expect(model).not.toBe('');
    await page.getByRole('link', { name: `Remove model ${model}` }).waitFor();
    await page
      .getByText(/\d in the \d+ days? before/)
      .first()
      .waitFor({ state: 'attached' });
    await page.getByLabel('First day').fill('2020-01-01');
    await page.getByText('per month by').waitFor();
  });

  test('what the totals lack is below them, in the words of the command', async () => {
    const { unrecorded } = (await site.api('GET', '/api/usage?by=month&since=365d&limit=200')).data;
    expect(unrecorded).toContainEqual({ kind: 'cache_write', agents: ['gemini'] });
    await visit('/sessions/usage?since=365d');
    const gaps = page.locator('.usage-figures + .usage-gaps');
    await gaps.waitFor();
    expect(await gaps.textContent()).toBe('not recorded: cache write by Gemini CLI');
  });

  test('labels never touch, however many bars there are', async () => {
    for (const since of ['30d', '90d', '365d']) {
      await visit(`/sessions/usage?since=${since}`);
      await page.locator('.bars-label').first().waitFor();
      const smallestGap = () =>
        page.evaluate<number>(`(() => {
          const boxes = [...document.querySelectorAll('.bars-label')].map((label) => label.getBoundingClientRect());
          return Math.min(...boxes.slice(1).map((box, i) => box.left - boxes[i].right));
        })()`);
      await expect.poll(smallestGap).toBeGreaterThan(2);
    }
  });
});

describe('code', () => {
  test('all folders at once, with facets that narrow the results', async () => {
    const other = join(site.project, '..', 'beacon');
    mkdirSync(join(other, 'lib'), { recursive: true });
    writeFileSync(
      join(other, 'lib', 'retry.py'),
      'def retry_request(url):\n    return fetch(url, retries=3)\n',
    );
    await site.api('POST', '/api/allowed', { path: other });
    const { job_id } = (
      await site.api('POST', '/api/indexes', { root: other, what: 'code', wait_seconds: 20 })
    ).data;
    expect(job_id).toBeDefined();
    await visit('/code?q=retr(y|ies)&mode=regex&path=*');
    await settled(page, 'in 2 folders');
    const facets = page.getByRole('navigation', { name: 'Narrow the results' });
    await facets.getByRole('link', { name: /^beacon/ }).waitFor();
    await facets.getByRole('link', { name: /^python/ }).click();
    await page.waitForURL((url) => url.searchParams.get('language') === 'python');
    await page.locator('.file-row').getByText('lib/retry.py').waitFor();
    await facets.getByRole('link', { name: /^beacon/ }).click();
    await page.getByText('2 matches,').waitFor();
    await expect.poll(() => query().path).toBe(other);
    await visit('/code?q=how+is+a+request+tried+again&path=*');
    await settled(page, 'in 2 folders');
    await page.locator('.ranked-result').first().waitFor();
    await page.getByLabel('Search in code').press('Enter');
    await visit('/code');
    await page.getByRole('link', { name: 'how is a request tried again' }).waitFor();
  });

  test('a name leads to its definition and callers', async () => {
    const file = join(site.project, 'src', 'tile.ts');
    await visit(`/code?file=${encodeURIComponent(file)}&symbol=loadTile`);
    const panel = page.getByRole('region', { name: 'Symbol loadTile' });
    await panel.getByText('function').first().waitFor();
    await panel
      .getByRole('link', { name: /tile\.ts:\d+/ })
      .first()
      .click();
    await page.locator('.source-line.on').waitFor();
    // A click on a name in the text asks for that name.
    const name = page.locator('.source-line code span', { hasText: /^[a-z]{3,}$/i }).first();
    const text = await name.textContent();
    await name.click();
    await page.waitForURL((url) => url.searchParams.get('symbol') === text);
  });

  test('the margin says which commit a line comes from', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
        cwd: site.project,
        env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      });
    git('init', '-q');
    git('add', 'src');
    git('commit', '-qm', 'feat: load tiles once');
    const file = encodeURIComponent(join(site.project, 'src', 'tile.ts'));
    await visit(`/code?file=${file}`);
    await page.getByRole('link', { name: 'Why', exact: true }).click();
    await page.locator('.margin a').getByText('feat: load tiles once').click();
    const origin = page.getByRole('region', { name: /^Origin of line/ });
    await origin.getByText('Ada').waitFor();
    await expect.poll(() => query()).toMatchObject({ blame: 'true', origin: '1' });
    await visit(`/sessions/${MAIN_SESSION}?side=commits`);
    await page
      .locator('.side-body')
      .getByText(/feat: load tiles once|No commit is known/)
      .first()
      .waitFor();
  });
});

test('activity shows what a script asked and what came back, without secrets', async () => {
  const key = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  const pattern = encodeURIComponent(`needle ${key}`);
  const path = encodeURIComponent(site.project);
  const answer = await fetch(`${site.base}/api/code/search?mode=regex&pattern=${pattern}&path=${path}`, {
    headers: { ...scriptHeaders(site.background), 'x-pinhole-client': 'script' },
  });
  expect(answer.ok).toBe(true);
  await visit('/activity');
  const row = page.getByRole('table', { name: 'All calls' }).getByRole('row').filter({ hasText: 'needle' });
  await row.waitFor();
  await expect.poll(() => row.textContent()).toContain('[redacted:');
  await expect.poll(() => row.locator('.asked .quiet').textContent()).toMatch(/^pattern: needle /);
  await expect.poll(() => row.locator('.answered').textContent()).toBe('→ 0 rows');
  await row.locator('.answered').click();
  await row.getByText('{"data":').waitFor();
  await expect.poll(() => page.content()).not.toContain(key);
});

describe('disk', () => {
  test('from a path to its map in one step', async () => {
    const folder = join(site.project, '..', 'films');
    mkdirSync(folder);
    writeFileSync(join(folder, 'take.mp4'), Buffer.alloc(400_000, 1));
    await site.api('POST', '/api/allowed', { path: folder });
    await visit('/disk');
    await page.getByLabel('Folder to open').fill(folder);
    await page.keyboard.press('Enter');
    await page.getByRole('application', { name: new RegExp(`Map of ${folder}`) }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/disk\/i\d+\/n/);
    await page.getByText(/ free$/).waitFor();
    // The list marks what is under the pointer in the map.
    await page.getByRole('application').hover();
    await page.locator('.entry-row.on').getByText('take.mp4').waitFor();
    writeFileSync(join(folder, 'more.mp4'), Buffer.alloc(100_000, 1));
    await page.getByRole('button', { name: 'Rescan' }).click();
    await page.getByRole('link', { name: 'more.mp4' }).waitFor();
  });

  test('what can be made again goes into a plan', async () => {
    await visit(`/disk/${site.index}?tab=again`);
    const row = page.locator('.made-again-row').filter({ hasText: 'node_modules' });
    await row.getByText('npm install').waitFor();
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByRole('button', { name: 'Plan clean-up' }).click();
    await page.getByText('draft').first().waitFor();
    await page.getByText('node_modules').first().waitFor();
  });

  test('the oldest files, a menu on a box, and a file with its text', async () => {
    await visit(`/disk/${site.index}?tab=age`);
    await page.locator('.table tbody a').last().click();
    await page.getByRole('region', { name: 'Oldest files' }).waitFor();
    await visit(`/disk/${site.index}`);
    await page.getByRole('application').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Select or deselect' }).click();
    await page.getByText(/^1 selected/).waitFor();
    await visit(`/disk?path=${encodeURIComponent(join(site.project, 'src', 'tile.ts'))}`);
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    // Its neighbours are beside it; they open and are selected from here.
    const beside = page.getByRole('region', { name: 'Entries of this folder' });
    await beside.locator('[aria-current=page]', { hasText: 'tile.ts' }).waitFor();
    await beside.getByLabel('Select tile.ts').check();
    await page.getByText(/^1 selected/).waitFor();
    await beside.getByRole('link', { name: 'cache.ts' }).click();
    await page.getByRole('navigation', { name: 'Path' }).getByText('cache.ts').waitFor();
    await expect.poll(() => axeViolations(page)).toEqual([]);
  });

  test('Home shows the disk and its free space', async () => {
    await visit('/');
    const { volume } = (await site.api('GET', `/api/indexes/${site.index}`)).data;
    await page.getByText(new RegExp(`free of ${sizeText(volume.size)}`)).waitFor();
    await expect.poll(() => page.locator('.disk-mini rect').count()).toBeGreaterThan(3);
  });
});
