const HOUR = 3_600_000;
/** Older times get the offset of the first transition that is known. */
const FIRST_YEAR = 2015;

interface Offset {
  /** From this time on, in milliseconds since 1970. */
  readonly from: number;
  /** Seconds that local time is ahead of UTC. */
  readonly seconds: number;
}

const offsetAt = (ms: number) => -60 * new Date(ms).getTimezoneOffset();

let known: { readonly year: number; readonly offsets: readonly Offset[] } | undefined;

/** The offsets of this machine's time zone up to next year, newest first. */
function offsetsUpTo(now: number): readonly Offset[] {
  const year = new Date(now).getUTCFullYear();
  if (known?.year !== year) known = { year, offsets: findOffsets(Date.UTC(year + 2, 0)) };
  return known.offsets;
}

function findOffsets(end: number): readonly Offset[] {
  let from = Date.UTC(FIRST_YEAR, 0);
  const found: Offset[] = [{ from: Number.NEGATIVE_INFINITY, seconds: offsetAt(from) }];
  for (let day = from; day < end; day += 24 * HOUR) {
    if (offsetAt(day) === offsetAt(from)) {
      from = day;
      continue;
    }
    // The change is within the last day; offsets change at full or half hours.
    let at = from;
    while (offsetAt(at) === offsetAt(from)) at += HOUR / 2;
    found.unshift({ from: at, seconds: offsetAt(at) });
    from = day;
  }
  return found;
}

/**
 * SQL that writes milliseconds since 1970 as local time, `YYYY-MM-DD HH:MM:SS`. SQLite's own modifier 'localtime' asks
 * the system for every row, which takes eight times as long.
 */
export function localTimeSql(now: number): (ms: string) => string {
  const offsets = offsetsUpTo(now);
  const [newest, ...older] = offsets;
  if (newest === undefined || older.length === 0) {
    const ahead = newest?.seconds ?? 0;
    return (ms) => `datetime((${ms}) / 1000${ahead === 0 ? '' : ` + ${ahead}`}, 'unixepoch')`;
  }
  const cases = (ms: string) =>
    offsets
      .flatMap(({ from, seconds }) =>
        Number.isFinite(from) ? [`WHEN ${ms} >= ${from} THEN ${seconds}`] : [],
      )
      .join(' ');
  return (ms) =>
    `datetime((${ms}) / 1000 + CASE ${cases(`(${ms})`)} ELSE ${offsets.at(-1)?.seconds ?? 0} END, 'unixepoch')`;
}

/** Writes times in seconds since 1970 the same way, for many of them. */
export function localTimeText(now: number): (seconds: number) => string {
  const offsets = offsetsUpTo(now);
  const days = new Map<number, string>();
  const dayText = (day: number) => {
    const known = days.get(day);
    if (known !== undefined) return known;
    const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
    if (days.size < MOST_DAYS) days.set(day, text);
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

const MOST_DAYS = 50_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
const two = (n: number) => TWO_DIGITS[Math.floor(n)] ?? '00';
