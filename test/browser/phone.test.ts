import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser, openPage, settled } from './browser.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site, { width: 390, height: 780 });
const visit = async (path: string, shows: string) => {
  await page.goto(site.base + path);
  await settled(page, shows);
};

const tile = encodeURIComponent(join(site.project, 'src/tile.ts'));

test.each([
  ['a file', `/code?file=${tile}&line=10`, '.source'],
  ['a symbol', `/code?file=${tile}&line=12&symbol=loadTile`, '.symbol-panel'],
])('the head of %s is not covered by what is below it', async (_name, path, below) => {
  await visit(path, 'tile.ts');
  const head = page.locator('.preview .panel-head');
  const copy = await head.getByRole('button', { name: 'Copy path' }).boundingBox();
  const next = await page.locator(below).first().boundingBox();
  expect((copy?.y ?? 9_999) + (copy?.height ?? 0)).toBeLessThanOrEqual(next?.y ?? 0);
});

test('the tab that is open can be seen', async () => {
  await visit(`/disk/${site.index}?tab=again`, 'npm install');
  const tab = page.getByRole('link', { name: 'Can be made again' });
  await expect.poll(async () => ((await tab.boundingBox())?.x ?? -1) >= 0).toBe(true);
  await expect
    .poll(async () => {
      const box = await tab.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 9_999);
    })
    .toBeLessThanOrEqual(390);
});

test('names of columns stay in their columns', async () => {
  await visit('/sessions', 'tiles load twice');
  const outside = await page.evaluate(`(() => {
    const row = document.querySelector('.session-row-head');
    const end = row.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(row).paddingRight);
    return [...row.children].filter((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      return text.getBoundingClientRect().right > end + 0.5;
    }).length;
  })()`);
  expect(outside).toBe(0);
});

test('spans of time can be read whole', async () => {
  await visit(`/disk/${site.index}?tab=age`, '1 to 7 days ago');
  const cut = await page
    .locator('.group-label')
    .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
  expect(cut).toBe(0);
  expect(problems).toEqual([]);
});
