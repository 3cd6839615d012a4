import type { Definition } from './file-symbols.ts';

/** The names of definitions, qualified by what encloses them, outermost first: `Pool.acquire`. */
export function qualifiedNames(definitions: readonly Definition[]): readonly string[] {
  const names: string[] = [];
  for (const { name, parent, owner } of definitions) {
    const around = parent === undefined ? undefined : names[parent];
    names.push([around, owner, name].filter((part) => part !== undefined).join('.'));
  }
  return names;
}

/** The qualified name of what encloses a definition, given the qualified names of all. */
export function scopeOf(
  { parent, owner }: Pick<Definition, 'parent' | 'owner'>,
  qualified: readonly string[],
): string {
  const around = parent === undefined ? undefined : qualified[parent];
  return [around, owner].filter((part) => part !== undefined).join('.');
}

/** `Pool.acquire`. */
export function qualifiedName({ name, scope }: { readonly name: string; readonly scope: string }): string {
  return scope === '' ? name : `${scope}.${name}`;
}
