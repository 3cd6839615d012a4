/** A range of numbers that includes both ends. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

const NUMBER_WITH_UNIT = /^(\d+(?:\.\d+)?)\s*([a-zµ]*)$/i;
const COMPARISON = /^(<=|>=|<|>|=)?\s*(.+)$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;

const SIZE_UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
  tib: 1024 ** 4,
};

const TIME_UNITS: Readonly<Record<string, number>> = {
  s: 1e3,
  min: 6e4,
  h: 36e5,
  d: 864e5,
  w: 7 * 864e5,
  mo: 30 * 864e5,
  y: 365 * 864e5,
};

export const SIZE_HELP =
  "write a size as '>100MB', '<=4KiB', '=0' or '1MB..5GB' (MB = 1000², MiB and M = 1024²)";
export const AGE_HELP =
  "write an age as '<7d' (newer than 7 days), '>1y' (older) or '7d..30d' (units s, min, h, d, w, mo, y), or dates as '>=2026-01-31' or '2026-01-01..2026-02-01'";
export const ENTRIES_HELP = "write a number of direct entries as '>1000', 0 or '10..20'";
export const DEPTH_HELP = "write a depth as 2, '<=3' or '1..4'";

/** Bytes, or undefined if the text is not a size. */
function bytes(text: string): number | undefined {
  return scaled(text, SIZE_UNITS);
}

function scaled(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = NUMBER_WITH_UNIT.exec(text.trim());
  const unit = units[(match?.[2] ?? '').toLowerCase()];
  const value = Number(match?.[1]) * (unit ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** A condition such as `>100MB` as a range of bytes, or undefined. */
export function parseSize(text: string): Range | undefined {
  return parseRange(text, bytes, 1);
}

/** A condition such as `<=3` as a range of whole numbers, or undefined. */
export function parseDepth(text: string): Range | undefined {
  return parseRange(text, (part) => (/^\d+$/.test(part.trim()) ? Number(part) : undefined), 1);
}

/** A condition such as `<7d` or `>=2026-01-31` as a range of times in milliseconds since 1970, or undefined. */
export function parseAge(text: string, now: number): Range | undefined {
  const dates = parseRange(text, (part) => (DATE.test(part.trim()) ? Date.parse(part.trim()) : undefined), 1);
  if (dates !== undefined && !Number.isNaN(dates.min) && !Number.isNaN(dates.max)) {
    // A date alone means the whole day.
    return dates.min === dates.max ? { min: dates.min, max: dates.max + 864e5 - 1 } : dates;
  }
  const ages = parseRange(text, (part) => scaled(part, TIME_UNITS), 1);
  return ages && { min: now - ages.max, max: now - ages.min };
}

function parseRange(
  text: string,
  parse: (part: string) => number | undefined,
  step: number,
): Range | undefined {
  const [from, to, ...others] = text.split('..');
  if (from !== undefined && to !== undefined && others.length === 0) {
    const min = from.trim() === '' ? 0 : parse(from);
    const max = to.trim() === '' ? Number.POSITIVE_INFINITY : parse(to);
    return min === undefined || max === undefined || min > max ? undefined : { min, max };
  }
  const [, sign = '=', rest = ''] = COMPARISON.exec(text.trim()) ?? [];
  const value = parse(rest);
  if (value === undefined) return undefined;
  if (sign === '>') return { min: value + step, max: Number.POSITIVE_INFINITY };
  if (sign === '>=') return { min: value, max: Number.POSITIVE_INFINITY };
  if (sign === '<') return { min: 0, max: value - step };
  if (sign === '<=') return { min: 0, max: value };
  return { min: value, max: value };
}
