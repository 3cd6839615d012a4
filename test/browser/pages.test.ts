import { afterAll, expect, test } from 'vitest';
import {
  axeViolations,
  COLOURS,
  EVERYTHING,
  launchBrowser,
  openPage,
  overflow,
  settled,
  unreadable,
} from './browser.ts';
import { AGENTS, EVIL_SESSION, MAIN_SESSION } from './demo-sessions.ts';
import { openSite } from './site.ts';

const site = await openSite();
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await site.close();
});

const set = await site.api('POST', '/api/resource-sets', {
  name: 'old footage',
  index_id: site.index,
  node_ids: (await site.api('GET', `/api/indexes/${site.index}/reports/largest?limit=3`)).data.files.map(
    (file: { node_id: string }) => file.node_id,
  ),
});
const plan = await site.api('POST', `/api/resource-sets/${set.data.selection_id}/plan`);
const query = await site.api('POST', '/api/queries', {
  filter: { ext: 'mp4' },
  save_as: 'films',
  index_id: site.index,
});
const sessions = (await site.api('GET', '/api/agent-sessions?limit=50')).data.sessions;
const main = MAIN_SESSION.slice(0, 8);
const project = encodeURIComponent(site.project);

/** Every view, and the text that tells it is there. */
const VIEWS: readonly (readonly [path: string, shows: string])[] = [
  ['/', 'Connect your agent'],
  ['/cockpit', 'No agent is running'],
  ['/activity?who=all', 'By operation'],
  ['/activity', 'No calls in this period'],
  ['/activity/j1', 'Job j1'],
  ['/disk', 'Indexed folders'],
  [`/disk?path=${project}%2Fmedia`, 'footage'],
  [`/disk/${site.index}`, 'media'],
  [`/disk/${site.index}?by=age&f=ext:mp4`, 'match the filter'],
  [`/disk/${site.index}?tab=largest`, 'take-'],
  [`/disk/${site.index}?tab=types`, '.mp4'],
  [`/disk/${site.index}?tab=age`, '1 to 7 days ago'],
  [`/disk/${site.index}?tab=duplicates`, 'can be freed'],
  [`/disk/${site.index}?tab=growth`, 'Growth appears after'],
  [`/disk/${site.index}?tab=again`, 'npm install'],
  [`/disk/selections/${set.data.selection_id}`, 'old footage'],
  [`/disk/queries/${query.data.query_id}`, 'films'],
  [`/disk/plans/${plan.data.plan_id}`, 'draft'],
  ['/sessions', 'tiles load twice'],
  ['/sessions?provider=codex', 'retry settings'],
  [`/sessions/${main}`, 'Turn 0'],
  [`/sessions/${main}?turn=4&step=0&agents=${AGENTS[2].id}`, 'reviewer'],
  [`/sessions/${main}?side=findings`, 'of 100'],
  [`/sessions/${main}?side=files`, 'src/tile.ts'],
  [`/sessions/${main}?side=brief`, 'Last runs'],
  ['/sessions/search', 'Search everything agents'],
  [`/sessions/${EVIL_SESSION.slice(0, 8)}`, 'Turn 0'],
  ['/sessions/search?q=AssertionError', 'matches'],
  [`/sessions/compare?a=${main}&b=${sessions[1].id}`, 'They diverge at'],
  [`/sessions/files?path=${project}%2Fsrc%2Ftile.ts`, 'edit'],
  ['/sessions/usage', 'By model'],
  ['/sessions/usage?by=session&show=tokens&since=365d', 'By session'],
  [`/sessions/files?path=${project}%2Fsrc%2Ftile.ts&view=time`, 'Cost of the step'],
  ['/sessions/files', 'Files that sessions changed most'],
  [`/sessions/compare?a=${main}`, 'Sessions of the same project'],
  ['/sql', 'Examples'],
  ['/sql?q=SELECT+id+AS+session,+cost+FROM+sessions', 'rows'],
  ['/settings', 'Keep copies of logs'],
  ['/code', 'What are you looking for'],
  ['/code?q=loadTile&mode=regex', '1 match,'],
  ['/code?q=how+often+is+a+request+tried+again', 'results'],
  [`/code?file=${project}%2Fsrc%2Ftile.ts&line=12`, 'waitMs'],
  [`/code?file=${project}%2Fsrc%2Ftile.ts&line=12&symbol=loadTile`, 'No use of it is known'],
];

/** Themes differ in colours alone, so each width is checked whole once. */
const LOOKS = [
  { theme: 'light', width: 1280, rules: EVERYTHING },
  { theme: 'dark', width: 1280, rules: COLOURS },
  { theme: 'dark', width: 390, rules: EVERYTHING },
  { theme: 'light', width: 390, rules: COLOURS },
] as const;

const { page, problems } = await openPage(browser, site);

test.each(VIEWS)('%s is whole, accessible and silent in both themes and widths', async (path, shows) => {
  problems.length = 0;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(site.base + path);
  await settled(page, shows);
  for (const { theme, width, rules } of LOOKS) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 800 });
    await page.locator(`html[data-theme=${theme}]`).waitFor();
    const look = `${theme} ${width}`;
    await expect
      .poll(async () => ({ look, violations: await axeViolations(page, rules) }))
      .toEqual({ look, violations: [] });
    await expect
      .poll(async () => ({ look, overflow: Math.max(0, await overflow(page)) }))
      .toEqual({ look, overflow: 0 });
    await expect
      .poll(async () => ({ look, unreadable: await unreadable(page) }))
      .toEqual({ look, unreadable: [] });
  }
  expect(problems).toEqual([]);
});
