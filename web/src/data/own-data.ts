import { signal } from '@preact/signals';
import { listen } from './live.ts';

/** The folder in which Pinhole keeps its data; undefined until it is known, and on a team server. */
const ownFolder = signal<string | undefined>(undefined);

export function startOwnData(): void {
  listen('hello', ({ data_folder }) => {
    ownFolder.value = data_folder;
  });
}

/** True for what Pinhole itself needs, and never moves to the trash. */
export function isOwnData(path: string): boolean {
  return ownFolder.value !== undefined && `${path}/`.startsWith(`${ownFolder.value}/`);
}
