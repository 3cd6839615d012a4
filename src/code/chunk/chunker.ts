import type { Chunk, Declaration } from './chunk.ts';
import { headings } from './headings.ts';
import { outline } from './line-outline.ts';
import { type LineRange, partition } from './partition-lines.ts';

/** Finds declarations by grammar; undefined for a language without one. */
export type SyntaxReader = (text: string, language: string) => Declaration[] | undefined;

const MAX_BREADCRUMB = 4;

/** Cuts a text into chunks: along its syntax if there is a grammar, otherwise along its structure. */
export function chunkText(
  text: string,
  language: string | undefined,
  lines: readonly string[] = text.split('\n'),
  syntax?: SyntaxReader,
): Chunk[] {
  const declarations = declarationsOf(text, language, lines, syntax);
  return partition(lines, declarations)
    .filter(({ from, to }) => lines.slice(from, to).some((line) => line.trim() !== ''))
    .map((range) => describe(range, declarations));
}

function declarationsOf(
  text: string,
  language: string | undefined,
  lines: readonly string[],
  syntax: SyntaxReader | undefined,
): readonly Declaration[] {
  if (language === 'markdown' || language === 'restructuredtext') return headings(lines);
  const read = language === undefined ? undefined : syntax?.(text, language);
  return read ?? outline(lines, language);
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
    breadcrumb: (main === undefined ? crumbs.slice(0, -1) : crumbs).slice(-MAX_BREADCRUMB),
    defines: inside.map(({ name }) => name),
  };
}

function outermost(declarations: readonly Declaration[]): Declaration | undefined {
  const highest = Math.min(...declarations.map(({ level }) => level));
  return declarations.find(({ level }) => level === highest);
}
