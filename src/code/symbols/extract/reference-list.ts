import type { Reference, ReferenceKind } from '../file-symbols.ts';
import { type FlatTree, NONE } from './flat-tree.ts';
import type { LanguageRules } from './language-rules.ts';
import type { NodeColumns } from './node-columns.ts';
import type { Scopes } from './scopes.ts';

/** How a name begins; `$1` and `.` in a shell are not names. */
const NAME = /^[\p{L}_$@#]/u;

/** Uses of names; those of local variables are dropped once the whole file has been read. */
export class ReferenceList {
  readonly #tree: FlatTree;
  readonly #columns: NodeColumns;
  readonly #uses: Reference[] = [];
  readonly #scopesOf: number[] = [];
  /** Names before `::`, which can only be types and modules. */
  readonly #paths = new Set<number>();
  /** `{ name }`, which is a use of the key even where the value is a local variable. */
  readonly #shorthands = new Set<number>();

  constructor(tree: FlatTree, columns: NodeColumns) {
    this.#tree = tree;
    this.#columns = columns;
  }

  add(start: number, name: string, kind: ReferenceKind, around: number, receiver?: string): void {
    const line = this.#tree.lineAt(start);
    const inside = this.#columns.inside(around);
    this.#scopesOf.push(this.#columns.scope(around));
    this.#uses.push({
      name,
      kind,
      line: line + 1,
      column: start - this.#tree.lineStart(line),
      inside: inside === NONE ? undefined : inside,
      receiver,
    });
  }

  addPath(start: number, name: string, around: number): void {
    this.#paths.add(this.#uses.length);
    this.add(start, name, /^\p{Lu}/u.test(name) ? 'type' : 'other', around);
  }

  addShorthand(start: number, name: string, around: number): void {
    this.#shorthands.add(this.#uses.length);
    this.add(start, name, 'other', around);
  }

  /** The names of what is called outside definitions. */
  outerCalls(): string[] {
    return this.#uses.flatMap(({ kind, inside, name }) =>
      kind === 'call' && inside === undefined ? [name] : [],
    );
  }

  /** The uses that are not of local variables. */
  finish(scopes: Scopes, rules: LanguageRules): Reference[] {
    return this.#uses.flatMap((use, at) => {
      if (use.name === '_' || !NAME.test(use.name)) return [];
      if (use.receiver !== undefined || !this.#isLocal(use, at, scopes, rules)) return [use];
      return this.#shorthands.has(at) ? [{ ...use, receiver: '' }] : [];
    });
  }

  #isLocal(
    { name, kind }: Reference,
    at: number,
    scopes: Scopes,
    { builtIns, variables }: LanguageRules,
  ): boolean {
    const scope = this.#scopesOf[at] ?? 0;
    if (builtIns?.has(name) === true && !scopes.has(0, name)) return true;
    if (variables?.test(name) === true && !scopes.isOpen(scope)) return true;
    return scopes.isLocal(scope, name, kind === 'type' || this.#paths.has(at));
  }
}
