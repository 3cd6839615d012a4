import type { Envelope } from '../../../src/contract/envelope.ts';

type Meta = Envelope['meta'];

/** How much of a folder an answer covers while the folder is being indexed. */
export interface Partial {
  readonly files: number;
  readonly of: number;
  readonly secondsLeft: number | undefined;
}

/** Undefined for an answer that covers everything. */
export function partialOf({ indexing }: Meta): Partial | undefined {
  if (!isRecord(indexing)) return undefined;
  const { files, of, seconds_left } = indexing;
  if (typeof files !== 'number' || typeof of !== 'number') return undefined;
  return { files, of, secondsLeft: typeof seconds_left === 'number' ? seconds_left : undefined };
}

/** Why an answer may not match what is on disk now. */
export function doubtOf({ index }: Meta): string | undefined {
  return isRecord(index) && typeof index.doubt === 'string' ? index.doubt : undefined;
}

/** Files that were left out, such as `3 binary, 1 too large`. */
export function skippedOf({ skipped }: Meta): string | undefined {
  if (!isRecord(skipped)) return undefined;
  const parts = Object.entries(skipped).map(
    ([reason, count]) => `${String(count)} ${reason.replaceAll('_', ' ')}`,
  );
  return parts.length === 0 ? undefined : parts.join(', ');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
