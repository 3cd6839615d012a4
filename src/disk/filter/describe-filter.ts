const MAX_LINE_LENGTH = 160;

/** A filter as one short line. */
export function describeFilter(filter: unknown): string {
  const text = JSON.stringify(filter) ?? '';
  return text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH - 1)}…` : text;
}
