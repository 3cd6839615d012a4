const LONGEST = 160;

/** A filter as one short line. */
export function describeFilter(filter: unknown): string {
  const text = JSON.stringify(filter) ?? '';
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}
