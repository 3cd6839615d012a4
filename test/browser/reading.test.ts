import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { call, claude, lines, text, writeLog } from '../fixtures/sessions/logs.ts';
import { axeViolations, launchBrowser, openPage, overflow, settled } from './browser.ts';
import { MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite();
const ID = 'dddddddd-0000-4000-8000-000000000001';
const ANSWER = `## What was wrong

The loader asked **twice**; see \`src/tile.ts:14\`.

| file | lines |
|---|---|
| src/cache.ts | 12 |

\`\`\`ts
const waiting = new Map<string, Promise<Tile>>();
\`\`\`

- [x] fixed
- <b onclick="globalThis.evil=1">not bold</b>, [bad](javascript:globalThis.evil=1), ![pixel](https://example.com/p.png)`;
const log = claude({ id: ID, cwd: site.project, extra: { timestamp: new Date().toISOString() } });
const edit = {
  replace_all: false,
  file_path: join(site.project, 'src/tile.ts'),
  old_string: 'const a = 1;\nconst b = store.get(id);\nconst c = 3;\nreturn b;',
  new_string: 'const a = 1;\nconst b = cache.get(id);\nconst c = 3;\nreturn await b;',
};
writeLog(
  join(process.env.CLAUDE_CONFIG_DIR ?? '', 'projects', site.project.replaceAll('/', '-'), `${ID}.jsonl`),
  lines([
    log.prompt('why do tiles load **twice**?'),
    log.answer('r1', text(ANSWER)),
    log.answer('r2', call('t1', 'Edit', edit)),
    log.result('t1', 'The file has been updated.'),
    log.answer('r3', call('t2', 'Bash', { command: 'npm test' })),
    log.result('t2', 'FAIL src/tile.test.ts\n    at src/tile.test.ts:31:22', { error: true }),
    log.prompt('thanks'),
    log.answer('r4', text('Done.')),
    log.answer('r5', call('t3', 'Task', { description: 'review', prompt: 'review it' })),
    log.result('t3', '## Verdict\n\nIt is **fine**.'),
  ]),
);
await site.background.app.services.sessions.reading.refresh();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});
const { page, context, problems } = await openPage(browser, site, { width: 1440, height: 900 });
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
const transcript = page.getByRole('region', { name: 'Transcript' });
const visit = async (path: string) => {
  await page.goto(site.base + path);
  await settled(page, 'Turn 0');
};

describe('an answer', () => {
  test('is rendered, and runs nothing', async () => {
    await visit(`/sessions/${ID}?turn=0`);
    await transcript.locator('.md-heading', { hasText: 'What was wrong' }).waitFor();
    await transcript
      .locator('strong', { hasText: /^twice$/ })
      .first()
      .waitFor();
    await transcript.getByRole('cell', { name: 'src/cache.ts' }).waitFor();
    await transcript.locator('.markdown pre .k2').first().waitFor();
    await transcript.getByText('<b onclick=').waitFor();
    await expect.poll(() => transcript.locator('a[href^="javascript"], img, script, b').count()).toBe(0);
    await expect.poll(() => page.evaluate('globalThis.evil')).toBeUndefined();
    await expect.poll(() => axeViolations(page)).toEqual([]);
  });

  test('a path in it leads to the code at the line', async () => {
    await transcript.getByRole('link', { name: 'src/tile.ts:14' }).click();
    await page.waitForURL(/\/code\?file=.*tile\.ts&line=14/);
    await page.locator('[data-line="14"].on').waitFor();
    await page.goBack();
    await settled(page, 'Turn 0');
  });
});

describe('a call', () => {
  test('of another agent shows its answer as Markdown', async () => {
    await visit(`/sessions/${ID}?turn=1`);
    await transcript.locator('.result .md-heading', { hasText: 'Verdict' }).waitFor();
    await page.goto(`${site.base}/sessions/${ID}?turn=0`);
  });

  test('is headed by its path and its lines; changed words are marked', async () => {
    const tool = transcript.locator('.tool', { hasText: 'Edit' }).first();
    await tool.getByText('+2').waitFor();
    await expect.poll(() => tool.locator('.tool-head').textContent()).toContain('−2');
    await expect.poll(() => tool.locator('.tool-head').textContent()).not.toContain('replace_all');
    await expect
      .poll(async () => (await tool.locator('mark').allTextContents()).join('|'))
      .toMatch(/^store\|cache\|await/);
    await expect
      .poll(() => tool.locator('.diff-same').allTextContents())
      .toEqual([' const a = 1;\n', ' const c = 3;\n']);
    await tool.getByRole('link', { name: /tile\.ts/ }).waitFor();
  });

  test('steps have a cost, calls a duration', async () => {
    await visit(`/sessions/${MAIN_SESSION.slice(0, 8)}?turn=0`);
    await transcript.getByText(/\$\d/).first().waitFor();
    const steps = await site.api('GET', `/api/agent-sessions/${MAIN_SESSION}/turns/0/steps`);
    // Agents have a budget, so this is for the page alone.
    expect(JSON.stringify(steps)).toContain('cost_usd');
  });
});

