import { relative } from 'node:path';
import { z } from 'zod';
import type { Caller } from '../../contract/caller.ts';
import { isInside } from '../../contract/roots.ts';

/** Which files to search; may also narrow the kept results of a search. */
export const fileFilters = {
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('only this folder or file (default: the current folder)'),
  glob: z
    .array(z.string().min(1).max(500))
    .max(50)
    .optional()
    .describe(
      'only files that match a glob; ! in front excludes, / anchors at the root: *.ts,!test/**,/README.md',
    ),
  language: z.string().max(40).optional().describe('only files in this language, e.g. python'),
} as const;

export const FILTER_NAMES: readonly string[] = Object.keys(fileFilters);

const MAX_CONTEXT_LINES = 10;

/** How much of each match to show. */
export const snippetInput = {
  context_lines: z
    .int()
    .min(0)
    .max(MAX_CONTEXT_LINES)
    .optional()
    .describe('lines to show around each match, at most 10'),
  snippet_length: z.int().min(20).max(10_000).default(500).describe('characters to show per match'),
  spans: z.boolean().optional().describe('also give the bytes of the lines in the file: [start, end]'),
} as const;

export const byteSpan = z
  .tuple([z.int(), z.int()])
  .optional()
  .describe('spans=true: first byte of the lines in the file, and one after the last');

/** The folder that the paths of an answer start from. */
export const root = z
  .string()
  .optional()
  .describe('folder that the paths start from, if not the current folder');

/** Where paths start: undefined for the caller's own folder, a short path for a folder below it. */
export function rootFor(treeRoot: string, { cwd, door }: Pick<Caller, 'cwd' | 'door'>): string | undefined {
  if (treeRoot === cwd) return undefined;
  const isShort = (door === 'mcp' || door === 'cli') && cwd !== undefined && isInside(treeRoot, cwd);
  return isShort ? relative(cwd, treeRoot) : treeRoot;
}
