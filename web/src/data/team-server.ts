import { signal } from '@preact/signals';
import { listen } from './live.ts';

/** True if sessions come from several machines and people. */
export const teamServer = signal(false);

export function startTeamServer(): void {
  listen('hello', ({ team }) => {
    teamServer.value = team;
  });
}
