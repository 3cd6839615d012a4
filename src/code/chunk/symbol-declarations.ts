import { at } from '../../contract/at.ts';
import type { FileSymbols, SymbolKind } from '../symbols/file-symbols.ts';
import type { ChunkKind, Declaration } from './chunk.ts';
import { leadStart, outline } from './line-outline.ts';
import { type FlatDeclaration, nest } from './nest-declarations.ts';

const KINDS: Readonly<Record<SymbolKind, ChunkKind>> = {
  function: 'function',
  method: 'function',
  macro: 'function',
  class: 'class',
  struct: 'class',
  interface: 'type',
  trait: 'type',
  enum: 'type',
  type: 'type',
  module: 'module',
  constant: 'value',
  variable: 'value',
  field: 'value',
};
/** A file with more names than this is data. */
const MAX_DECLARATIONS = 5000;
const MAX_NAME_LENGTH = 80;
/** Blocks that define nothing themselves but group related definitions. */
const BLOCKS: Readonly<Record<string, RegExp>> = {
  rust: /^\s*(?:unsafe\s+)?impl\b/,
  swift: /^\s*(?:\w+\s+)*extension\b/,
  haskell: /^instance\b/,
};

/** The declarations that a file is chunked by: the first one on each line. */
export function declarationsIn(
  { definitions, comments, language }: FileSymbols,
  lines: readonly string[],
): Declaration[] {
  const found = new Map<number, FlatDeclaration>();
  for (const { name, kind, line, from, to } of definitions.slice(0, MAX_DECLARATIONS)) {
    // A search for `ConfigDict` never means a field `config_dict`.
    if (kind === 'field' || found.has(line - 1)) continue;
    const first = leadStart(lines, from - 1);
    found.set(line - 1, {
      name: lastPart(name).slice(0, MAX_NAME_LENGTH),
      kind: KINDS[kind],
      line: line - 1,
      from: first,
      to,
    });
  }
  const block = BLOCKS[language];
  const read = linesRead(definitions, comments, lines.length);
  for (const { level, ...one } of outline(lines, language)) {
    // Where parsing broke off, the shape of the lines still shows what is declared.
    const isLost = level === 0 && one.kind !== 'value' && read[one.line] === 0;
    if ((isLost || block?.test(at(lines, one.line))) && !found.has(one.line)) found.set(one.line, one);
  }
  return nest([...found.values()].sort((a, b) => a.line - b.line));
}

/** People ask for `Conn`, not for `Plug.Conn`. */
function lastPart(name: string): string {
  return /[^.:\\/]+$/.exec(name)?.[0] ?? name;
}

/** Marks the lines of definitions and comments. */
function linesRead(
  definitions: FileSymbols['definitions'],
  comments: FileSymbols['comments'],
  count: number,
): Uint8Array {
  const read = new Uint8Array(count);
  for (const { from, to } of [...definitions, ...comments]) read.fill(1, from - 1, to);
  return read;
}
