import { at, LIMITS, milliseconds, note, report } from './report.mjs';

/** Scrolls a long session as fast as the screen can show it. */
export async function scrolling(browser, base, session) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${base}/sessions/${session}`);
  await page.locator('.transcript .step').first().waitFor();
  const total = await page.evaluate(
    "document.querySelector('.transcript .virtual-space')?.clientHeight ?? 0",
  );
  const frames = await page.evaluate(`new Promise((resolve) => {
    const list = document.querySelector('.transcript .virtual');
    const frames = [];
    let last = performance.now();
    const step = (now) => {
      frames.push(now - last);
      last = now;
      list.scrollTop += 120;
      if (frames.length < 300) requestAnimationFrame(step);
      else resolve(frames.slice(2));
    };
    requestAnimationFrame(step);
  })`);
  note('the large session, height', `${total} px`);
  const median = at(frames, 0.5);
  // A 60 Hz screen shows a frame every 16.7 ms; timers round to tenths.
  report('session: scroll frame, median', milliseconds(median), median - 0.2, LIMITS.scrollFrameMs, 'ms');
  report(
    'session: scroll frame, 95 %',
    milliseconds(at(frames, 0.95)),
    at(frames, 0.95) - 0.2,
    LIMITS.scrollFrameMs,
    'ms',
  );
  await page.close();
}
