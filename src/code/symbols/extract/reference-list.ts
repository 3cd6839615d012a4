import type { Reference, ReferenceKind } from '../file-symbols.ts';
import { type FlatTree, NONE } from './flat-tree.ts';
import type { LanguageRules } from './language-rules.ts';
import type { NodeColumns } from './node-columns.ts';
import type { Scopes } from './scopes.ts';

/** How a name begins; `$1` and `.` of a shell are not names. */
const NAME = /^[\p{L}_$@#]/u;

/** Uses of names, of which those of local variables are sorted out once the whole file is read. */
export class ReferenceList {
  readonly #tree: FlatTree;
  readonly #columns: NodeColumns;
  readonly #uses: Reference[] = [];
  readonly #scopesOf: number[] = [];
  /** Those before `::`, where only types and modules stand. */
  readonly #paths = new Set<number>();

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

  /** The names of what is called outside definitions. */
  outerCalls(): string[] {
    return this.#uses.flatMap(({ kind, inside, name }) =>
      kind === 'call' && inside === undefined ? [name] : [],
    );
  }

  /** The uses that are not of local variables. */
  finish(scopes: Scopes, { builtIns, variables }: LanguageRules): Reference[] {
    return this.#uses.filter(({ name, kind, receiver }, at) => {
      if (name === '_' || !NAME.test(name)) return false;
      if (receiver !== undefined) return true;
      const scope = this.#scopesOf[at] ?? 0;
      if (builtIns?.has(name) === true && !scopes.has(0, name)) return false;
      if (variables?.test(name) === true && !scopes.isOpen(scope)) return false;
      return !scopes.isLocal(scope, name, kind === 'type' || this.#paths.has(at));
    });
  }
}
