import { at } from '../../../contract/at.ts';
import type { ScopeKind } from './language-rules.ts';

/** `local`: a variable or parameter; `kept`: a definition, or a name of an outer scope. */
type Binding = 'local' | 'kept';

interface Scope {
  readonly kind: ScopeKind;
  readonly parent: number;
  values: Map<string, Binding> | undefined;
  types: Map<string, Binding> | undefined;
}

/** The scopes of a file and the names in them. Names are valid in their whole scope, even before their declaration. */
export class Scopes {
  readonly #scopes: Scope[] = [{ kind: 'file', parent: -1, values: undefined, types: undefined }];

  open(kind: ScopeKind, parent: number): number {
    this.#scopes.push({ kind, parent, values: undefined, types: undefined });
    return this.#scopes.length - 1;
  }

  kind(scope: number): ScopeKind {
    return at(this.#scopes, scope).kind;
  }

  /** Whether variables of a scope are definitions that others can see. */
  isOpen(scope: number): boolean {
    const { kind } = at(this.#scopes, scope);
    return kind === 'file' || kind === 'class';
  }

  /** The scope of the function around a scope, or the file's. */
  functionAround(scope: number): number {
    let around = scope;
    while (at(this.#scopes, around).kind === 'block') around = at(this.#scopes, around).parent;
    return around;
  }

  bind(scope: number, name: string, binding: Binding): void {
    const { values } = at(this.#scopes, scope);
    if (values === undefined) at(this.#scopes, scope).values = new Map([[name, binding]]);
    else if (!values.has(name)) values.set(name, binding);
  }

  bindType(scope: number, name: string, binding: Binding): void {
    const { types } = at(this.#scopes, scope);
    if (types === undefined) at(this.#scopes, scope).types = new Map([[name, binding]]);
    else if (!types.has(name)) types.set(name, binding);
  }

  has(scope: number, name: string): boolean {
    return at(this.#scopes, scope).values?.has(name) ?? false;
  }

  /** Whether a name, used in a scope, is a local variable, parameter or type parameter. */
  isLocal(scope: number, name: string, isType: boolean): boolean {
    for (let around = scope; around >= 0; around = at(this.#scopes, around).parent) {
      const { values, types } = at(this.#scopes, around);
      const binding = (isType ? undefined : values?.get(name)) ?? types?.get(name);
      if (binding !== undefined) return binding === 'local';
    }
    return false;
  }
}
