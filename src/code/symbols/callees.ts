import type { FileSymbols } from './file-symbols.ts';
import { isCallable } from './find-symbol.ts';
import type { SymbolPart } from './symbol-card.ts';
import type { SymbolQuestion } from './symbol-question.ts';
import type { ReferenceRow, SymbolRow } from './symbol-rows.ts';

/** Something that a definition calls. */
export interface Callee {
  readonly name: string;
  /** The lines that call it. */
  readonly lines: readonly number[];
  /** Where it is defined; absent if that is not in the tree, or not known. */
  readonly symbol?: SymbolRow | undefined;
  /** What it may mean, if that is not known. */
  readonly candidates: readonly SymbolRow[];
}

/** Everything that a definition calls, in the order of its text. */
export async function calleesOf(
  { references }: SymbolQuestion,
  definition: SymbolRow,
  { references: all }: FileSymbols,
): Promise<readonly Callee[]> {
  const found = new Map<string, Callee & { lines: number[] }>();
  for (const reference of all) {
    const { kind, line, name } = reference;
    if (kind !== 'call' || line < definition.from || line > definition.to) continue;
    const row = { ...reference, path: definition.path, isTest: false };
    const target = await references.target(row);
    const symbol = Array.isArray(target)
      ? (target.find(({ isPrototype }) => !isPrototype) ?? target[0])
      : undefined;
    const key = symbol === undefined ? name : `${symbol.path}:${symbol.line}`;
    const known = found.get(key);
    if (known === undefined) {
      const candidates = target === undefined ? (await references.candidates(row)).filter(isCallable) : [];
      found.set(key, { name, lines: [line], symbol, candidates });
    } else if (!known.lines.includes(line)) known.lines.push(line);
  }
  return [...found.values()];
}

/** The uses that are shown: calls of what is called, and imports only if every use is wanted. */
export function callableUses(
  uses: readonly ReferenceRow[],
  calls: boolean,
  show: SymbolPart | undefined,
): readonly ReferenceRow[] {
  return uses.filter(({ kind }) => (calls ? kind === 'call' : show === 'refs' || kind !== 'import'));
}
