import { fail } from './errors.ts';

const AGES: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time in milliseconds since 1970, given as ISO text, as an age such as `7d`, or as such milliseconds. */
export function timeOf(name: string, given: unknown, now: number): number | undefined {
  if (given === undefined) return undefined;
  const words = String(given).trim();
  const [, amount, unit] = /^(\d{1,6})\s*([mhdw])$/.exec(words) ?? [];
  if (amount !== undefined && unit !== undefined) return now - Number(amount) * (AGES[unit] ?? 0);
  const ms = /^\d{11,16}$/.test(words) ? Number(words) : Date.parse(words);
  if (Number.isNaN(ms)) {
    fail('invalid_parameter', `${name} must be a time such as 2026-11-14T21:40:05Z, or an age such as 7d.`);
  }
  return ms;
}
