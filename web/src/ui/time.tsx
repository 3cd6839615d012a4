import { signal } from '@preact/signals';
import { ageText } from './age-text.ts';

/** Updated every half minute, so that "2m ago" stays right. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 30_000);

/** How long ago, with the exact time as a tooltip. */
export function Ago({ at }: { readonly at: string | number }) {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (!Number.isFinite(ms)) return <span>unknown</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={new Date(ms).toLocaleString()}>
      {ageText(ms, Math.max(now.value, ms))}
    </time>
  );
}

/** `21:40` today, `11-14 21:40` this year, `2025-11-14` before, in local time. */
export function shortTime(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const two = (n: number) => String(n).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}`;
  const today = new Date(now.value);
  if (today.toDateString() === date.toDateString()) return clock;
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return today.getFullYear() === date.getFullYear() ? `${day} ${clock}` : `${date.getFullYear()}-${day}`;
}
