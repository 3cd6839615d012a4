const PREVIEW_LENGTH = 200;

/** About 200 characters on one line with the match in the middle, without known boilerplate before it. */
export function previewAround(whole: string, found: number, length: number): string {
  const { text, at } = withoutLead(whole, found);
  const before = Math.floor((PREVIEW_LENGTH - Math.min(length, PREVIEW_LENGTH / 2)) / 2);
  const start = Math.max(0, Math.min(at - before, text.length - PREVIEW_LENGTH));
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

/** What agents write around a person's words when a call is rejected. */
const REJECTION =
  /^The user doesn't want to (?:proceed with this tool use|take this action right now)\.[\s\S]{0,300}?(?:the user said:\s*|tell you how to proceed\.\s*$|$)/;

/** Boilerplate at the beginning of results and prompts. */
const LEADS: readonly RegExp[] = [
  /^\s*(?:<system-reminder>[\s\S]*?<\/system-reminder>\s*)+/,
  /^\s*<tool_use_error>/,
  /^(?:Chunk ID|Wall time|Process exited|Original token count|Total output lines)[^\n]*\n(?:[^\n]{0,80}\n){0,4}?Output:\n/,
];

/** The text without its boilerplate, unless the match is in that. */
function withoutLead(text: string, at: number): { readonly text: string; readonly at: number } {
  const rejection = REJECTION.exec(text)?.[0].length ?? 0;
  // The text before the person's words is the same in every rejection, so a match in it says nothing.
  if (rejection > 0)
    return rejection < text.length
      ? { text: text.slice(rejection), at: Math.max(0, at - rejection) }
      : { text: '(rejected without a word)', at: 0 };
  for (const lead of LEADS) {
    const length = lead.exec(text)?.[0].length ?? 0;
    if (length > 0 && length <= at) return { text: text.slice(length), at: at - length };
  }
  return { text, at };
}
