import { useEffect, useState } from 'preact/hooks';
import { get } from '../data/client.ts';
import type { IndexCard } from '../disk/types.ts';
import type { SessionCard } from '../sessions/types.ts';
import type { IconName } from '../ui/icon.tsx';
import { href } from './router.ts';

/** Something the search field can open. */
export interface Suggestion {
  readonly href: string;
  readonly label: string;
  readonly detail: string;
  readonly icon: IconName;
}

const WAIT_MS = 150;
/** So many indexes are offered for a search by name. */
const DISKS = 2;
const SESSION = /^[0-9a-f]{6,}(-[0-9a-f-]*)?$/i;

/** Where a text can lead without asking anybody. */
function places(text: string): Suggestion[] {
  if (text === '') return [];
  if (/^(\/|~)/.test(text)) {
    return [
      { href: href('/disk', { path: text }), label: text, detail: 'open the folder', icon: 'folder' },
      {
        href: href('/sessions/files', { path: text }),
        label: text,
        detail: 'agents that touched it',
        icon: 'sessions',
      },
    ];
  }
  const handle = /^([ijpqs])\d+$/.exec(text)?.[1];
  const handles: Suggestion[] = [];
  if (handle === 'i')
    handles.push({ href: `/disk/${text}`, label: text, detail: 'disk index', icon: 'disk' });
  if (handle === 'j')
    handles.push({ href: `/activity/${text}`, label: text, detail: 'job', icon: 'activity' });
  if (handle === 's')
    handles.push({ href: `/disk/sets/${text}`, label: text, detail: 'selection', icon: 'disk' });
  if (handle === 'q')
    handles.push({ href: `/disk/queries/${text}`, label: text, detail: 'saved query', icon: 'disk' });
  if (handle === 'p')
    handles.push({ href: `/disk/plans/${text}`, label: text, detail: 'clean-up plan', icon: 'disk' });
  if (SESSION.test(text)) {
    handles.push({ href: `/sessions/${text}`, label: text, detail: 'session', icon: 'sessions' });
  }
  return [
    ...handles,
    { href: href('/code', { q: text }), label: text, detail: 'search in code', icon: 'code' },
    {
      href: href('/sessions/search', { q: text }),
      label: text,
      detail: 'search in sessions',
      icon: 'sessions',
    },
  ];
}

/** A filter is made of words: what is between those of a name may be any one character. */
function nameFilter(text: string): string {
  return /\s/.test(text) ? `*${text.replace(/\s+/g, '?')}*` : text;
}

/** Names in the largest indexes. */
async function namesOnDisk(text: string, stop: AbortSignal): Promise<readonly Suggestion[]> {
  if (/^(\/|~)/.test(text)) return [];
  const answer = await get<{ indexes: readonly IndexCard[] }>('/api/indexes', {}, stop);
  return [...answer.data.indexes]
    .sort((a, b) => b.disk_size - a.disk_size)
    .slice(0, DISKS)
    .map(({ index_id, root }) => ({
      href: href(`/disk/${index_id}`, { tab: 'largest', f: nameFilter(text) }),
      label: text,
      detail: `names in ${root}`,
      icon: 'disk',
    }));
}

/** Sessions whose title holds the text. */
async function titles(text: string, stop: AbortSignal): Promise<readonly Suggestion[]> {
  const answer = await get<{ sessions: readonly SessionCard[] }>('/api/agent-sessions', { limit: 50 }, stop);
  const lower = text.toLowerCase();
  return answer.data.sessions
    .filter((card) => (card.title ?? card.snippet).toLowerCase().includes(lower))
    .slice(0, 5)
    .map((card) => ({
      href: `/sessions/${card.id}`,
      label: card.title ?? card.snippet,
      detail: card.id,
      icon: 'sessions',
    }));
}

/** Places for a text: searches in everything, and sessions whose title holds it. */
export function useSuggestions(text: string): readonly Suggestion[] {
  const wanted = text.trim();
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  useEffect(() => {
    setFound([]);
    if (wanted.length < 3) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const parts = await Promise.all(
        [namesOnDisk, titles].map((find) => find(wanted, stop.signal).catch(() => [])),
      );
      if (!stop.signal.aborted) setFound(parts.flat());
    }, WAIT_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [wanted]);
  return [...places(wanted), ...found];
}
