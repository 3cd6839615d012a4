import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shownText } from '../ui/shown-text.ts';

const LONGEST = 80;

/** What the view is about: a session, a folder, a question. Tabs and the history of the browser show it. */
export const about = signal<string | undefined>(undefined);

/** Names what the view is about while it is shown. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    const line = shownText(text ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    about.value = line === '' ? undefined : line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
    return () => {
      about.value = undefined;
    };
  }, [text]);
}
