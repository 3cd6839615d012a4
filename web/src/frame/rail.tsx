import { Icon } from '../ui/icon.tsx';
import { VIEWS } from '../views.ts';
import { currentView } from './current-view.ts';

/** Links to all views. */
export function Rail() {
  const current = currentView();
  return (
    <nav class="rail" aria-label="Views">
      <a href="/" class="brand">
        <span class="hidden-text">Pinhole</span>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <circle cx="16" cy="16" r="11" />
          <circle class="hole" cx="16" cy="16" r="3.2" />
        </svg>
      </a>
      {VIEWS.map((view) => (
        <a
          key={view.path}
          href={view.path}
          class="rail-link"
          aria-current={view === current ? 'page' : undefined}
        >
          <Icon name={view.icon} />
          <span>{view.label}</span>
        </a>
      ))}
    </nav>
  );
}
