import { currentView } from './current-view.ts';
import { segment } from './router.ts';
import { subject } from './title.ts';

/** The current view, and what it shows. */
export function Breadcrumb() {
  const view = currentView();
  if (view === undefined || view.path === '/') return null;
  // The disk view itself shows a path, with a link for each folder.
  const name = view.path === '/disk' && subject.value?.startsWith('/') ? undefined : subject.value;
  const deep = segment(1) !== undefined;
  return (
    <nav class="breadcrumb" aria-label="Breadcrumb">
      <a href={view.path} aria-current={deep || name ? undefined : 'page'}>
        {view.label}
      </a>
      {name && (
        <>
          <span aria-hidden="true">/</span>
          <span class="cut" title={name} aria-current="page">
            {name}
          </span>
        </>
      )}
    </nav>
  );
}
