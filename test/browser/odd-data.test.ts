import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { call, claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { launchBrowser, openPage, settled } from './browser.ts';
import { openSite } from './site.ts';

/** What real machines have and demonstrations do not: hostile names, endless texts, very long lists. */

const TURNED = '\u202egnp.exe';
const SHOWN = '\\u202egnp.exe';
const ODD = 'dddddddd-0000-4000-8000-000000000001';
const MANY = 'dddddddd-1111-4000-8000-000000000002';

const site = await openSite();
const folder = join(process.env.CLAUDE_CONFIG_DIR ?? '', 'projects', site.project.replaceAll('/', '-'));
writeOdd();
writeMany();
mkdirSync(join(site.project, 'odd'));
writeFileSync(join(site.project, 'odd', TURNED), 'x'.repeat(90_000));
for (let i = 0; i < 130; i++) {
  for (const side of ['a', 'b'])
    writeFileSync(join(site.project, 'odd', `${side}${i}.dat`), `${i}`.repeat(3_000));
}
await site.background.app.services.sessions.reading.refresh();
const job = await site.api('POST', '/api/indexes', { root: site.project });
while ((await site.api('GET', `/api/jobs/${job.data.job_id}`)).data.status !== 'done');

const browser = await launchBrowser();
const { page, problems } = await openPage(browser, site);
afterAll(async () => {
  await browser.close();
  await site.close();
});
beforeEach(() => {
  problems.length = 0;
});

function writeOdd(): void {
  const log = claude({ id: ODD, cwd: site.project });
  const edit = { file_path: `${site.project}/a.ts`, old_string: 'one\n"two"', new_string: 'one\n"three"' };
  const records = [
    log.prompt(`open ${TURNED}`),
    log.answer('o1', call('t1', 'Edit', edit)),
    log.result('t1', 'ok'),
    log.answer('o2', call('t2', 'Bash', { command: 'echo "a" "b"', description: 'Say it' })),
    log.result('t2', `\u001b[31mred\u001b[0m\r\nend`),
    log.answer('o3', call('t3', 'Bash', { command: 'cat all' })),
    log.result('t3', Array.from({ length: 60_000 }, (_, i) => `line ${i}`).join('\n')),
    log.answer('o4', text('Done.')),
  ];
  writeLog(join(folder, `${ODD}.jsonl`), lines(records));
}

function writeMany(): void {
  const log = claude({ id: MANY, cwd: site.project });
  const begun: string[] = [];
  const records = [log.prompt('everything at once')];
  for (let i = 0; i < 220; i++) {
    const id = `a${String(i).padStart(5, '0')}`;
    begun.push(id);
    records.push(log.answer(`s${i}`, call(`s${i}`, 'Task', { prompt: `part ${i}` })));
    records.push(log.result(`s${i}`, 'found', { beside: { agentId: id } }));
  }
  for (let i = 0; i < 230; i++) {
    records.push(log.answer(`r${i}`, call(`r${i}`, 'Read', { file_path: `${site.project}/gen/${i}.ts` })));
    records.push(log.result(`r${i}`, 'x'));
  }
  writeLog(join(folder, `${MANY}.jsonl`), lines(records));
  for (const id of begun) {
    const child = claude({ id: MANY, cwd: site.project, extra: { isSidechain: true, agentId: id } });
    writeLog(
      join(folder, MANY, `subagents/agent-${id}.jsonl`),
      lines([child.prompt(`part ${id}`), child.answer(`m${id}`, text('Found.'))]),
    );
  }
}

test('a name that turns the direction of reading is shown with its escape, and still opens', async () => {
  await page.goto(`${site.base}/disk?path=${encodeURIComponent(join(site.project, 'odd'))}`);
  await page.getByRole('link', { name: SHOWN }).click();
  await settled(page, 'permissions');
  await expect.poll(() => page.getByText(SHOWN).count()).toBeGreaterThan(0);
  await expect.poll(() => page.locator('main').textContent()).not.toContain('\u202e');
  await page.goto(`${site.base}/sessions`);
  await page.getByRole('link', { name: `open ${SHOWN}` }).waitFor();
  expect(problems).toEqual([]);
});

test('an edit of several lines is a diff; what a program printed has no control characters', async () => {
  await page.goto(`${site.base}/sessions/${ODD}`);
  await page.locator('.diff-out', { hasText: '−"two"' }).waitFor();
  await page.locator('.diff-in', { hasText: '+"three"' }).waitFor();
  await expect.poll(() => page.locator('.tool-brief').nth(1).textContent()).toBe('echo "a" "b"');
  await expect.poll(() => page.locator('.result pre').first().textContent()).toBe('red\r\nend');
});

test('a very long text is read in portions', async () => {
  await page.goto(`${site.base}/sessions/${ODD}?turn=0&step=2`);
  const step = page.locator('.step', { hasText: 'cat all' });
  await step.locator('.result').getByRole('button', { name: 'Show all' }).click();
  const more = step.getByRole('button', { name: /Show more/ });
  for (let clicks = 0; ; clicks++) {
    await more.or(step.getByText('line 59999')).first().waitFor();
    if ((await more.count()) === 0) break;
    expect(clicks).toBeLessThan(8);
    const left = (await more.textContent()) ?? '';
    await more.click();
    await step.getByRole('button', { name: left, exact: true }).waitFor({ state: 'detached' });
  }
  const whole = await step.locator('.result pre').textContent();
  expect(whole?.split('\n')).toHaveLength(60_000);
  await step.locator('.result').getByRole('button', { name: 'Show less' }).click();
  await expect.poll(async () => (await step.locator('.result pre').textContent())?.length).toBeLessThan(600);
});

test('files and subagents of a session go on to the last one', async () => {
  await page.goto(`${site.base}/sessions/${MANY}?side=files`);
  await settled(page, 'Files 230');
  await page.getByText('Subagents 220').waitFor();
  const list = page.locator('.session-side');
  const more = list.getByRole('button', { name: /Show more/ });
  while ((await more.count()) > 0) {
    const left = (await more.first().textContent()) ?? '';
    await more.first().click();
    await list.getByRole('button', { name: left, exact: true }).waitFor({ state: 'detached' });
  }
  await expect.poll(() => list.getByRole('link', { name: /^a00/ }).count()).toBe(220);
  await expect.poll(() => list.getByRole('link', { name: /gen\/\d+\.ts$/ }).count()).toBe(230);
  // The last one hangs on its call too.
  await page.goto(`${site.base}/sessions/${MANY}?turn=0&step=219`);
  await page.getByRole('region', { name: 'Subagent a00219' }).waitFor();
});

test('equal files go on to the last group as the list is scrolled', async () => {
  await page.goto(`${site.base}/disk/${site.index}?tab=duplicates`);
  await settled(page, 'can be freed');
  const list = page.getByRole('region', { name: 'Duplicates' }).locator('.virtual');
  const report = `/api/indexes/${site.index}/reports/duplicates?limit=500`;
  const groups = (await site.api('GET', report)).data.groups;
  expect(groups.length).toBeGreaterThan(100);
  const last = list.getByRole('checkbox', { name: `Select ${groups.at(-1).files.at(-1).path}` });
  while ((await last.count()) === 0) {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await page.waitForTimeout(20);
  }
});

test('names have room on a tablet, where columns give way', async () => {
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const [path, row] of [
    ['/sessions', '.session-row:has(a)'],
    [`/disk/${site.index}`, '.virtual .entry-row'],
  ] as const) {
    await page.goto(site.base + path);
    const name = await page.locator(row).first().getByRole('link').boundingBox();
    expect(name?.width).toBeGreaterThan(80);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a file that is longer than its window leads on to the lines around it', async () => {
  const path = join(site.project, 'odd', 'long.txt');
  writeFileSync(path, Array.from({ length: 2_000 }, (_, i) => `row ${i + 1}`).join('\n'));
  await page.goto(`${site.base}/code?file=${encodeURIComponent(path)}&line=1000`);
  await page.getByText('row 1000', { exact: true }).waitFor();
  for (let clicks = 0; (await page.getByText('row 2000', { exact: true }).count()) === 0; clicks++) {
    expect(clicks).toBeLessThan(6);
    const next = page.getByRole('link', { name: /^Show .* lines? after$/ });
    const left = (await next.textContent()) ?? '';
    await next.click();
    await page.getByRole('link', { name: left, exact: true }).waitFor({ state: 'detached' });
  }
  await page.getByRole('link', { name: /^Show .* lines before$/ }).waitFor();
});

test('the search field looks for names on disk too', async () => {
  await page.goto(site.base);
  await page.keyboard.press('/');
  await page.keyboard.type('gnp.exe');
  await page.getByRole('option', { name: SHOWN }).first().click();
  await page.getByRole('link', { name: SHOWN }).first().waitFor();
});

test('a session that is not known yet appears when its log was read, and names the tab', async () => {
  const id = 'dddddddd-2222-4000-8000-000000000003';
  await page.goto(`${site.base}/sessions/${id}`);
  await page.getByRole('alert').getByRole('link', { name: 'All sessions' }).waitFor();
  const log = claude({ id, cwd: site.project });
  writeLog(
    join(folder, `${id}.jsonl`),
    lines([log.prompt('late but here'), log.answer('l1', text('I came late.'))]),
  );
  await site.background.app.services.sessions.reading.refresh();
  await page.getByText('I came late.').waitFor();
  await expect.poll(() => page.title()).toBe('late but here · Sessions · Pinhole');
});

test('what is shown stays while Pinhole is away', async () => {
  await page.goto(`${site.base}/disk/${site.index}?tab=largest`);
  await settled(page, 'take-');
  const again = await site.stop();
  await page.getByText('Connection lost').waitFor();
  await expect
    .poll(() => page.getByRole('region', { name: 'Largest files' }).getByRole('link').count())
    .toBeGreaterThan(5);
  await again();
  await page.getByRole('heading', { name: 'Sign in to Pinhole' }).waitFor();
  await page.goto(`${site.base}${site.background.pageLink()}`);
  await page.goto(`${site.base}/disk/${site.index}?tab=largest`);
  await settled(page, 'take-');
  await expect
    .poll(() => page.getByRole('region', { name: 'Largest files' }).getByRole('link').count())
    .toBeGreaterThan(5);
});

test('an address that does not exist is answered by the page', async () => {
  const answer = await page.goto(`${site.base}/nowhere/at-all`);
  expect(answer?.status()).toBe(404);
  await page.getByText('There is no page at /nowhere/at-all.').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click();
  await settled(page, 'Connect your agent');
});
