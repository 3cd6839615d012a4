// The web page: size of the first load, the map of a large index, time to content of every view with 2,000 sessions
// and one of 100 MB, keystroke to results, scrolling.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makeTree } from './disk-tree.mjs';
import { firstLoad } from './page/first-load.mjs';
import { writeSessions } from './page/many-sessions.mjs';
import { diskMap } from './page/map.mjs';
import { scrolling } from './page/scrolling.mjs';
import { indexFolder, readLogs, startPinhole } from './page/start-pinhole.mjs';
import { keystrokes, viewTimes } from './page/views.mjs';

/** `PINHOLE_BENCH_FILES=300000 npm run bench -- page` makes a smaller tree. */
const FILES = Number(process.env.PINHOLE_BENCH_FILES ?? 1_000_000);
const SESSIONS = 2_000;
const LARGE_BYTES = 100_000_000;

async function executable() {
  if (process.env.PINHOLE_CHROMIUM) return process.env.PINHOLE_CHROMIUM;
  const { default: brought } = await import('@sparticuz/chromium');
  return brought.executablePath();
}

/** A tree of a million files: the one at PINHOLE_BENCH_TREE, made there if missing, or a temporary one. */
function tree(home) {
  const given = process.env.PINHOLE_BENCH_TREE;
  const folder = given ?? join(home, 'tree');
  if (!existsSync(folder)) {
    console.log(`making ${FILES.toLocaleString('en')} files in ${folder}`);
    makeTree(folder, FILES);
  }
  return realpathSync(folder);
}

export async function run() {
  const home = mkdtempSync(join(tmpdir(), 'pinhole-bench-page-'));
  console.log(`making ${SESSIONS.toLocaleString('en')} sessions and one of ${LARGE_BYTES / 1e6} MB`);
  const large = writeSessions(join(home, '.claude'), SESSIONS, LARGE_BYTES);
  const folder = tree(home);
  const { base, api, signedIn, stop } = await startPinhole(home);
  const browser = await chromium.launch({ executablePath: await executable(), args: ['--no-sandbox'] });
  try {
    const person = signedIn(browser);
    await readLogs(api, SESSIONS + 1);
    await firstLoad(person, base);
    const index = await indexFolder(api, folder);
    await diskMap(person, base, index, join(folder, 'a/q1/flat'));
    await viewTimes(person, base, index, folder, large);
    await keystrokes(person, base);
    await scrolling(person, base, large);
  } finally {
    await browser.close();
    stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
