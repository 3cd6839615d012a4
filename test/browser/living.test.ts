import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { axeViolations, launchBrowser, openPage, settled } from './browser.ts';
import { AGENTS, MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite({ sessions: 2, host: '0.0.0.0' });
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, context, problems } = await openPage(browser, site, { signedIn: false });
const main = MAIN_SESSION.slice(0, 8);
const transcript = page.getByRole('region', { name: 'Transcript' });

test('without a sign-in the page says how; a token signs in, by a cookie that scripts cannot read', async () => {
  await page.goto(`${site.base}/sessions?provider=codex`);
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  await page.getByText('pinhole open', { exact: true }).waitFor();
  await expect.poll(() => axeViolations(page)).toEqual([]);
  await page.getByLabel('Token').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('This is not the token').waitFor();
  await page.getByLabel('Token').fill(site.background.token);
  await page.keyboard.press('Enter');
  await settled(page, 'retry settings');
  await expect.poll(() => new URL(page.url()).search).toBe('?provider=codex');
  await expect.poll(() => page.evaluate('document.cookie')).toBe('');
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
  await page.reload();
  await settled(page, 'retry settings');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  await expect.poll(() => context.cookies()).toEqual([]);
  // The browser tells of refused calls; they are the point here.
  problems.length = 0;
});

test('a link that is opened in another tab signs in this one too', async () => {
  await page.goto(`${site.base}/sessions?provider=codex`);
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  const other = await context.newPage();
  await other.goto(`${site.base}${site.background.pageLink()}`);
  await settled(page, 'retry settings');
  await other.close();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  problems.length = 0;
});

test('a link that is opened in the tab of the sign-in page signs it in', async () => {
  await page.goto(`${site.base}/`);
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  // Only what follows the hash changes, so the page is not loaded again.
  await page.goto(`${site.base}${site.background.pageLink()}`);
  await settled(page, 'Connect your agent');
  await expect.poll(() => page.url()).toBe(`${site.base}/`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  await page.goto('about:blank');
  problems.length = 0;
});

test('a link signs in and leaves no trace in the address', async () => {
  await page.goto(`${site.base}${site.background.pageLink()}`);
  await settled(page, 'Connect your agent');
  await expect.poll(() => page.url()).toBe(`${site.base}/`);
  expect(problems).toEqual([]);
});

test('subagents unfold where they were started, in the strips and in the transcript', async () => {
  const [first, , reviewer] = AGENTS;
  await page.goto(`${site.base}/sessions/${main}`);
  await settled(page, 'Turn 0');
  const lanes = page.getByRole('list', { name: 'Subagents' });
  await expect.poll(() => lanes.getByRole('button').count()).toBe(AGENTS.length);
  await lanes.getByRole('button', { name: new RegExp(reviewer.name) }).click();
  const branch = transcript.getByRole('region', { name: `Subagent ${reviewer.id.slice(0, 8)}` });
  await branch.getByText('26 calls').waitFor();
  await branch.locator('.step').first().waitFor();
  await branch.getByRole('button', { name: /^Show more/ }).click();
  await branch.getByText('nothing else asks for a tile').waitFor();
  const address = page.url();
  expect(address).toContain(`agents=${reviewer.id.slice(0, 8)}`);
  await page.reload();
  await branch.locator('.step').first().waitFor();
  await branch.getByRole('button', { name: /^reviewer/, expanded: true }).click();
  await branch.locator('.step').first().waitFor({ state: 'detached' });
  await page.goto(`${site.base}/sessions/${main}?turn=1&step=0&agents=${first.id}`);
  await transcript
    .getByRole('region', { name: `Subagent ${first.id.slice(0, 8)}` })
    .locator('.step')
    .first()
    .waitFor();
  await expect.poll(() => axeViolations(page)).toEqual([]);
  expect(problems).toEqual([]);
});

const LIVE = '1111aaaa-0000-4000-8000-000000000001';
const log = claude({ id: LIVE, cwd: site.project, extra: {} });
const file = join(site.project, '..', 'claude/projects', site.project.replaceAll('/', '-'), `${LIVE}.jsonl`);
let answers = 0;
/** A turn that was taken just now. */
const turn = (said: string) =>
  lines(
    [
      log.prompt(`tell me of ${said}`),
      log.answer(`live${++answers}`, text(`${said}\n${'more\n'.repeat(9)}`)),
    ].map((record) => ({ ...record, timestamp: new Date().toISOString() })),
  );

test('a running session shows what is new at once and follows its end, unless the reader is elsewhere', async () => {
  writeLog(file, Array.from({ length: 12 }, (_, i) => turn(`part ${i}`)).join(''));
  await site.background.app.services.sessions.reading.refresh();
  await page.goto(`${site.base}/sessions/${LIVE}`);
  await page.getByText('running', { exact: true }).waitFor();
  await transcript.getByText('part 11', { exact: false }).last().waitFor();
  const scrolled = () =>
    page
      .locator('.transcript .virtual')
      .evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
  await expect.poll(scrolled).toBeLessThan(60);
  appendFileSync(file, turn('the newest thing'));
  await transcript.getByText('tell me of the newest thing').waitFor();
  await page.getByRole('link', { name: 'Turns 13' }).waitFor();
  await expect.poll(scrolled).toBeLessThan(60);
  await transcript.hover();
  await page.mouse.wheel(0, -100_000);
  await page.getByRole('button', { name: 'Go to end' }).waitFor();
  appendFileSync(file, turn('something behind me'));
  await page.getByRole('link', { name: 'Turns 14' }).waitFor();
  await expect.poll(() => page.locator('.transcript .virtual').evaluate((list) => list.scrollTop)).toBe(0);
  await page.getByRole('button', { name: 'Go to end' }).click();
  await transcript.getByText('tell me of something behind me').waitFor();
  expect(problems).toEqual([]);
});

test('a view appears although an agent writes faster than Pinhole answers', async () => {
  const quick = 'fa570000-0000-4000-8000-000000000001';
  const said = claude({ id: quick, cwd: site.project });
  const path = file.replace(LIVE, quick);
  const words = (text: string) => lines([{ ...said.prompt(text), timestamp: new Date().toISOString() }]);
  writeLog(path, words('a quick one'));
  await site.background.app.services.sessions.reading.refresh();
  await page.route('**/api/agent-sessions?*', async (route) => {
    await new Promise((slow) => setTimeout(slow, 800));
    // The page may have given it up.
    await route.continue().catch(() => {});
  });
  const writing = setInterval(() => appendFileSync(path, words('and more')), 100);
  try {
    await page.goto(`${site.base}/`);
    await page.locator('.panel', { hasText: 'Running now' }).getByText('a quick one').waitFor();
  } finally {
    clearInterval(writing);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  }
  await page.goto(`${site.base}/sessions/${LIVE}`);
  await page.getByRole('link', { name: 'Turns 14' }).waitFor();
  expect(problems).toEqual([]);
});

test('Pinhole ends and starts again: the page says so, asks who is there, and goes on', async () => {
  const start = await site.stop();
  await page.getByText('Connection lost, reconnecting').waitFor();
  appendFileSync(file, turn('what nobody saw'));
  await start();
  // Meanwhile another program could have had the port and the cookie: the new process knows nobody yet.
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  const other = await context.newPage();
  await other.goto(`${site.base}${site.background.pageLink()}`);
  await page.getByRole('link', { name: 'Turns 15' }).waitFor();
  await other.close();
  appendFileSync(file, turn('what came after'));
  await page.getByRole('link', { name: 'Turns 16' }).waitFor();
  problems.length = 0;
});
