/** A span of numbers, both ends included. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

const NUMBER = /^(\d+(?:\.\d+)?)\s*([a-zµ]*)$/i;
const COMPARED = /^(<=|>=|<|>|=)?\s*(.+)$/;
const DAY = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?$/;

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
  "sizes are written '>100MB', '<=4KiB', '=0' or '1MB..5GB' (MB = 1000², MiB and M = 1024²)";
export const AGE_HELP =
  "ages are written '<7d' (newer than 7 days), '>1y' (older), '7d..30d', or with dates '>=2026-01-31', '2026-01-01..2026-02-01' (units s, min, h, d, w, mo, y)";
export const DEPTH_HELP = "depths are written 2, '<=3' or '1..4'";

/** Bytes, or undefined when the text is no size. */
function bytes(text: string): number | undefined {
  return scaled(text, SIZE_UNITS);
}

function scaled(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = NUMBER.exec(text.trim());
  const unit = units[(match?.[2] ?? '').toLowerCase()];
  const value = Number(match?.[1]) * (unit ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** `>100MB` and the like as a span of bytes, or undefined. */
export function parseSize(text: string): Span | undefined {
  return parseSpan(text, bytes, 1);
}

/** `<=3` as a span of whole numbers, or undefined. */
export function parseDepth(text: string): Span | undefined {
  return parseSpan(text, (part) => (/^\d+$/.test(part.trim()) ? Number(part) : undefined), 1);
}

/** `<7d`, `>=2026-01-31` as a span of times in milliseconds since 1970, or undefined. */
export function parseAge(text: string, now: number): Span | undefined {
  const dates = parseSpan(text, (part) => (DAY.test(part.trim()) ? Date.parse(part.trim()) : undefined), 1);
  if (dates !== undefined && !Number.isNaN(dates.min) && !Number.isNaN(dates.max)) {
    // A day without a time, asked for by itself, is the whole day.
    return dates.min === dates.max ? { min: dates.min, max: dates.max + 864e5 - 1 } : dates;
  }
  const ages = parseSpan(text, (part) => scaled(part, TIME_UNITS), 1);
  return ages && { min: now - ages.max, max: now - ages.min };
}

function parseSpan(
  text: string,
  parse: (part: string) => number | undefined,
  step: number,
): Span | undefined {
  const ends = text.split('..');
  if (ends.length === 2) {
    const min = ends[0]?.trim() === '' ? 0 : parse(ends[0] ?? '');
    const max = ends[1]?.trim() === '' ? Number.POSITIVE_INFINITY : parse(ends[1] ?? '');
    return min === undefined || max === undefined || min > max ? undefined : { min, max };
  }
  const [, sign = '=', rest = ''] = COMPARED.exec(text.trim()) ?? [];
  const value = parse(rest);
  if (value === undefined) return undefined;
  if (sign === '>') return { min: value + step, max: Number.POSITIVE_INFINITY };
  if (sign === '>=') return { min: value, max: Number.POSITIVE_INFINITY };
  if (sign === '<') return { min: 0, max: value - step };
  if (sign === '<=') return { min: 0, max: value };
  return { min: value, max: value };
}
