import { at } from './at.ts';
import type { Terminal } from './caller.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar for a share from 0 to 1; in ASCII if the terminal shows no other characters. */
export function bar(share: number, width: number, { unicode }: Pick<Terminal, 'unicode'>): string {
  const whole = Math.min(1, Math.max(0, share)) * width;
  if (!unicode) return '#'.repeat(Math.round(whole));
  const eighths = Math.round(whole * 8);
  return '█'.repeat(eighths >> 3) + at(EIGHTHS, eighths & 7);
}

/** The same with the rest of the width filled. */
export function gauge(share: number, width: number, terminal: Pick<Terminal, 'unicode'>): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return terminal.unicode
    ? `${'█'.repeat(full)}${'░'.repeat(width - full)}`
    : `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`;
}
