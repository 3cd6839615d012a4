import { join } from 'node:path';
import { z } from 'zod';
import type { NextCall } from '../../contract/next-call.ts';
import { type CallContext, operation, type Page, page } from '../../contract/operation.ts';
import { callRegexSearch, callSymbol } from '../calls.ts';
import type { Code } from '../code.ts';
import type { SourceTree } from '../files/source-tree.ts';
import type { CodeServices } from '../services.ts';
import { innermost, parseName } from '../symbols/find-symbol.ts';
import { SYMBOL_PARTS, symbolCard, type UnknownSymbol } from '../symbols/symbol-card.ts';
import type { SymbolAnswer } from '../symbols/symbol-question.ts';
import { unparsedLanguages } from '../symbols/unparsed-languages.ts';
import { fitBodies } from './fit-bodies.ts';
import { lookedUpInTime } from './in-time.ts';
import { root as rootField } from './search-input.ts';
import { isBody } from './short-bodies.ts';
import { type SymbolData, symbolData } from './symbol-data.ts';
import { leftOut, noFileRows, rangeRows, withoutMiddle } from './symbol-lines.ts';
import { MAX_NAMES, namesIn } from './symbol-names.ts';
import { pathIn, pathRows } from './symbol-path.ts';
import {
  cardRows,
  type SymbolLine,
  shapeSymbols,
  type UnknownName,
  unknownRows,
} from './symbol-rows-shown.ts';
import { type LinePlace, pathAcceptor, placeIn, scopesOf } from './symbol-scopes.ts';
import { symbolText } from './symbol-text.ts';

const path = z.string().min(1).max(4096);

export const symbolInput = z.strictObject({
  name: z
    .preprocess((given) => (Array.isArray(given) ? given.join(', ') : given), z.string().min(1).max(4096))
    .describe(
      'name, Type.member, path:line for the definition there, or path:first-last for lines of a file; several: A, B; calls between: A -> B',
    ),
  path: z
    .union([path, z.array(path).min(1).max(MAX_NAMES)])
    .optional()
    .describe('only in this folder or file, or in these; callers too if it is a folder'),
  show: z.enum(SYMBOL_PARTS).optional().describe('only this part; body also says what it calls'),
  lines: z
    .int()
    .min(2)
    .max(10_000)
    .optional()
    .describe('lines to show of each body at most; the middle of a longer one is left out'),
});

export const symbol = operation<CodeServices>()({
  name: 'symbol',
  toolset: 'code',
  readOnly: true,
  summary: 'Bodies, callers, implementers of A, B; lines a.ts:5-9, 40-60; A -> B: call path.',
  input: symbolInput,
  data: symbolData.extend({ root: rootField }),
  limit: { default: 2000, max: 10_000 },
  rows: ['body', 'callers', 'refs', 'callees'],
  unlisted: ['lines'],
  aliases: { symbol: 'name', names: 'name', query: 'name', q: 'name', paths: 'path', max_lines: 'lines' },
  http: 'GET /api/code/symbol',
  command: {
    words: 'symbol',
    positional: ['name', 'path'],
    examples: [
      'pinhole symbol Pool.acquire --show callers',
      "pinhole symbol 'Pool.acquire, src/use.ts:10-30' --lines 20",
    ],
  },

  async run(input, context): Promise<Page<never, SymbolData & { root?: string | undefined }>> {
    const { after, caller } = context;
    const names = namesIn(input.name);
    const looked = await lookedUpInTime(
      names,
      (name, signal) => lookUp({ ...input, name }, { ...context, signal }),
      {
        signal: context.signal,
        timeoutMs: caller.timeoutMs,
      },
    );
    const late = names.filter((_, of) => looked[of] === undefined);
    const found = looked.map((each): FoundSymbol => each ?? { rows: [] });
    const several = names.length > 1;
    // For one name, the text is exact: it may be what an edit is to replace.
    const short = several && caller.door === 'mcp' && caller.format === 'text';
    const lists = found.map(({ rows }) => rows);
    const fitting =
      several && input.lines === undefined
        ? fitBodies(lists, { budget: context.budget, short })
        : { lists: lists.map((rows) => withoutMiddle(rows, input.lines ?? Number.POSITIVE_INFINITY)) };
    const rows: SymbolLine[] = [];
    for (const [of, each] of fitting.lists.entries()) {
      if (!several) rows.push(...each);
      // One row even for a name without rows, so that it is on the page of its neighbours.
      else if (each.length === 0) rows.push({ part: 'unknown', at: 0, of });
      else rows.push(...each.map((row) => ({ ...row, of })));
    }
    if (several) rows.sort((a, b) => Number(isLater(a)) - Number(isLater(b)));
    const [first] = found;
    const away = found.find((each) => each.root !== undefined)?.root;
    const root = away === caller.cwd ? undefined : away;
    const rest = [leftOut(fitting.lists), ...late].filter((each) => each !== '').join(', ');
    return page<SymbolLine, SymbolData & { root?: string | undefined }>({
      rows: after === undefined ? rows : rowsAfter(rows, after),
      position: ({ of = 0, part, at }) => [of, part, at],
      shape: (lines) => ({
        root,
        short: lines.some(isBody) ? fitting.short : undefined,
        late: late.length > 0 ? late : undefined,
        ...shapeSymbols(lines, found),
      }),
      meta: { indexing: found.find(({ indexing }) => indexing !== undefined)?.indexing },
      next: several
        ? rest === ''
          ? undefined
          : [callSymbol({ name: rest, ...(root === undefined ? {} : pathOf(input)) })]
        : first?.next,
    });
  },

  text: symbolText,
});

