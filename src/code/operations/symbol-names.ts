/** Names in one call. */
export const MAX_NAMES = 20;

/** `path:line` or `path:first-last`. */
const PLACE = /^(.+?):\d+(?:-\d+|:\d+)?$/;
const LINES = /^\d+(?:-\d+)?$/;

/**
 * The names in `A, B`, `A; B` and `A -> B, C`; a signature with commas in it is one name. Lines without a file are of the file
 * before them: `a.ts:5-9, 40-60`.
 */
export function namesIn(text: string): readonly string[] {
  if (/[(<]/.test(text)) return [text];
  const names = text.split(/\s*[,;]\s*|(?<!->)\s+(?!->)/).filter((name) => name !== '');
  if (names.length < 2 || !/[,;]/.test(text)) return [text];
  let file: string | undefined;
  return names.slice(0, MAX_NAMES).map((name) => {
    file = PLACE.exec(name)?.[1] ?? file;
    return file !== undefined && LINES.test(name) ? `${file}:${name}` : name;
  });
}
