import type uPlot from 'uplot';

/** What a browser says its language is. */
interface Languages {
  readonly language: string;
}

/**
 * Gives a browser whose language has no valid name one that has. The plotting code makes a formatter for that language
 * when it is loaded, and would fail: Chromium in the locale C speaks `en-US@posix`.
 */
export function nameLanguage(browser: Languages): void {
  try {
    new Intl.NumberFormat(browser.language);
  } catch {
    Object.defineProperty(browser, 'language', { value: 'en', configurable: true });
  }
}

/** The plotting code with its style. */
export async function loadPlot(): Promise<typeof uPlot> {
  nameLanguage(navigator);
  const [{ default: UPlot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  return UPlot;
}
