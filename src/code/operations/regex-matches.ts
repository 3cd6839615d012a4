import { z } from 'zod';
import { LINE_KINDS } from './file-syntax.ts';
import type { HitRow } from './hit-rows.ts';
import { byteSpan, root } from './search-input.ts';

const hit = z.object({
  line: z.int(),
  in: z.string().optional().describe('the innermost function, method or class around it'),
  kind: z.enum(LINE_KINDS).optional().describe('absent for ordinary code'),
  test: z.literal(true).optional().describe('in test code'),
  column: z.int().optional().describe('where the match starts, if the line is cut'),
  text: z.string().optional(),
  before: z.array(z.string()).optional(),
  after: z.array(z.string()).optional(),
  bytes: byteSpan,
});

const fileMatches = z.object({ path: z.string(), hits: z.array(hit) });
const fileCount = z.object({ path: z.string(), hits: z.int() });

/** One field per value of `output`, besides those that all outputs have. */
const oneSearch = z.object({
  root,
  note: z.string().optional().describe('why nothing was found, or what may be wrong with the answer'),
  matches: z.array(fileMatches).optional().describe('output=hits: matching lines by file'),
  files: z.array(fileCount).optional().describe('output=files: number of matching lines per file'),
  count: z.object({ hits: z.int(), files: z.int() }).optional().describe('output=count'),
  file: z
    .object({ path: z.string(), bytes: z.int(), hits: z.int(), files: z.int() })
    .optional()
    .describe('output=file: a file on this machine with all matches'),
});

const oneOfSeveral = oneSearch.omit({ file: true }).extend({
  number: z.int().describe('which of the searches, from 1'),
  pattern: z.string(),
  path: z.string().optional(),
  total: z.int().optional().describe('output=hits: all matching lines, once they are counted'),
});

export const regexMatches = oneSearch.extend({
  searches: z
    .array(oneOfSeveral)
    .optional()
    .describe('one per search, if several were given; a later page has only those that continue'),
});

export type FileMatches = z.infer<typeof fileMatches>;
export type FileCount = z.infer<typeof fileCount>;
export type ShownHit = z.infer<typeof hit>;
export type OneOfSeveral = z.infer<typeof oneOfSeveral>;
export type RegexMatches = z.infer<typeof regexMatches>;

/** The rows of a page by file. */
export function grouped(rows: readonly HitRow[], withText: boolean): FileMatches[] {
  const groups: FileMatches[] = [];
  for (const row of rows) {
    const shown = shownHit(row, withText);
    const open = groups.at(-1);
    if (open?.path === row.path) open.hits.push(shown);
    else groups.push({ path: row.path, hits: [shown] });
  }
  return groups;
}

function shownHit(row: HitRow, withText: boolean): ShownHit {
  const { line, in: around, kind, test, column, text, before, after, span } = row;
  const bytes = span && ([...span] satisfies [number, number]);
  // Written out, because copying the fields of one object into another is slow, and a page has hundreds of hits.
  return withText
    ? {
        line,
        in: around,
        kind,
        test,
        bytes,
        column,
        text,
        before: before && [...before],
        after: after && [...after],
      }
    : { line, in: around, kind, test, bytes };
}
