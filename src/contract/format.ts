import type { TextStyle } from './operation.ts';
import { shownLength } from './painted-text.ts';

/** Numbers, sizes and times as people read them; JSON keeps them plain. */

const IEC = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
const SI = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** `412316860416` as `412.3 GB`. What is more than can be told exactly is "at least" that. */
export function sizeText(bytes: number, units: TextStyle['units'] = 'si'): string {
  return bytes >= Number.MAX_SAFE_INTEGER ? `at least ${inUnits(bytes, units)}` : inUnits(bytes, units);
}

function inUnits(bytes: number, units: TextStyle['units']): string {
  if (units === 'bytes') return `${countText(bytes)} B`;
  const base = units === 'iec' ? 1024 : 1000;
  const names = units === 'iec' ? IEC : SI;
  let step = 0;
  let value = bytes;
  // 0.9995 rounds up to the next unit instead of showing 1000.0.
  while (value >= base * 0.9995 && step < names.length - 1) {
    value /= base;
    step++;
  }
  return step === 0 ? `${bytes} B` : `${value.toFixed(1)} ${names[step]}`;
}

/** `1 turn`, `3 turns`; a plural that does not end in s is passed in. */
export function countOf(count: number, thing: string, things = `${thing}s`): string {
  return `${countText(count)} ${count === 1 ? thing : things}`;
}

/** `18211` as `18,211`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `3074273` as `3.07M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 999_500) return `${trimmed(count / 1_000)}k`;
  if (count < 999_500_000) return `${trimmed(count / 1_000_000)}M`;
  return `${trimmed(count / 1_000_000_000)}B`;
}

function trimmed(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** How long ago, in the largest unit: `2m ago`. */
export function agoText(at: number, now: number): string {
  return `${durationText(Math.max(0, now - at) / 1000)} ago`;
}

/** `3520` seconds as `59m`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}s`;
  if (seconds < 3_600) return `${Math.round(seconds / 60)}m`;
  if (seconds < 48 * 3_600) return `${Math.round(seconds / 3_600)}h`;
  return `${Math.round(seconds / 86_400)}d`;
}

/** A moment to the second as `2026-11-14T21:40:05Z`; file systems keep times that no calendar has. */
export function momentText(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString().replace(/\.\d+Z$/, 'Z') : 'unknown';
}

/** Pads each column to its widest cell; numbers are given as already formatted, right-aligned columns by index. */
export function columns(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, shownLength(cell));
    });
  return rows
    .map((row) =>
      row
        .map((cell, i) => {
          const space = ' '.repeat((widths[i] ?? 0) - shownLength(cell));
          return right.includes(i) ? space + cell : cell + space;
        })
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
