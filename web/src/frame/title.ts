import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { shownText } from '../ui/shown-text.ts';

const MAX_CHARACTERS = 80;

/** What the view shows: a session, a folder, a search. It is in the title of the browser tab and in the breadcrumb. */
export const subject = signal<string | undefined>(undefined);

/** Names what the view shows, while it is shown. */
export function useTitle(text: string | undefined): void {
  useEffect(() => {
    const line = shownText(text ?? '')
      .replace(/\s+/g, ' ')
      .trim();
    const short = line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
    subject.value = short === '' ? undefined : short;
    return () => {
      subject.value = undefined;
    };
  }, [text]);
}
