import type { FileSymbols } from '../symbols/file-symbols.ts';
import type { Chunk, Declaration } from './chunk.ts';
import { headings } from './headings.ts';
import { outline } from './line-outline.ts';
import { type LineRange, partition } from './partition-lines.ts';
import { declarationsIn } from './symbol-declarations.ts';

const MAX_BREADCRUMB_NAMES = 4;

/** Cuts a text into chunks: along its symbols if they are known, otherwise along its structure. */
export function chunkText(
  text: string,
  language: string | undefined,
  lines: readonly string[] = text.split('\n'),
  symbols?: FileSymbols,
): Chunk[] {
  const declarations = declarationsOf(language, lines, symbols);
  return partition(lines, declarations)
    .filter(({ from, to }) => lines.slice(from, to).some((line) => line.trim() !== ''))
    .map((range) => describe(range, declarations));
}

function declarationsOf(
  language: string | undefined,
  lines: readonly string[],
  symbols: FileSymbols | undefined,
): readonly Declaration[] {
  if (language === 'markdown' || language === 'restructuredtext') return headings(lines);
  return symbols === undefined ? outline(lines, language) : declarationsIn(symbols, lines);
}

/** Names a range after its first outermost declaration, or after what encloses it. */
function describe({ from, to }: LineRange, declarations: readonly Declaration[]): Chunk {
  const inside = declarations.filter(({ line }) => line >= from && line < to);
  const around = declarations.filter((one) => one.line < from && one.to > from);
  const main =
    outermost(inside.filter(({ kind }) => kind !== 'value' && kind !== 'module')) ?? outermost(inside);
  const crumbs = around.map(({ name }) => name);
  const named = main ?? around.at(-1);
  return {
    lineStart: from + 1,
    lineEnd: to,
    kind: named?.kind ?? 'block',
    symbol: named?.name,
    breadcrumb: (main === undefined ? crumbs.slice(0, -1) : crumbs).slice(-MAX_BREADCRUMB_NAMES),
    defines: inside.map(({ name }) => name),
  };
}

function outermost(declarations: readonly Declaration[]): Declaration | undefined {
  const highest = Math.min(...declarations.map(({ level }) => level));
  return declarations.find(({ level }) => level === highest);
}
