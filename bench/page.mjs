// The web page: weight of the first load, the map of a real index of 1.08 M nodes, scrolling through 5,000 events.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makeTree } from './disk-tree.mjs';
import { firstLoad } from './page/first-load.mjs';
import { diskMap } from './page/map.mjs';
import { scrolling } from './page/scrolling.mjs';
import { writeSession } from './page/session.mjs';
import { indexFolder, startPinhole } from './page/start-pinhole.mjs';
import { viewTimes } from './page/views.mjs';

const FILES = 1_000_000;

async function executable() {
  if (process.env.PINHOLE_CHROMIUM) return process.env.PINHOLE_CHROMIUM;
  const { default: brought } = await import('@sparticuz/chromium');
  return brought.executablePath();
}

/** A tree of a million files: that of PINHOLE_BENCH_TREE, made there if it is not, or a new one that is removed. */
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
  const session = writeSession(home);
  const folder = tree(home);
  const { base, api, signedIn, stop } = await startPinhole(home);
  const browser = await chromium.launch({ executablePath: await executable(), args: ['--no-sandbox'] });
  try {
    const person = signedIn(browser);
    await firstLoad(person, base);
    const index = await indexFolder(api, folder);
    await diskMap(person, base, index, join(folder, 'a/q1/flat'));
    await viewTimes(person, base, index, folder);
    await scrolling(person, base, session);
  } finally {
    await browser.close();
    stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}
