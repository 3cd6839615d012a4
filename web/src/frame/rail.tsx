import { Icon, type IconName } from '../ui/icon.tsx';
import { place, segment } from './router.ts';

const VIEWS: readonly { readonly path: string; readonly label: string; readonly icon: IconName }[] = [
  { path: '/', label: 'Home', icon: 'home' },
  { path: '/disk', label: 'Disk', icon: 'disk' },
  { path: '/sessions', label: 'Sessions', icon: 'sessions' },
  { path: '/code', label: 'Code', icon: 'code' },
  { path: '/activity', label: 'Activity', icon: 'activity' },
];

/** The views, always in the same place. */
export function Rail() {
  const current = place.value.path === '/' ? '/' : `/${segment(0)}`;
  return (
    <nav class="rail" aria-label="Views">
      <a href="/" class="brand">
        <span class="hidden-text">Pinhole</span>
        <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
          <circle cx="16" cy="16" r="11" />
          <circle class="hole" cx="16" cy="16" r="3.2" />
        </svg>
      </a>
      {VIEWS.map(({ path, label, icon }) => (
        <a key={path} href={path} class="rail-link" aria-current={path === current ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{label}</span>
        </a>
      ))}
    </nav>
  );
}
