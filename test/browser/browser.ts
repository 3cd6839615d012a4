import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import type { Site } from './site.ts';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** An installed Chromium (or the one named by PINHOLE_CHROMIUM), otherwise the one from npm. */
export async function launchBrowser(...flags: readonly string[]): Promise<Browser> {
  const installed = [process.env.PINHOLE_CHROMIUM ?? '', ...INSTALLED].find(
    (path) => path !== '' && existsSync(path),
  );
  // Root cannot use the sandbox, and build machines often run as root.
  const args = ['--no-sandbox', '--font-render-hinting=none', ...flags];
  if (installed !== undefined) return chromium.launch({ executablePath: installed, args });
  try {
    return await chromium.launch({ executablePath: await broughtByNpm(), args });
  } catch {
    // System libraries may be missing: with this variable, the package unpacks its own.
    process.env.AWS_EXECUTION_ENV ??= 'AWS_Lambda_nodejs20.x';
    return chromium.launch({ executablePath: await broughtByNpm(), args });
  }
}

async function broughtByNpm(): Promise<string> {
  const { default: brought } = await import('@sparticuz/chromium');
  return brought.executablePath();
}

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong on the page so far: console errors, exceptions, requests that failed or left the machine. */
  readonly problems: string[];
}

export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** False for a browser that is not signed in. */
  readonly signedIn?: boolean;
}

/** A fresh page that records everything that goes wrong. */
export async function openPage(
  browser: Browser,
  { base, cookie }: Pick<Site, 'base' | 'cookie'>,
  options: PageOptions = {},
): Promise<OpenPage> {
  const { theme = 'light', width = 1280, height = 800, signedIn = true } = options;
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height },
    reducedMotion: 'reduce',
    locale: 'en-GB',
  });
  if (signedIn) {
    const [name = '', value = ''] = (await cookie()).split('=');
    await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: 'Strict' }]);
  }
  // Far more than any step takes: a busy machine must not fail a test.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:'))
      problems.push(`leaves: ${request.url()}`);
  });
  return { page, context, problems };
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Which axe rules to run. */
export type AxeRules = { readonly type: 'tag' | 'rule'; readonly values: readonly string[] };

export const EVERYTHING: AxeRules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
export const COLOURS: AxeRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** What axe finds on the page, one line each. */
export async function axeViolations(page: Page, rules = EVERYTHING): Promise<string[]> {
  // Injected through the debugger: the page's own policy allows no foreign scripts.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource);
  return page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(options: unknown): Promise<{
            violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
          }>;
        };
      };
      const { violations } = await axe.run(options);
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary?.split('\n')[1] ?? ''}`),
      );
    },
    { runOnly: rules },
  );
}

/** Waits until a text is visible and nothing is loading any more. */
export async function settled(page: Page, shows: string): Promise<void> {
  await page.getByText(shows, { exact: false }).first().waitFor({ state: 'attached' });
  const loading = page.locator('.skeleton, .skeleton-box').first();
  await loading.waitFor({ state: 'detached' });
}

/** Waits until there were no requests for a moment; the stream of changes stays open and does not count. */
export async function idle(page: Page, ms = 300): Promise<void> {
  let last = performance.now();
  let open = 0;
  const counts = (request: Request) => !request.url().includes('/api/live');
  const begin = (request: Request) => {
    if (counts(request)) open++;
    last = performance.now();
  };
  const end = (request: Request) => {
    if (counts(request)) open--;
    last = performance.now();
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  while (open > 0 || performance.now() - last < ms) await page.waitForTimeout(30);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}

/** In the page: text outside its panel, or squeezed to nothing. */
const FIND_UNREADABLE = `(() => {
  const scrolls = (element) => /auto|scroll|hidden/.test(getComputedStyle(element).overflowX);
  const found = [];
  for (const panel of document.querySelectorAll('.panel')) {
    const edge = panel.getBoundingClientRect();
    for (const element of panel.querySelectorAll('*')) {
      const own = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
      if (!own || element.closest('.hidden-text, svg, option')) continue;
      const box = element.getBoundingClientRect();
      if (box.height === 0 || !element.checkVisibility()) continue;
      let above = element.parentElement;
      while (above !== panel && !scrolls(above)) above = above.parentElement;
      const text = element.tagName.toLowerCase() + ': ' + element.textContent.slice(0, 60);
      if (above === panel && !scrolls(panel) && box.right > edge.right + 1) found.push('outside its panel: ' + text);
      if (box.width < 8 && element.textContent.trim().length > 3) found.push('squeezed: ' + text);
    }
  }
  return found;
})()`;

/** Text that cannot be read where it is, one line each. */
export function unreadable(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FIND_UNREADABLE);
}

/** How many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
