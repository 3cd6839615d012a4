import { pageLinks } from '../frame/router.ts';
import { Tabs } from '../ui/basics.tsx';

const ITEMS = [
  { id: 'list', label: 'Sessions', href: pageLinks.sessions() },
  { id: 'search', label: 'Search', href: pageLinks.sessionSearch() },
  { id: 'files', label: 'Files', href: pageLinks.fileHistory() },
  { id: 'usage', label: 'Usage', href: pageLinks.usage },
] as const;

/** The tabs of the sessions view. */
export function SessionsTabs({ current }: { readonly current: (typeof ITEMS)[number]['id'] }) {
  return (
    <>
      <h1 class="hidden-text">Agent sessions: {ITEMS.find(({ id }) => id === current)?.label}</h1>
      <Tabs label="Sessions" items={ITEMS} current={current} />
    </>
  );
}
