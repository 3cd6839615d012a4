import { useEffect, useState } from 'preact/hooks';
import type { IconName } from '../ui/icon.tsx';
import { VIEWS } from '../views.ts';
import { commitSuggestions } from './commit-suggestions.ts';
import {
  codeSuggestions,
  fileSuggestions,
  projectSuggestions,
  sessionSuggestions,
} from './live-suggestions.ts';
import { pageLinks } from './router.ts';
import { switchTheme } from './theme.ts';

/** Something the search field can open or do. */
export interface Suggestion {
  readonly href: string;
  readonly label: string;
  readonly detail: string;
  readonly icon: IconName;
  /** Runs instead of opening the address. */
  readonly run?: () => void;
}

export interface SuggestionGroup {
  readonly title: string;
  readonly suggestions: readonly Suggestion[];
}

const DEBOUNCE_MS = 60;
const MIN_CHARACTERS = 2;
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

/** Places that the text itself names. */
function named(text: string): readonly Suggestion[] {
  if (isPath(text)) {
    return [
      { href: pageLinks.path(text), label: text, detail: 'open on disk', icon: 'folder' },
      { href: pageLinks.code({ file: text }), label: text, detail: 'read the file', icon: 'file' },
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
  ];
}

const ACTIONS: readonly Suggestion[] = [
  ...VIEWS.map(({ path, label, icon, key }) => ({
    href: path,
    label: `Go to ${label}`,
    detail: `g ${key}`,
    icon,
  })),
  { href: pageLinks.usage, label: 'Go to usage and cost', detail: '', icon: 'sessions' },
  { href: '#theme', label: 'Switch between light and dark', detail: 't', icon: 'moon', run: switchTheme },
];

function actions(text: string): readonly Suggestion[] {
  const lower = text.toLowerCase();
  return ACTIONS.filter(({ label }) => lower === '' || label.toLowerCase().includes(lower));
}

/** Links to the full searches, for everything beyond the few best results. */
function searches(text: string): readonly Suggestion[] {
  return [
    { href: pageLinks.code({ q: text }), label: text, detail: 'search in code', icon: 'code' },
    {
      href: pageLinks.sessionSearch({ q: text }),
      label: text,
      detail: 'search in sessions',
      icon: 'sessions',
    },
  ];
}

/** Each is asked separately, so that a slow one does not hold up the others. */
const SOURCES = [
  ['Code', codeSuggestions],
  ['Sessions', sessionSuggestions],
  ['Files and folders', fileSuggestions],
  ['Projects', projectSuggestions],
  ['Commits', commitSuggestions],
] as const;

type Found = Readonly<Record<string, readonly Suggestion[]>>;

/** Suggestions for a text: places it names, live results from everywhere, and actions. */
export function useSuggestions(text: string, open: boolean): readonly SuggestionGroup[] {
  const wanted = text.trim();
  const [found, setFound] = useState<{ readonly text: string; readonly groups: Found }>({
    text: '',
    groups: {},
  });
  useEffect(() => {
    if (!open || wanted.length < MIN_CHARACTERS || isPath(wanted)) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      for (const [title, find] of SOURCES) {
        find(wanted, stop.signal).then(
          (suggestions) =>
            !stop.signal.aborted &&
            setFound((before) => ({
              text: wanted,
              groups: { ...(before.text === wanted ? before.groups : {}), [title]: suggestions },
            })),
          () => {},
        );
      }
    }, DEBOUNCE_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [wanted, open]);
  if (!open) return [];
  // Never show the results of another text: Enter would open them.
  const live = found.text === wanted ? found.groups : {};
  const doing = { title: 'Actions', suggestions: actions(wanted) };
  // A text that is part of an action's name means the action, but two letters are in many names.
  const first = wanted.length > MIN_CHARACTERS;
  return [
    { title: 'Open', suggestions: named(wanted) },
    ...(first ? [doing] : []),
    ...SOURCES.map(([title]) => ({ title, suggestions: live[title] ?? [] })),
    ...(first ? [] : [doing]),
    { title: 'Search', suggestions: wanted === '' || isPath(wanted) ? [] : searches(wanted) },
  ].filter(({ suggestions }) => suggestions.length > 0);
}
