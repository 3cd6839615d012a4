/** Where in a chunk a term occurs; each field has its own count in the index. */
export const FIELDS = ['body', 'comment', 'signature', 'symbol'] as const;

/** Indexes into FIELDS. */
export const BODY = 0;
export const COMMENT = 1;
export const SIGNATURE = 2;
export const SYMBOL = 3;

/** How often a term occurs in each field of a chunk. */
export interface FieldCounts {
  readonly body: number;
  readonly comment: number;
  readonly signature: number;
  readonly symbol: number;
}

/** How much one occurrence in each field is worth, and the two constants of BM25. */
export interface WordWeights extends FieldCounts {
  /** File name without its extension. */
  readonly stem: number;
  /** The last three folders. */
  readonly folder: number;
  /** Saturation of repeated words. */
  readonly k1: number;
  /** How much longer chunks are penalized. */
  readonly b: number;
}

const COMMENT_LINE =
  /^\s*(?:\/\/|\/\*|\*(?!\w)|#(?!\s*(?:define|include|if|ifdef|ifndef|endif|else|elif|pragma|undef)\b)|--|;;|%)/;
const QUOTES = /"""|'''/g;

/** Which lines are comments or doc strings. */
export function commentLines(lines: readonly string[], language: string | undefined): Uint8Array {
  const marks = new Uint8Array(lines.length);
  const hashIsCode = language === 'markdown' || language === 'css' || language === 'json';
  let open: 'block' | 'string' | undefined;
  for (const [at, line] of lines.entries()) {
    if (open === 'block') {
      marks[at] = 1;
      if (line.includes('*/')) open = undefined;
      continue;
    }
    const quotes = line.includes('"""') || line.includes("'''") ? (line.match(QUOTES)?.length ?? 0) : 0;
    if (open === 'string') {
      marks[at] = 1;
      if (quotes % 2 === 1) open = undefined;
      continue;
    }
    if (quotes % 2 === 1) {
      open = 'string';
      marks[at] = 1;
    } else if (quotes > 0 || (!hashIsCode && COMMENT_LINE.test(line))) {
      marks[at] = 1;
      if (line.includes('/*') && !line.includes('*/')) open = 'block';
    }
  }
  return marks;
}
