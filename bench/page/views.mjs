import { at, milliseconds, note } from './report.mjs';

const ROUNDS = 5;

/** From the address to the content of every view, from a warm process. */
export async function viewTimes(browser, base, index, folder) {
  const views = [
    ['/', 'Connect your agent'],
    [`/disk/${index.index_id}?tab=largest`, 'Oldest'],
    [`/disk/${index.index_id}?tab=again`, 'that tools make again'],
    ['/sessions', '1 session'],
    ['/sessions/usage', 'By model'],
    ['/sessions/usage?by=project&since=365d&show=tokens', 'By project'],
    ['/sessions/files', 'file'],
    [`/code?path=${encodeURIComponent(folder)}`, 'What are you looking for'],
    ['/activity?who=all', 'By operation'],
    ['/sql?q=SELECT+id+AS+session,+cost+FROM+sessions', 'rows'],
    ['/settings', 'Keep copies of logs'],
  ];
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  for (const [path, shows] of views) {
    const times = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const begun = performance.now();
      await page.goto(base + path);
      await page.getByText(shows).first().waitFor({ state: 'attached' });
      times.push(performance.now() - begun);
    }
    // The first one warms the background process.
    note(
      `view: ${path.split('?')[0]}${path.includes('tab=') ? ` ${path.split('tab=')[1]}` : ''}`,
      milliseconds(at(times.slice(1), 0.5)),
    );
  }
  await page.close();
}
