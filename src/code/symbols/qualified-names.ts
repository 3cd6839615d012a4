import type { Definition } from './file-symbols.ts';

/** The names of definitions with what is around them, outermost first: `Pool.acquire`. */
export function qualifiedNames(definitions: readonly Definition[]): readonly string[] {
  const names: string[] = [];
  for (const { name, parent } of definitions) {
    const around = parent === undefined ? undefined : names[parent];
    names.push(around === undefined ? name : `${around}.${name}`);
  }
  return names;
}

/** `Pool.acquire`. */
export function qualifiedName({ name, scope }: { readonly name: string; readonly scope: string }): string {
  return scope === '' ? name : `${scope}.${name}`;
}
