/** The name at a position in a line of code; undefined if there is none. */
export function nameAt(text: string, at: number): string | undefined {
  const part = /[\p{L}\p{N}_$]/u;
  let from = at;
  while (from > 0 && part.test(text[from - 1] ?? '')) from--;
  let to = at;
  while (to < text.length && part.test(text[to] ?? '')) to++;
  const name = text.slice(from, to);
  return name.length > 1 && !/^\d/.test(name) ? name : undefined;
}

/** The name under the pointer. */
export function nameUnder(event: MouseEvent): string | undefined {
  // Chromium and Safari have one of these, Firefox the other.
  const place = document.caretPositionFromPoint?.(event.clientX, event.clientY);
  const range =
    place === undefined ? document.caretRangeFromPoint?.(event.clientX, event.clientY) : undefined;
  const node = place?.offsetNode ?? range?.startContainer;
  const at = place?.offset ?? range?.startOffset;
  if (!(node instanceof Text) || at === undefined) return undefined;
  return nameAt(node.data, at);
}
