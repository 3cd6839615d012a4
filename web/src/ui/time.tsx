import { signal } from '@preact/signals';
import { localDay, localMinute, localMoment } from '../../../src/contract/zone.ts';
import { ageText } from './age-text.ts';
import { zone } from './zone.ts';

/** Updated every half minute, so that "2m ago" stays correct. */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 30_000);

/** How long ago, with the exact time as a tooltip. */
export function Ago({ at }: { readonly at: string | number }) {
  const ms = typeof at === 'number' ? at : Date.parse(at);
  if (!Number.isFinite(ms)) return <span>unknown</span>;
  return (
    <time dateTime={new Date(ms).toISOString()} title={localMoment(new Date(ms).toISOString(), zone())}>
      {ageText(ms, Math.max(now.value, ms))}
    </time>
  );
}

/** `21:40` today, `11-14 21:40` this year, `2025-11-14` before, in the page's time zone. */
export function shortTime(at: string | number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = localMinute(date.toISOString(), zone()).split(' ');
  const today = localDay(now.value, zone());
  if (day === today) return time;
  return day.slice(0, 4) === today.slice(0, 4) ? `${day.slice(5)} ${time}` : day;
}

/** The time of day may be hidden: a phone only has room for the time or the day. */
export function StartTime({ at }: { readonly at: string }) {
  const [day = '', clock] = shortTime(at).split(' ');
  return (
    <span class="quiet num" title={shortTime(at)}>
      {clock === undefined ? (
        day
      ) : (
        <>
          {day} <span class="wide-only">{clock}</span>
        </>
      )}
    </span>
  );
}
