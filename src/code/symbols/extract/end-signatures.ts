/** A line that begins with the type parameters of a signature. */
const TYPE_PARAMETERS = /^[ \t]+<(?=[\w$]|[ \t]*\r?$)/gm;
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*|$)/;

/**
 * TypeScript ends a signature at the end of its line even if the next line begins with `<`; its grammar reads on and
 * loses the rest of the file. The space before such a `<` becomes a semicolon, so names and places stay the same.
 */
export function endSignatures(text: string): string {
  return text.replace(TYPE_PARAMETERS, (line, at: number) =>
    isBehindType(text, at) ? `${line.slice(0, -2)};<` : line,
  );
}

/** Whether the text before a line may end in a type. */
function isBehindType(text: string, line: number): boolean {
  for (let end = line - 1; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const before = text.slice(start, end);
    if (!COMMENT_LINE.test(before)) return /[\w$>)\]}'"`]\s*(?:\/\/.*|\/\*.*\*\/\s*)?$/.test(before);
    end = start - 1;
  }
  return false;
}
