import type { AssemblerState } from './state.ts';
import { shownLabel } from './tool-calls.ts';

/** Prefix for the names of unknown fields; entries without it are unknown record types. */
export const UNKNOWN_FIELD = 'field ';

/** No new fields are counted once a session has this many unknown things. */
const MAX_FIELDS = 100;

type Redact = (text: string) => string;

/** Counts something that the reader does not know. */
export function noteUnknown({ unknown }: AssemblerState, named: string, redact: Redact): void {
  const label = shownLabel(named, redact);
  unknown.set(label, (unknown.get(label) ?? 0) + 1);
}

/** Counts fields that the reader does not know; their record is read as usual. */
export function noteFields(state: AssemblerState, names: readonly string[], redact: Redact): void {
  for (const name of names)
    if (state.unknown.size < MAX_FIELDS) noteUnknown(state, `${UNKNOWN_FIELD}${name}`, redact);
}

/** How many records have an unknown type. */
export function unknownRecords({ unknown }: AssemblerState): number {
  let records = 0;
  for (const [label, count] of unknown) if (!label.startsWith(UNKNOWN_FIELD)) records += count;
  return records;
}
