import { signal } from '@preact/signals';
import { listen } from './live.ts';

/** The words that start Pinhole from a shell: npx, until the process has said how it was started. */
export const startWords = signal<readonly string[]>(['npx', '-y', '@pinhole-tools/pinhole']);

export function startStartWords(): void {
  listen('hello', ({ start }) => {
    startWords.value = start;
  });
}

/** A command line that works the way this Pinhole was started. */
export function commandLine(...words: readonly string[]): string {
  return [...startWords.value, ...words].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '\\"')}"`;
}
