import { at, LIMITS, milliseconds, note, report } from './report.mjs';

const ROUNDS = 5;

/** Follows a link on the page and returns how long each stage took. */
const follow = (link) =>
  new Promise((resolve) => {
    performance.clearMarks();
    performance.clearResourceTimings();
    const begun = performance.now();
    let skeleton;
    link.click();
    const look = () => {
      const now = performance.now();
      if (skeleton === undefined && document.querySelector('.skeleton, .skeleton-box, .treemap'))
        skeleton = now - begun;
      const [drawn] = performance.getEntriesByName('treemap-drawn');
      const answer = performance.getEntriesByType('resource').find(({ name }) => name.includes('/treemap'));
      if (drawn === undefined || !answer?.responseEnd) requestAnimationFrame(look);
      else
        resolve({
          skeleton,
          data: answer.responseEnd - answer.startTime,
          bytes: answer.decodedBodySize,
          // Until the frame that shows it: drawing ends one frame earlier.
          picture: now - answer.responseEnd,
          boxes: drawn.detail.boxes,
          content: now - begun,
        });
    };
    requestAnimationFrame(look);
  });

/** Clicks a box of the map and records how long each frame takes until the zoom ends. */
const zoom = () =>
  new Promise((resolve) => {
    const map = document.querySelector('.treemap');
    const { left, top, width, height } = map.getBoundingClientRect();
    const frames = [];
    const begun = performance.now();
    let last = begun;
    const place = { clientX: left + width * 0.3, clientY: top + height * 0.4, bubbles: true };
    map.dispatchEvent(new MouseEvent('click', place));
    const frame = () => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      if (now - begun < 600) requestAnimationFrame(frame);
      else resolve(frames);
    };
    requestAnimationFrame(frame);
  });

/** The map of a real index, loaded and drawn by the page as people see it. */
export async function diskMap(browser, base, index, flat) {
  const nodes = index.files + index.dirs;
  note('map: nodes of the index', nodes.toLocaleString('en'));
  const visits = [];
  const frames = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${base}/disk`);
    const link = await page.locator(`main a[href="/disk/${index.index_id}"]`).first().elementHandle();
    visits.push(await page.evaluate(follow, link));
    frames.push(...(await page.evaluate(zoom)));
    await page.close();
  }
  // The first visit warms up the background process.
  const warm = visits.slice(1);
  const middle = (pick) => at(warm.map(pick), 0.5);
  note('map: boxes in the picture', middle((one) => one.boxes).toLocaleString('en'));
  note('map: answer', `${(middle((one) => one.bytes) / 1000).toFixed(0)} kB`);
  const said = (name, value, limit) => report(name, milliseconds(value), value, limit, 'ms');
  said(
    'map: skeleton after the click',
    middle((one) => one.skeleton),
    LIMITS.skeletonMs,
  );
  note('map: data from a warm process', milliseconds(middle((one) => one.data)));
  said(
    'map: first picture after the data',
    middle((one) => one.picture),
    LIMITS.firstPictureMs,
  );
  said(
    'map: from the click to the picture',
    middle((one) => one.content),
    LIMITS.contentMs,
  );
  said('map: zoom frame, median', at(frames, 0.5), LIMITS.zoomFrameMs);
  said('map: zoom frame, 95 %', at(frames, 0.95), LIMITS.zoomFrameMs);
  note('map: zoom frame, longest', milliseconds(Math.max(...frames)));
  await flatFolder(browser, base, flat);
}

/** The worst case: one folder with nothing but files. */
async function flatFolder(browser, base, path) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(`${base}/disk?path=${encodeURIComponent(path)}`);
  await page.locator('.treemap canvas').first().waitFor();
  const [picture, boxes] = await page.evaluate(`new Promise((resolve) => {
    const look = () => {
      const [drawn] = performance.getEntriesByName('treemap-drawn');
      const answer = performance.getEntriesByType('resource').find(({ name }) => name.includes('/treemap'));
      if (drawn && answer) resolve([drawn.startTime - answer.responseEnd, drawn.detail.boxes]);
      else requestAnimationFrame(look);
    };
    look();
  })`);
  const name = `map: worst case, ${boxes.toLocaleString('en')} boxes in one folder`;
  report(name, milliseconds(picture), picture, LIMITS.firstPictureMs, 'ms');
  await page.close();
}
