import { isDeepStrictEqual } from 'node:util';
import type { Entry } from './settings-format.ts';

/** The keys of our entry that change, marked with `+` or `-`, and nothing else of the file: it may hold secrets. */
export function entryDiff(before: Entry | undefined, after: Entry | undefined): readonly string[] {
  const keys = [...new Set([...Object.keys(after ?? {}), ...Object.keys(before ?? {})])];
  const changed = keys.filter((key) =>
    // A key that setup leaves to the person does not change.
    after !== undefined && !(key in after) ? false : !isDeepStrictEqual(before?.[key], after?.[key]),
  );
  const lines = (mark: string, entry: Entry | undefined) =>
    changed.flatMap((key) => (entry?.[key] === undefined ? [] : [`${mark} ${key}: ${text(entry[key])}`]));
  return [...lines('-', before), ...lines('+', after)];
}

function text(value: Entry[string]): string {
  return typeof value === 'object'
    ? `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
    : JSON.stringify(value);
}
