import { CLIENT_NAMES, type Client } from './client.ts';
import { EDITOR_CLIENTS } from './editor-clients.ts';
import { anyExists, onPath, type Place } from './place.ts';
import { TERMINAL_CLIENTS } from './terminal-clients.ts';

/** Every client that setup knows, the most common ones first. */
export const CLIENTS: readonly Client[] = CLIENT_NAMES.flatMap((name) =>
  [...TERMINAL_CLIENTS, ...EDITOR_CLIENTS].filter((client) => client.name === name),
);

/** Whether the client seems to be installed for this user. */
export function isInstalled(client: Client, place: Place): boolean {
  return anyExists(client.traces(place)) || client.binaries.some((name) => onPath(name, place) !== undefined);
}
