/*
 * Times in the time zone of the person who asks, which need not be that of this process: the background process may
 * have been started from another terminal, or may serve somebody elsewhere.
 */

const SEARCH_STEP_MS = 14 * 86_400_000;
/** Offsets change at full quarters of an hour. */
const QUARTER_HOUR_MS = 900_000;
/** Older times get the offset of that year's beginning. */
const FIRST_YEAR = 2015;
const MAX_ZONES = 100;

export interface Offset {
  /** From this time on, in milliseconds since 1970. */
  readonly from: number;
  /** Seconds that local time is ahead of UTC. */
  readonly seconds: number;
}

let own: { readonly variable: string | undefined; readonly name: string } | undefined;

/** The time zone of this process: an IANA name such as `Europe/Berlin`. */
export function ownZone(): string {
  const variable = process.env.TZ;
  // Every call asks, and a formatter takes half a millisecond.
  if (own === undefined || own.variable !== variable) {
    // Undefined where the variable TZ names no zone, although the types do not say so.
    const name: string | undefined = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    own = { variable, name: name ?? 'UTC' };
  }
  return own.name;
}

const named = new Map<string, string>();

/** The zone with this name, or undefined if there is none. */
export function zoneNamed(name: string): string | undefined {
  const found = named.get(name);
  if (found !== undefined || name === '') return found;
  try {
    const zone = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    if (named.size >= MAX_ZONES) named.clear();
    named.set(name, zone);
    return zone;
  } catch {
    return undefined;
  }
}

/** The zone of `Date`, in a program that knows it. */
let zoneOfDate: string | undefined;

/**
 * Tells that local times of `Date` are in this zone, so that its offsets are read from there. From a formatter they take
 * a browser 10 ms, which its first view would wait for.
 */
export function dateIsIn(zone: string): void {
  zoneOfDate = zone;
}

const known = new Map<string, { readonly year: number; readonly offsets: readonly Offset[] }>();

/** The offsets of a zone up to the end of next year, newest first. */
export function offsetsOf(zone: string): readonly Offset[] {
  const year = new Date().getUTCFullYear();
  const found = known.get(zone);
  if (found?.year === year) return found.offsets;
  if (known.size >= MAX_ZONES) known.clear();
  const offsets = findOffsets(zone, Date.UTC(year + 2, 0));
  known.set(zone, { year, offsets });
  return offsets;
}

function findOffsets(zone: string, end: number): readonly Offset[] {
  const offsetAt = offsetReader(zone);
  let from = Date.UTC(FIRST_YEAR, 0);
  let seconds = offsetAt(from);
  const found: Offset[] = [{ from: Number.NEGATIVE_INFINITY, seconds }];
  for (let to = from + SEARCH_STEP_MS; to < end; to += SEARCH_STEP_MS) {
    const next = offsetAt(to);
    if (next !== seconds) {
      let [low, high] = [from / QUARTER_HOUR_MS, to / QUARTER_HOUR_MS];
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2);
        if (offsetAt(middle * QUARTER_HOUR_MS) === seconds) low = middle;
        else high = middle;
      }
      found.unshift({ from: high * QUARTER_HOUR_MS, seconds: next });
      seconds = next;
    }
    from = to;
  }
  return found;
}

function offsetReader(zone: string): (ms: number) => number {
  if (zone === zoneOfDate) return (ms) => 0 - 60 * new Date(ms).getTimezoneOffset();
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const local = Date.UTC(
      ...([of('year'), of('month') - 1, of('day')] as const),
      ...([of('hour'), of('minute'), of('second')] as const),
    );
    return Math.round((local - ms) / 1000);
  };
}

function offsetAt(ms: number, zone: string): number {
  return offsetsOf(zone).find(({ from }) => ms >= from)?.seconds ?? 0;
}

/** A time in the zone as if it were one in UTC: its ISO text reads as the local time. */
function shifted(ms: number, zone: string): Date | undefined {
  const date = new Date(ms + offsetAt(ms, zone) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** `2026-11-14`; file systems keep times that no calendar has. */
export function localDay(ms: number, zone: string): string {
  return shifted(ms, zone)?.toISOString().replace(/T.*/, '') ?? 'unknown';
}

/** `21:40` */
export function localClock(ms: number, zone: string): string {
  return shifted(ms, zone)?.toISOString().slice(-13, -8) ?? 'unknown';
}

/** `2026-11-14T21:40:05Z` as `2026-11-14 22:40:05` in the zone; what is not a time stays as it is. */
export function localMoment(isoTime: string, zone: string): string {
  const date = shifted(Date.parse(isoTime), zone);
  return date === undefined ? isoTime : date.toISOString().replace('T', ' ').slice(0, -5);
}

/** The same to the minute. */
export function localMinute(isoTime: string, zone: string): string {
  return localMoment(isoTime, zone).slice(0, -3);
}

/** The moment that clocks in the zone show what this time shows in UTC: from `2026-11-14T00:00Z` to its midnight. */
export function fromLocal(ms: number, zone: string): number {
  const near = ms - offsetAt(ms, zone) * 1000;
  return ms - offsetAt(near, zone) * 1000;
}

/** Writes times in seconds since 1970 as `YYYY-MM-DD HH:MM:SS` in the zone, fast for many of them. */
export function localTimeText(zone: string): (seconds: number) => string {
  const offsets = offsetsOf(zone);
  const days = new Map<number, string>();
  const dayText = (day: number) => {
    const known = days.get(day);
    if (known !== undefined) return known;
    const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
    if (days.size < MAX_DAYS) days.set(day, text);
    return text;
  };
  return (seconds) => {
    const { seconds: ahead = 0 } = offsets.find(({ from }) => seconds * 1000 >= from) ?? {};
    const local = seconds + ahead;
    const day = Math.floor(local / 86_400);
    const rest = local - day * 86_400;
    return `${dayText(day)} ${two(rest / 3600)}:${two((rest % 3600) / 60)}:${two(rest % 60)}`;
  };
}

const MAX_DAYS = 50_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const two = (n: number) => TWO_DIGITS[Math.floor(n)] ?? '00';
