import { isObject } from '../../contract/guards.ts';
/** A JSON object that came from outside: every field must be looked at before use. */
export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = Object.freeze({});

export { isObject };

/** The value when it is an object, else an empty one: lets optional chains of log fields be read plainly. */
export function object(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A string that says something: empty ones count as absent. */
export function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A token or byte count; anything that is not a sane number counts as zero. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}

/** No client is older, and what is later is no time: a clock that was not set, or a field of another meaning. */
const EARLIEST = Date.UTC(2000, 0);
const LATEST = Date.UTC(2100, 0);

/** Milliseconds since 1970 of an ISO time or of seconds or milliseconds, or undefined. */
export function time(value: unknown): number | undefined {
  const ms =
    typeof value === 'string'
      ? Date.parse(value)
      : typeof value === 'number'
        ? Math.round(value < 1e11 ? value * 1000 : value)
        : Number.NaN;
  return ms >= EARLIEST && ms < LATEST ? ms : undefined;
}

/** JSON.parse that answers undefined for what is not JSON. */
export function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

/** A record of a log. A byte order mark, or zero bytes that a crash left before the record, are no part of it. */
export function parseRecord(source: string): unknown {
  let start = 0;
  for (let code = source.charCodeAt(0); code === 0xfeff || code === 0; code = source.charCodeAt(start))
    start++;
  return parseJson(start === 0 ? source : source.slice(start));
}
