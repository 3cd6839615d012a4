import type { ComponentType } from 'preact';
import type { IconName } from './ui/icon.tsx';

export interface View {
  /** Its address; the view itself reads the rest of the path. */
  readonly path: `/${string}`;
  readonly label: string;
  readonly icon: IconName;
  /** `g` and then this key go there. */
  readonly key: string;
  /** Fetches its code when it is first shown. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/**
 * All views of the page, in the order of the rail. Navigation, titles, shortcuts, help and the server's list of
 * addresses come from here. The build runs this file by itself, so it must not import any code.
 */
export const VIEWS: readonly View[] = [
  { path: '/', label: 'Home', icon: 'home', key: 'h', load: () => import('./home/home-page.tsx') },
  {
    path: '/cockpit',
    label: 'Cockpit',
    icon: 'gauge',
    key: 'k',
    load: () => import('./cockpit/cockpit-page.tsx'),
  },
  { path: '/disk', label: 'Disk', icon: 'disk', key: 'd', load: () => import('./disk/disk-page.tsx') },
  {
    path: '/sessions',
    label: 'Sessions',
    icon: 'sessions',
    key: 's',
    load: () => import('./sessions/sessions-page.tsx'),
  },
  { path: '/code', label: 'Code', icon: 'code', key: 'c', load: () => import('./code/code-page.tsx') },
  {
    path: '/activity',
    label: 'Activity',
    icon: 'activity',
    key: 'a',
    load: () => import('./activity/activity-page.tsx'),
  },
  { path: '/sql', label: 'SQL', icon: 'table', key: 'q', load: () => import('./sql/sql-page.tsx') },
  {
    path: '/settings',
    label: 'Settings',
    icon: 'settings',
    key: ',',
    load: () => import('./settings/settings-page.tsx'),
  },
];
