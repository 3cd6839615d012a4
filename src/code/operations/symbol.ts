import { join } from 'node:path';
import { z } from 'zod';
import type { NextCall } from '../../contract/next-call.ts';
import { operation, type Page, page } from '../../contract/operation.ts';
import { callRegexSearch, callSymbol } from '../calls.ts';
import type { Code } from '../code.ts';
import type { SourceTree } from '../files/source-tree.ts';
import type { CodeServices } from '../services.ts';
import { innermost, parseName } from '../symbols/find-symbol.ts';
import { SYMBOL_PARTS, symbolCard, type UnknownSymbol } from '../symbols/symbol-card.ts';
import { root } from './search-input.ts';
import {
  cardRows,
  type SymbolData,
  type SymbolLine,
  shapeSymbol,
  symbolData,
  unknownRows,
} from './symbol-rows-shown.ts';
import { pathAcceptor, placeIn, scopesOf } from './symbol-scopes.ts';
import { symbolText } from './symbol-text.ts';

export const symbolInput = z.strictObject({
  name: z.string().min(1).max(4096).describe('name, Type.member or path:line'),
  path: z.string().min(1).max(4096).optional().describe('only in this folder or file'),
  show: z.enum(SYMBOL_PARTS).optional().describe('only this part'),
});

export const symbol = operation<CodeServices>()({
  name: 'symbol',
  toolset: 'code',
  readOnly: true,
  summary: 'A definition with its whole body and who calls it.',
  input: symbolInput,
  data: symbolData.extend({ root }),
  limit: { default: 2000, max: 10_000 },
  rows: ['body', 'callers', 'refs', 'callees'],
  aliases: { symbol: 'name', query: 'name', q: 'name' },
  http: 'GET /api/code/symbol',
  command: {
    words: 'symbol',
    positional: ['name', 'path'],
    examples: ['pinhole symbol Pool.acquire --show callers'],
  },

  async run(input, context): Promise<Page<never, SymbolData & { root?: string | undefined }>> {
    const { code, signal, after, caller } = context;
    const scopes = await scopesOf(input, context);
    for (const [at, scope] of scopes.entries()) {
      const { tree } = scope;
      const place = await placeIn(input, scope, context);
      const wanted = place ?? parseName(input.name);
      const asked = 'name' in wanted ? wanted.name : await nameAt(wanted, code, tree, signal);
      // What a symbol calls may be defined in any file.
      const need = asked === undefined || input.show === 'callees' ? { files: () => true } : { name: asked };
      const read = (path: string) => code.symbols.parsed(tree, path, signal);
      const { value: card, indexing } = await code.symbols.ask(tree, need, signal, (question) =>
        symbolCard(question, wanted, pathAcceptor(scope, input), input.show, read),
      );
      const isUnknown = 'similar' in card;
      if (isUnknown && at < scopes.length - 1) continue;
      const away = at > 0 ? tree.root : undefined;
      const shown = (path: string) => (away === undefined ? path : join(away, path));
      const rows = isUnknown ? await unknownRows(card, shown) : await cardRows(card, input.show, shown);
      const [first] = isUnknown ? [] : card.uses;
      return page<SymbolLine, SymbolData & { root?: string | undefined }>({
        rows: after === undefined ? rows : rowsAfter(rows, after),
        position: ({ part, at: place }) => [part, place],
        shape: (lines) => ({
          root: tree.root === caller.cwd || away !== undefined ? undefined : tree.root,
          ...shapeSymbol(lines, isUnknown ? { name: input.name, similar: card.similar } : undefined),
        }),
        meta: { indexing },
        next: isUnknown ? nextOfUnknown(card, input) : nextOfFound(input, first?.in),
      });
    }
    throw new Error('a caller has at least one folder');
  },

  text: symbolText,
});

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

/** Who calls the callers. */
function nextOfFound(
  input: z.output<typeof symbolInput>,
  caller: string | undefined,
): readonly NextCall[] | undefined {
  if (input.show !== 'callers' || caller === undefined) return undefined;
  return [callSymbol({ name: caller, show: 'callers', ...pathOf(input) })];
}

function pathOf({ path }: { readonly path?: string | undefined }): { path?: string } {
  return path === undefined ? {} : { path };
}

/** The rows behind a position; a row that is gone is no reason to begin again. */
function rowsAfter(rows: readonly SymbolLine[], after: unknown): readonly SymbolLine[] {
  const [part, at] = Array.isArray(after) ? after : [];
  const last = rows.findLastIndex((row) => row.part === part && row.at <= Number(at));
  return rows.slice(last + 1);
}
