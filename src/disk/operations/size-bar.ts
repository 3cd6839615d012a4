import { at } from '../../contract/at.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of block characters for a share from 0 to 1. */
export function sizeBar(share: number, width = 20): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  return '█'.repeat(eighths >> 3) + at(EIGHTHS, eighths & 7);
}
