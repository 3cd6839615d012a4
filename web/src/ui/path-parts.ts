/** A piece of a text; one that names a file also has its path and line. */
export interface TextPart {
  readonly text: string;
  readonly path?: string;
  readonly line?: number;
}

/** A file with a folder or a line number: a name alone may be anything. */
const PLACE =
  /(?<![\w/.:@-])((?:~|\.{1,2})?\/?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,7})(?::(\d+))?(?::\d+)?/g;
/** Longer texts are not searched for paths. */
const MAX_CHARACTERS = 60_000;

/** Splits a text where it names files, such as `src/tile.ts:14`. */
export function pathParts(text: string): readonly TextPart[] {
  if (text.length > MAX_CHARACTERS) return [{ text }];
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(PLACE)) {
    const [whole, path = '', line] = match;
    if ((!path.includes('/') && line === undefined) || path.startsWith('~')) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: whole, path, ...(line === undefined ? {} : { line: Number(line) }) });
    from = match.index + whole.length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) });
  return parts;
}