describe('a long session', () => {
  test('shows prompts, failures or edits alone', async () => {
    await visit(`/sessions/${ID}`);
    await page.getByRole('button', { name: 'Failures' }).click();
    await transcript.getByText('at src/tile.test.ts:31').waitFor();
    await expect.poll(() => transcript.locator('.step').count()).toBe(1);
    await page.getByRole('button', { name: 'Prompts' }).click();
    await expect.poll(() => transcript.locator('.turn-head').count()).toBe(2);
    await expect.poll(() => transcript.locator('.step').count()).toBe(0);
    await page.getByRole('button', { name: 'Edits' }).click();
    await transcript.locator('.diff').waitFor();
    await page.getByRole('button', { name: 'Everything' }).click();
  });

  test('is searched from end to end with the keyboard', async () => {
    await visit(`/sessions/${MAIN_SESSION.slice(0, 8)}`);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('AssertionError');
    await page.getByText(/^– of \d+/).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/turn=\d+&step=\d+&event=\d+/);
    await page.getByText(/^1 of \d+/).waitFor();
    const first = page.url();
    await page.keyboard.press('Enter');
    await page.getByText(/^2 of \d+/).waitFor();
    await expect.poll(() => page.url()).not.toBe(first);
    await page.keyboard.press('Shift+Enter');
    await page.getByText(/^1 of \d+/).waitFor();
    // The step of the first hit may have to be read again before there is something to mark.
    await expect.poll(() => page.evaluate<number>("CSS.highlights.get('found').size")).toBeGreaterThan(0);
  });

  test('f goes to the failed call itself', async () => {
    await visit(`/sessions/${MAIN_SESSION.slice(0, 8)}`);
    await page.keyboard.press('f');
    await transcript.locator('.tool-failed.current').waitFor();
  });

  test('is laid out by event or by the clock', async () => {
    await page.getByRole('button', { name: 'By time' }).click();
    await page.waitForURL(/axis=time/);
    const box = page.locator('.strips-box');
    for (const [y, says] of [
      [20, /^context \S+( of \S+)? tokens$/],
      [70, /^turn \d+: \S+ tokens, \d+[smhd]/],
      [110, /^turn \d+, step \d+: \w+, /],
    ] as const) {
      await box.hover({ position: { x: 300, y } });
      await page.locator('.strips .tip').getByText(says).waitFor();
    }
  });

  test('on a phone, a tapped turn opens', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(`/sessions/${MAIN_SESSION.slice(0, 8)}`);
    // The title has room beside the buttons.
    const heading = page.getByRole('heading', { level: 1 });
    await expect.poll(async () => (await heading.boundingBox())?.width).toBeGreaterThan(200);
    await page.locator('.turn-link').nth(3).click();
    await expect.poll(() => transcript.locator('.turn-head.current').isVisible()).toBe(true);
    await expect
      .poll(async () => ((await transcript.locator('.turn-head.current').boundingBox())?.y ?? 9_999) < 844)
      .toBe(true);
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

test('link, resume command and export', async () => {
  await visit(`/sessions/${ID}?turn=1`);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
  await page.getByRole('button', { name: 'Copy resume command' }).click();
  await expect
    .poll(() => page.evaluate('navigator.clipboard.readText()'))
    .toBe(`cd ${site.project} && claude --resume ${ID}`);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const written = readFileSync(await (await saved).path(), 'utf8');
  expect(written).toContain('## What was wrong');
  expect(written).toMatch(/## Prompt · e\d+ · [\d :-]+\n\nthanks/);
});

test('nothing went wrong in the page', () => expect(problems).toEqual([]));
