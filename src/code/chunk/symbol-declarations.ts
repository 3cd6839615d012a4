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
const MAX_NAME = 80;
/** Blocks that define nothing, but hold what belongs together. */
const BLOCKS: Readonly<Record<string, RegExp>> = {
  rust: /^\s*(?:unsafe\s+)?impl\b/,
  haskell: /^instance\b/,
};

/** The declarations of a file for its chunks: the first of each line. */
export function declarationsIn(
  { definitions, language }: FileSymbols,
  lines: readonly string[],
): Declaration[] {
  const found = new Map<number, FlatDeclaration>();
  for (const { name, kind, line, from, to } of definitions.slice(0, MAX_DECLARATIONS)) {
    if (found.has(line - 1)) continue;
    const first = leadStart(lines, from - 1);
    found.set(line - 1, {
      name: name.slice(0, MAX_NAME),
      kind: KINDS[kind],
      line: line - 1,
      from: first,
      to,
    });
  }
  const block = BLOCKS[language];
  if (block !== undefined) {
    for (const { level: _level, ...one } of outline(lines, language)) {
      if (block.test(at(lines, one.line)) && !found.has(one.line)) found.set(one.line, one);
    }
  }
  return nest([...found.values()].sort((a, b) => a.line - b.line));
}
