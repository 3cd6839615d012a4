import type { Declaration } from './chunk.ts';

/** A declaration without its nesting level. */
export type FlatDeclaration = Omit<Declaration, 'level'>;

/** Adds how many others enclose each declaration, and drops variables inside functions, which nobody searches for. */
export function nest(sorted: readonly FlatDeclaration[]): Declaration[] {
  const open: FlatDeclaration[] = [];
  const nested: Declaration[] = [];
  for (const one of sorted) {
    while (open.length > 0 && (open.at(-1)?.to ?? 0) <= one.line) open.pop();
    if (one.kind === 'value' && open.some(({ kind }) => kind === 'function')) continue;
    nested.push({ ...one, level: open.length });
    if (one.to > one.line + 1) open.push(one);
  }
  return nested;
}
