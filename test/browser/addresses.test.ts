import type { Request } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from './browser.ts';
import { AGENTS, MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, problems } = await openPage(browser, site);

const main = MAIN_SESSION.slice(0, 8);
const project = encodeURIComponent(site.project);
const tree = (await site.api('GET', `/api/indexes/${site.index}/tree?limit=5`)).data.entries;
const media = tree.find((entry: { name: string }) => entry.name === 'media').node_id;
const { sessions } = (await site.api('GET', '/api/agent-sessions?limit=5&provider=codex')).data;
const agent = AGENTS[2].id.slice(0, 8);

/**
 * Addresses that hold filters, tabs, selections, steps and zooms, and what they must show: the view is described by
 * these places of the page, the same after a reload and after coming back.
 */
const ADDRESSES: readonly (readonly [path: string, ...places: string[]])[] = [
  ['/activity?days=7&who=people&operation=health', '[aria-pressed=true]', '.chip.on'],
  [
    `/disk/${site.index}?f=ext%3Amp4&by=age&sel=${media}`,
    '[aria-label=Filter]',
    '.map-total',
    '.map-side',
    '.legend',
    '.selection-bar',
  ],
  [`/disk/${site.index}/${media}`, '.crumbs', '.map-side', '.map-total'],
  [`/disk/${site.index}/${media}?f=-ext%3Amp4`, '.crumbs', '.map-side', '.map-total'],
  [`/disk/${site.index}?tab=largest&f=%3E1KB`, '.tabs [aria-current]', '.tab-body'],
  [`/disk/${site.index}?tab=types`, '.tabs [aria-current]', '.tab-body'],
  [`/disk/${site.index}?tab=age&f=newer%3A30d`, '.tabs [aria-current]', '.tab-body'],
  [`/disk/${site.index}?tab=duplicates`, '.tabs [aria-current]', '.tab-body'],
  [
    `/sessions?provider=codex&since=7d&pick=${sessions[0].id}`,
    '[aria-pressed=true]',
    '.select',
    '[aria-label=Sessions]',
  ],
  ['/sessions?failed=true', '[aria-pressed=true]', '[aria-label=Sessions]'],
  [
    `/sessions/${main}?turn=4&step=2&side=findings`,
    '.session-side .tabs [aria-current]',
    '.side-body',
    '.step.current',
  ],
  [
    `/sessions/${main}?turn=4&step=0&agents=${agent}`,
    '.step.current .subagent-head',
    '[aria-expanded=true]',
    '.subagent .turn-head',
  ],
  [`/sessions/${main}?side=files&turn=2`, '.side-body', '.turn-head.current'],
  [
    '/sessions/search?q=Assertion%5Cw%2B&regex=true&type=tool_result',
    '.field',
    '.select',
    '[aria-pressed=true]',
    '[aria-label=Matches] .match-line',
  ],
  [`/sessions/files?path=${project}%2Fsrc%2Ftile.ts`, '.field', '.history .panel-head'],
  ['/sessions/usage?by=model&since=7d', '[aria-pressed=true]', '.table'],
  [
    '/code?q=load%5Cw%2B&mode=regex&glob=*.ts&case=sensitive',
    '.field',
    '[aria-pressed=true]',
    '[aria-label=Matches]',
  ],
  [
    `/code?q=retry&mode=semantic&file=${project}%2Fsrc%2Ftile.ts&line=12`,
    '.field',
    '.source-line.on',
    '.preview h2, .preview header',
  ],
];

/** What the places show: texts, and values of fields. */
async function seen(places: readonly string[]): Promise<unknown> {
  await page
    .locator(places[places.length - 1] ?? 'body')
    .first()
    .waitFor();
  await page.locator('.skeleton, .skeleton-box').first().waitFor({ state: 'detached' });
  return Promise.all(
    places.map((place) =>
      page.locator(place).evaluateAll((elements) =>
        elements.map((element) =>
          'value' in element && element.tagName !== 'BUTTON' && element.tagName !== 'LI'
            ? String(element.value)
            : // Ages, times of answers and the space on the disk go on while one looks.
              String(element.textContent).replace(/\d+(s|m|h) ago|\d+ ms|\d+ % full, .* free/g, ''),
        ),
      ),
    ),
  );
}

/** Questions of the page that have no answer yet. */
const asked = new Set<Request>();
page.on('request', (request) => request.resourceType() === 'fetch' && asked.add(request));
page.on('requestfinished', (request) => asked.delete(request));
page.on('requestfailed', (request) => asked.delete(request));

/** What the places show once all is answered and it no longer changes: answers come one after the other. */
async function settled(places: readonly string[]): Promise<unknown> {
  let now = await seen(places);
  const isUnchanged = async () => {
    const before = JSON.stringify(now);
    now = await seen(places);
    return asked.size === 0 && JSON.stringify(now) === before;
  };
  await expect.poll(isUnchanged, { interval: 400 }).toBe(true);
  return now;
}

test.each(ADDRESSES)('%s shows the same after a reload and after coming back', async (path, ...places) => {
  problems.length = 0;
  await page.goto(site.base + path);
  const first = await settled(places);
  expect(JSON.stringify(first)).not.toContain('[]');
  await expect.poll(() => page.url()).toBe(site.base + path);
  await page.reload();
  await expect.poll(() => seen(places)).toEqual(first);
  // To another view by a link of the page, and back.
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Pinhole', exact: true }).waitFor();
  await page.goBack();
  await expect.poll(() => page.url()).toBe(site.base + path);
  await expect.poll(() => seen(places)).toEqual(first);
  expect(problems).toEqual([]);
});
