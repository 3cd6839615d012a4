import type { Declaration } from './chunk.ts';

/** A declaration before anybody looked at what it lies in. */
export type FlatDeclaration = Omit<Declaration, 'level'>;

/** Adds how many others each declaration lies in, and drops the variables inside functions: nobody looks for them. */
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
