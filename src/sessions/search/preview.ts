const BEFORE = 90;
const WINDOW = 300;

/** About 300 characters around a match on one line. */
export function previewAround(text: string, at: number, length: number): string {
  const start = Math.max(0, Math.min(at - BEFORE, text.length - WINDOW));
  const end = Math.min(text.length, Math.max(start + WINDOW, at + Math.min(length, WINDOW / 2)));
  const middle = text
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${middle}${end < text.length ? '…' : ''}`;
}
