import { z } from 'zod';

const place = z.object({
  name: z.string().describe('with what is around it'),
  kind: z.string(),
  path: z.string(),
  line_start: z.int(),
  line_end: z.int(),
  signature: z.string().optional(),
});
const use = z.object({
  path: z.string(),
  line: z.int(),
  in: z.string().optional(),
  kind: z.string().optional(),
});
const line = z.object({
  line: z.int(),
  text: z.string(),
  gap: z.boolean().optional().describe('lines before it were left out, because there was no room'),
});
const callee = z.object({
  name: z.string(),
  path: z.string().optional().describe('where it is defined, if that is known'),
  line: z.int().optional(),
  lines: z.array(z.int()).describe('that call it'),
});

const call = z.object({ path: z.string(), line: z.int(), in: z.string(), calls: place });

const oneSymbol = z.object({
  symbol: place.optional(),
  body: z.array(line).optional(),
  others: z.array(place).optional().describe('other definitions with this name'),
  implementations: z.array(place).optional().describe('types that extend or implement it'),
  callers: z.array(use).optional(),
  refs: z.array(use).optional(),
  tests: z.array(use).optional().describe('uses in tests'),
  possible: z.array(use).optional().describe('uses that may mean another definition with this name'),
  callers_of: z
    .array(z.object({ name: z.string(), callers: z.array(use) }))
    .optional()
    .describe('who calls the callers'),
  callees: z.array(callee).optional(),
  possible_callees: z.array(callee).optional().describe('what a call that nothing resolves may mean'),
  outside: z
    .array(z.object({ name: z.string(), lines: z.array(z.int()) }))
    .optional()
    .describe('names that are called and not found here, with the lines that call them'),
  totals: z
    .record(z.string(), z.int())
    .optional()
    .describe(
      'lengths of the lists, over all pages; other_refs: uses that are not calls; same_name: uses of the name that mean something else; elsewhere: uses outside the given path; called: names that the body calls, defined here or not; possible_tests: how many of the possible uses are in tests, where not all are listed',
    ),
  calls: z.array(call).optional().describe('a shortest chain of calls from one name to the other'),
  no_path: z.string().optional().describe('why there is no such chain, or there are no such lines'),
  unknown: z.string().optional().describe('the name, if nothing defines it'),
  unread: z.boolean().optional().describe('files that are not read yet may define it'),
  unparsed: z
    .array(z.string())
    .optional()
    .describe('languages here without a grammar; their files may define it'),
  did_you_mean: z.array(z.string()).optional(),
});

export const symbolData = oneSymbol.extend({
  symbols: z.array(oneSymbol).optional().describe('one per name, if several were given'),
  short: z
    .enum(['lines', 'comments'])
    .optional()
    .describe('bodies have one space per level and no lone brackets; comments: they have no comments either'),
  late: z.array(z.string()).optional().describe('names that were not looked up in time'),
});

export type OneSymbol = z.infer<typeof oneSymbol>;
export type SymbolData = z.infer<typeof symbolData>;
export type Place = z.infer<typeof place>;
export type CallShown = z.infer<typeof call>;
export type Use = z.infer<typeof use>;
export type OutsideShown = NonNullable<OneSymbol['outside']>[number];
export type CalleeShown = z.infer<typeof callee>;
