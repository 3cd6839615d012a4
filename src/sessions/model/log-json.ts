import { isObject } from '../../contract/guards.ts';
/** A JSON object from outside: every field must be checked before use. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = Object.freeze({});

export { isObject };

/** The value if it is an object, else an empty one, so that nested fields can be read without checks in between. */
export function object(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A string that is not empty. */
export function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A token or byte count; anything that is not a positive number counts as zero. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** Times outside this range come from a clock that was not set, or from a field with another meaning. */
const MIN_TIME = Date.UTC(2000, 0);
const MAX_TIME = Date.UTC(2100, 0);

/** Milliseconds since 1970, from an ISO time, seconds or milliseconds. */
export function time(value: unknown): number | undefined {
  const ms =
    typeof value === 'string'
      ? Date.parse(value)
      : typeof value === 'number'
        ? Math.round(value < 1e11 ? value * 1000 : value)
        : Number.NaN;
  return ms >= MIN_TIME && ms < MAX_TIME ? ms : undefined;
}

/** Deeper nesting is only made to break readers: recursive functions would run out of stack. */
const MAX_DEPTH = 200;

/** Parsed JSON, or undefined for text that is not JSON or is nested too deeply. */
export function parseJson(source: string): unknown {
  try {
    const value: unknown = JSON.parse(source);
    // Each level takes at least two characters.
    return source.length > 2 * MAX_DEPTH && isDeeper(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) if (isDeeper(Reflect.get(value, name), levels - 1)) return true;
  return false;
}

/** Parses a record of a log, without a byte order mark or zero bytes that a crash left before it. */
export function parseRecord(source: string): unknown {
  let start = 0;
  for (let code = source.charCodeAt(0); code === 0xfeff || code === 0; code = source.charCodeAt(start))
    start++;
  return parseJson(start === 0 ? source : source.slice(start));
}
