/** One matching line as shown. */
export interface Hit {
  readonly line: number;
  /** First character of the match, from 1; only if the text was cut. */
  readonly column?: number | undefined;
  readonly text: string;
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  /** A secret was removed from the line. */
  readonly redacted?: true | undefined;
}

/** The hits in one file, or some of them. */
export interface FileHits {
  readonly path: string;
  readonly hits: readonly Hit[];
}

/** How much of a line is shown. */
export interface LineStyle {
  /** Lines around the match. */
  readonly before: number;
  readonly after: number;
  /** Characters of a line to show, around the match. */
  readonly length: number;
  /** Leave out the indentation. */
  readonly trim: boolean;
}

/** The part of a line to show, with the match in it. Offsets are bytes of the line. */
export function lineText(
  bytes: Buffer,
  match: { readonly start: number; readonly end: number } | undefined,
  style: LineStyle,
): Pick<Hit, 'text' | 'column'> {
  const whole = bytes.toString('utf8').replace(/\r$/, '');
  const text = style.trim ? whole.trimStart() : whole;
  if (text.length <= style.length) return { text };
  const start =
    match === undefined ? 0 : bytes.toString('utf8', 0, match.start).length - (whole.length - text.length);
  const lead = Math.max(0, Math.min(start - Math.floor(style.length / 4), text.length - style.length));
  const from = lead + (isLowSurrogate(text, lead) ? 1 : 0);
  const to = from + style.length - (isLowSurrogate(text, from + style.length) ? 1 : 0);
  const shown = `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  const column = start + whole.length - text.length + 1;
  return { text: shown, column };
}

/** A context line. */
export function contextText(bytes: Buffer, style: LineStyle): string {
  const text = bytes.toString('utf8').replace(/\r$/, '');
  return text.length <= style.length ? text : `${text.slice(0, style.length)}…`;
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000;
}
