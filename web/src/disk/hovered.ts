import { signal } from '@preact/signals';

/** The node under the pointer, in the map or in the list beside it; both mark it. */
export const hovered = signal<string | undefined>(undefined);
