import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { cardsOf } from '../sessions/session-cards.ts';
import type { IconName } from '../ui/icon.tsx';
import { pageLinks } from './router.ts';

/** Something the search field can open. */
export interface Suggestion {
  readonly href: string;
  readonly label: string;
  readonly detail: string;
  readonly icon: IconName;
}

const DEBOUNCE_MS = 150;
/** How many indexes are offered for a search by name. */
const MAX_INDEXES = 2;
const SESSION_ID = /^[0-9a-f]{6,}(-[0-9a-f-]*)?$/i;
const isPath = (text: string) => /^(\/|~)/.test(text);

/** What an id may name, by its first letter. */
const HANDLES: readonly {
  readonly letter: string;
  readonly detail: string;
  readonly icon: IconName;
  readonly href: (id: string) => string;
}[] = [
  { letter: 'i', detail: 'disk index', icon: 'disk', href: pageLinks.index },
  { letter: 'j', detail: 'job', icon: 'activity', href: pageLinks.job },
  { letter: 's', detail: 'selection', icon: 'disk', href: pageLinks.selection },
  { letter: 'q', detail: 'saved query', icon: 'disk', href: pageLinks.query },
  { letter: 'p', detail: 'clean-up plan', icon: 'disk', href: pageLinks.plan },
];

/** Suggestions that need no call. */
function instantSuggestions(text: string): Suggestion[] {
  if (text === '') return [];
  if (isPath(text)) {
    return [
      { href: pageLinks.path(text), label: text, detail: 'open folder', icon: 'folder' },
      {
        href: pageLinks.fileHistory(text),
        label: text,
        detail: 'sessions that touched it',
        icon: 'sessions',
      },
    ];
  }
  const handles = HANDLES.filter(({ letter }) => text.startsWith(letter) && /^\w\d+$/.test(text));
  return [
    ...handles.map(({ detail, icon, href }) => ({ href: href(text), label: text, detail, icon })),
    ...(SESSION_ID.test(text)
      ? [{ href: pageLinks.session(text), label: text, detail: 'session', icon: 'sessions' as const }]
      : []),
    { href: pageLinks.code({ q: text }), label: text, detail: 'search in code', icon: 'code' },
    {
      href: pageLinks.sessionSearch({ q: text }),
      label: text,
      detail: 'search in sessions',
      icon: 'sessions',
    },
  ];
}

/** A filter is made of words, so spaces in a name become wildcards for one character. */
function nameFilter(text: string): string {
  return /\s/.test(text) ? `*${text.replace(/\s+/g, '?')}*` : text;
}

/** Searches by name in the largest indexes. */
async function diskSuggestions(text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  if (isPath(text)) return [];
  const { data } = await call('disk_indexes', {}, { signal });
  return [...data.indexes]
    .sort((a, b) => b.disk_size - a.disk_size)
    .slice(0, MAX_INDEXES)
    .map(({ index_id, root }) => ({
      href: pageLinks.index(index_id, { tab: 'largest', f: nameFilter(text) }),
      label: text,
      detail: `names in ${root}`,
      icon: 'disk',
    }));
}

/** Sessions whose title contains the text. */
async function sessionSuggestions(text: string, signal: AbortSignal): Promise<readonly Suggestion[]> {
  const { data } = await call('list_sessions', { limit: 50 }, { signal });
  const lower = text.toLowerCase();
  return cardsOf(data)
    .filter((card) => (card.title ?? card.snippet).toLowerCase().includes(lower))
    .slice(0, 5)
    .map((card) => ({
      href: pageLinks.session(card.id),
      label: card.title ?? card.snippet,
      detail: card.id,
      icon: 'sessions',
    }));
}

/** Where a text may lead: searches in everything, and sessions whose title contains it. */
export function useSuggestions(text: string): readonly Suggestion[] {
  const wanted = text.trim();
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  useEffect(() => {
    setFound([]);
    if (wanted.length < 3) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const parts = await Promise.all(
        [diskSuggestions, sessionSuggestions].map((find) => find(wanted, stop.signal).catch(() => [])),
      );
      if (!stop.signal.aborted) setFound(parts.flat());
    }, DEBOUNCE_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [wanted]);
  return [...instantSuggestions(wanted), ...found];
}
