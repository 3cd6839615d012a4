import { signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const KEY = 'pinhole.theme';
const system = matchMedia('(prefers-color-scheme: dark)');

/** The theme; theme.js, inside the HTML, sets it before the first paint. */
export const theme = signal<Theme>(document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');

system.addEventListener('change', () => {
  if (stored() === undefined) show(system.matches ? 'dark' : 'light');
});

export function switchTheme(): void {
  show(theme.value === 'dark' ? 'light' : 'dark');
  try {
    localStorage.setItem(KEY, theme.value);
  } catch {
    // No access to storage: the choice lasts until the page is closed.
  }
}

function show(next: Theme): void {
  document.documentElement.dataset.theme = next;
  theme.value = next;
}

function stored(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** The value of a colour in the style sheet, for canvases. */
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
