import type { FileShape } from '../symbols/file-shape.ts';
import type { Definition, SymbolKind } from '../symbols/file-symbols.ts';
import { qualifiedNames } from '../symbols/qualified-names.ts';

/** What kind of place a definition is: code that runs, something that has members, or a value. */
export type UnitKind = 'function' | 'container' | 'value';

/** A definition that can be shown as an answer. Lines count from 1, both ends included. */
export interface DefinitionUnit {
  /** Qualified: `Pool.acquire`. */
  readonly name: string;
  readonly ownName: string;
  readonly signature: string;
  readonly kind: UnitKind;
  /** The line of the name. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** Where the comment above it begins. */
  readonly lead: number;
  /** The last line of its own; a container ends before its first function, as members are places of their own. */
  readonly end: number;
  readonly isTest: boolean;
  readonly isPrototype: boolean;
}

const KINDS: Readonly<Partial<Record<SymbolKind, UnitKind>>> = {
  function: 'function',
  method: 'function',
  macro: 'function',
  class: 'container',
  struct: 'container',
  interface: 'container',
  trait: 'container',
  enum: 'container',
  type: 'container',
  module: 'container',
};
/** Longer comments begin with a licence or a whole chapter. */
const MAX_COMMENT_LINES = 40;
/** A file with more definitions than this is data. */
const MAX_UNITS = 600;

/** The definitions of a file that can be answers. */
export function definitionUnits({ definitions, comments, tests }: FileShape): DefinitionUnit[] {
  const names = qualifiedNames(definitions);
  const commentEndingAt = new Map(comments.map((span) => [span.to, span]));
  const firstMember = firstMembers(definitions);
  const units: DefinitionUnit[] = [];
  for (const [at, one] of definitions.entries()) {
    const kind = KINDS[one.kind] ?? 'value';
    // A constant on one line is a detail of what surrounds it.
    if (kind === 'value' && one.to === one.from) continue;
    if (units.length >= MAX_UNITS) break;
    const { name: ownName, signature, line, from, to, isPrototype } = one;
    const above = commentEndingAt.get(from - 1)?.from ?? from;
    const member = kind === 'container' ? firstMember.get(at) : undefined;
    units.push({
      name: names[at] ?? ownName,
      ownName,
      signature,
      kind,
      line,
      from,
      to,
      lead: Math.max(above, from - MAX_COMMENT_LINES),
      end: member === undefined ? to : Math.min(to, Math.max(line, member - 1)),
      isTest: one.isTest || tests.some((span) => span.from <= line && line <= span.to),
      isPrototype,
    });
  }
  return units;
}

/** The first line of the first function or container in each definition. */
function firstMembers(definitions: readonly Definition[]): Map<number, number> {
  const found = new Map<number, number>();
  for (const { parent, kind, from } of definitions) {
    if (parent !== undefined && KINDS[kind] !== undefined && !found.has(parent)) found.set(parent, from);
  }
  return found;
}
