import { afterAll, expect, test } from 'vitest';
import { claude, text } from '../fixtures/sessions/logs.ts';
import { personHeaders } from '../sign-in.ts';
import { addressOf, logMessage, startNode } from '../team/nodes.ts';
import { sharedPostgres } from '../team/postgres.ts';
import { launchBrowser, openPage, settled } from './browser.ts';

/* The page of a team server: sessions of several people on several machines. */

const node = await startNode(await (await sharedPostgres()).database());
for (const [id, machine, person, words] of [
  ['aaaaaaaa-1111-4111-8111-111111111111', 'laptop', 'ann', 'fix the login form'],
  ['bbbbbbbb-2222-4222-8222-222222222222', 'desk', 'ann', 'fix the nightly export'],
  ['cccccccc-3333-4333-8333-333333333333', 'tower', 'bob', 'fix the slow query'],
] as const) {
  const log = claude({ id, extra: { timestamp: new Date().toISOString() } });
  const records = [log.prompt(words), log.answer('m1', text('Done.'))];
  await node.app.services.team?.receive(
    logMessage({ id, project: 'example.com/acme/api', root: '/srv', machine, person, records }),
  );
}
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await node.stop();
});
const site = { base: addressOf(node), cookie: async () => (await personHeaders(node)).cookie };
const { page, problems } = await openPage(browser, site);
const titles = async () => (await page.getByText(/^fix the /).allTextContents()).toSorted();

test('the list shows the sessions of one person, of one machine, or of all', async () => {
  await page.goto(`${site.base}/sessions`);
  await settled(page, '3 sessions');
  await page.getByRole('combobox', { name: 'Person' }).selectOption('ann');
  await settled(page, '2 sessions');
  await expect.poll(titles).toEqual(['fix the login form', 'fix the nightly export']);
  await page.getByRole('combobox', { name: 'Machine' }).selectOption('desk');
  await settled(page, '1 session');
  await expect.poll(titles).toEqual(['fix the nightly export']);
  expect(new URL(page.url()).search).toBe('?person=ann&machine=desk');
});

test('the search keeps to a person', async () => {
  await page.goto(`${site.base}/sessions/search?q=fix&person=bob`);
  await page.getByRole('link', { name: 'fix the slow query', exact: true }).waitFor();
  await page.getByText('bob on tower').waitFor();
  expect(await page.getByText('fix the login form').count()).toBe(0);
});

test('a session says whose it is, and where it ran', async () => {
  await page.goto(`${site.base}/sessions/cccccccc`);
  await settled(page, 'bob on tower');
  expect(problems).toEqual([]);
});

test('usage is grouped by person', async () => {
  await page.goto(`${site.base}/sessions/usage?by=person`);
  await page.getByRole('cell', { name: 'bob' }).waitFor();
  expect(problems).toEqual([]);
});
