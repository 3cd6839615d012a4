import { at, LIMITS, milliseconds, note, report } from './report.mjs';

const ROUNDS = 3;

/** Time from the address to the content of every view, with a warm process; `large` is the id of a long session. */
export async function viewTimes(browser, base, index, folder, large) {
  const views = [
    ['home', '/', 'Connect your agent'],
    ['cockpit, nothing running', '/cockpit', 'No agent is running'],
    ['disk', '/disk', 'Indexed folders'],
    ['disk, largest', `/disk/${index.index_id}?tab=largest`, 'Oldest'],
    ['disk, types', `/disk/${index.index_id}?tab=types`, '.ts'],
    ['disk, what can be made again', `/disk/${index.index_id}?tab=again`, 'made again'],
    ['sessions', '/sessions', ' sessions'],
    ['sessions, by cost', '/sessions?sort=cost', ' sessions'],
    ['search in sessions', '/sessions/search?q=ticket', 'matches'],
    ['usage, 30 days', '/sessions/usage', 'By model'],
    ['usage, a year by project', '/sessions/usage?by=project&since=365d&show=tokens', 'By project'],
    ['files', '/sessions/files', 'Files that sessions changed most'],
    ['the large session', `/sessions/${large}`, 'Turn 0'],
    ['its findings', `/sessions/${large}?side=findings`, 'of 100'],
    ['its brief', `/sessions/${large}?side=brief`, 'Last runs'],
    ['code', `/code?path=${encodeURIComponent(folder)}`, 'What are you looking for'],
    ['activity', '/activity?who=all', 'By operation'],
    ['SQL', '/sql?q=SELECT+id+AS+session,+cost+FROM+sessions', 'rows'],
    ['settings', '/settings', 'Keep copies of logs'],
  ];
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  for (const [name, path, shows] of views) {
    const times = [];
    for (let round = 0; round <= ROUNDS; round++) {
      await page.goto('about:blank');
      const begun = performance.now();
      await page.goto(base + path, { waitUntil: 'commit' });
      // Looked for at every frame: a locator looks after 20, 50 and then every 100 ms.
      await page.waitForFunction(isShown, shows, { polling: 'raf' });
      times.push(performance.now() - begun);
    }
    // The first visit warms up the background process.
    note(`view: ${name}`, `${milliseconds(at(times.slice(1), 0.5))}, first ${milliseconds(times[0] ?? 0)}`);
  }
  await page.close();
}

/** Runs in the page: whether the view has the text. */
const isShown = (text) => {
  const words = (one) => (one ?? '').replace(/\s+/g, ' ').toLowerCase();
  return words(document.querySelector('#app')?.textContent).includes(words(text));
};

/** Replaces the typed text and returns how long the results took. */
const typed = ({ field, results, text, shows }) =>
  new Promise((resolve) => {
    const input = document.querySelector(field);
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
    input.focus();
    const type = (value) => {
      set.call(input, value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
    // Not a prefix of the text: its results would already contain the wanted one.
    type('zzzz');
    setTimeout(() => {
      const begun = performance.now();
      type(text);
      const look = () => {
        const found = [...document.querySelectorAll(results)].some((one) => one.textContent.includes(shows));
        const ms = performance.now() - begun;
        if (found || ms > 20_000) resolve(ms);
        else requestAnimationFrame(look);
      };
      look();
    }, 1_500);
  });

/** From the last key to its results, for each field that searches; 60 to 80 ms of each are spent waiting for more keys. */
export async function keystrokes(browser, base) {
  const fields = [
    ['search everything: a session', '/', '[role=combobox]', '#suggestions [role=option]', 'ticket 1'],
    ['search in sessions', '/sessions/search', '[type=search]', '[aria-label=Matches]', 'ticket 1'],
  ];
  for (const [name, path, field, results, stem] of fields) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(base + path);
    await page.locator(field).waitFor();
    const times = [];
    for (const end of ['237', '411', '519', '628', '744', '856']) {
      const text = `${stem}${end}`;
      // The field's own suggestion to search for the text has no comma before it.
      times.push(await page.evaluate(typed, { field, results, text, shows: `, ${text}` }));
    }
    const middle = at(times.slice(1), 0.5);
    report(`key to results: ${name}`, milliseconds(middle), middle, LIMITS.keystrokeMs, 'ms');
    await page.close();
  }
}
