const LENGTH_BEFORE = 90;
const PREVIEW_LENGTH = 300;

/** About 300 characters around a match on one line. */
export function previewAround(text: string, at: number, length: number): string {
  const start = Math.max(0, Math.min(at - LENGTH_BEFORE, text.length - PREVIEW_LENGTH));
  const end = Math.min(
    text.length,
    Math.max(start + PREVIEW_LENGTH, at + Math.min(length, PREVIEW_LENGTH / 2)),
  );
  const middle = text
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}