/** With several names, all bodies come before their uses. */
function isLater({ part }: SymbolLine): boolean {
  return part !== 'symbol' && part !== 'body' && part !== 'unknown' && part !== 'no_path';
}

interface FoundSymbol {
  readonly rows: readonly SymbolLine[];
  readonly unknown?: UnknownName | undefined;
  /** The tree, if paths are not shown whole. */
  readonly root?: string | undefined;
  readonly indexing?: SymbolAnswer<unknown>['indexing'];
  readonly next?: readonly NextCall[] | undefined;
}

/** The rows of one name, from the first tree that defines it. */
async function lookUp(
  input: z.output<typeof symbolInput>,
  context: CallContext & CodeServices,
): Promise<FoundSymbol> {
  const { code, signal } = context;
  const ends = pathIn(input.name);
  if (ends !== undefined) return pathRows(ends, input, context);
  const scopes = await scopesOf(input, context);
  for (const [at, scope] of scopes.entries()) {
    const { tree } = scope;
    const place = await placeIn(input, scope, context);
    const away = at > 0 ? tree.root : undefined;
    const shown = (path: string) => (away === undefined ? path : join(away, path));
    const root = away === undefined ? tree.root : undefined;
    if (place !== undefined && 'files' in place) {
      if (place.files.length === 0 && at < scopes.length - 1) continue;
      return { rows: noFileRows(place, shown), root };
    }
    if (place?.to !== undefined) return { rows: await rangeRows(place, tree, context, shown), root };
    const wanted = place ?? parseName(input.name);
    const asked = 'name' in wanted ? wanted.name : await nameAt(wanted, code, tree, signal);
    if (place !== undefined && asked === undefined)
      return { rows: await rangeRows(aroundLine(place), tree, context, shown), root };
    const owner = 'around' in wanted ? wanted.around.at(-1) : undefined;
    // A symbol may call definitions in any file.
    const accept = pathAcceptor(scope);
    const need =
      asked === undefined || input.show === 'callees'
        ? { files: () => true }
        : { name: asked, owner, near: accept };
    const read = (path: string) => code.symbols.parsed(tree, path, signal);
    const { value: card, indexing } = await code.symbols.ask(tree, need, signal, (question) =>
      symbolCard(question, wanted, {
        accept,
        usesInside:
          (input.path !== undefined || !scope.belows.includes('')) &&
          scope.belows.every((below) => tree.folders.has(below)),
        show: input.show,
        read,
      }),
    );
    const isUnknown = 'similar' in card;
    if (isUnknown && at < scopes.length - 1) continue;
    const rows = isUnknown ? await unknownRows(card, shown) : await cardRows(card, input.show, shown);
    const [first] = isUnknown ? [] : card.uses;
    return {
      rows,
      unknown: isUnknown
        ? {
            name: input.name,
            similar: card.similar,
            unread: indexing !== undefined || undefined,
            unparsed: unparsedLanguages([...tree.files.values()].map(({ path }) => path).filter(accept)),
          }
        : undefined,
      root,
      indexing,
      next: isUnknown ? nextOfUnknown(card, input) : nextOfFound(input, first?.in),
    };
  }
  throw new Error('a caller has at least one folder');
}

/** Lines to show on each side of a line that no definition contains. */
const LINES_AROUND = 5;

function aroundLine({ path, line }: LinePlace): LinePlace {
  return { path, line: Math.max(1, line - LINES_AROUND), to: line + LINES_AROUND };
}

/** The name of the definition around a line. */
async function nameAt(
  { path, line }: { readonly path: string; readonly line: number },
  { symbols }: Code,
  tree: SourceTree,
  signal: AbortSignal,
): Promise<string | undefined> {
  const definitions = (await symbols.inFile(tree, path, signal))?.definitions ?? [];
  return innermost(definitions, line)?.name;
}

function nextOfUnknown(
  { uses, outside }: UnknownSymbol,
  input: z.output<typeof symbolInput>,
): readonly NextCall[] | undefined {
  const { name, show, path } = input;
  if (path !== undefined && outside.length > 0)
    return [callSymbol({ name, ...(show === undefined ? {} : { show }) })];
  if (uses.length > 0) return undefined;
  return [callRegexSearch({ pattern: parseName(name).name, word: true, ...pathOf(input) })];
}

/** The call that shows who calls the callers. */
function nextOfFound(
  input: z.output<typeof symbolInput>,
  caller: string | undefined,
): readonly NextCall[] | undefined {
  if (input.show !== 'callers' || caller === undefined) return undefined;
  return [callSymbol({ name: caller, show: 'callers', ...pathOf(input) })];
}

function pathOf({ path }: { readonly path?: string | string[] | undefined }): { path?: string | string[] } {
  return path === undefined ? {} : { path };
}

/** The rows after a position, even if the row at that position no longer exists. */
function rowsAfter(rows: readonly SymbolLine[], after: unknown): readonly SymbolLine[] {
  const [of, part, at] = Array.isArray(after) ? after : [];
  const last = rows.findLastIndex((row) => (row.of ?? 0) === of && row.part === part && row.at <= Number(at));
  return rows.slice(last + 1);
}
