import { Tabs } from '../ui/basics.tsx';

const ITEMS = [
  { id: 'list', label: 'Sessions', href: '/sessions' },
  { id: 'search', label: 'Search', href: '/sessions/search' },
  { id: 'files', label: 'Files', href: '/sessions/files' },
  { id: 'usage', label: 'Usage', href: '/sessions/usage' },
] as const;

/** The views on all sessions. */
export function SubTabs({ current }: { readonly current: (typeof ITEMS)[number]['id'] }) {
  return (
    <>
      <h1 class="hidden-text">Agent sessions: {ITEMS.find(({ id }) => id === current)?.label}</h1>
      <Tabs label="Views of sessions" items={ITEMS} current={current} />
    </>
  );
}
