import type { ReferenceKind } from '../file-symbols.ts';
import { type CompiledRules, ROLE } from './compiled-rules.ts';
import type { FlatTree } from './flat-tree.ts';
import type { IdentifierKind } from './language-rules.ts';
import type { NodeColumns } from './node-columns.ts';
import { receiverInText, receiverOf } from './receiver.ts';
import type { ReferenceList } from './reference-list.ts';

const USE_KINDS: ReadonlyMap<number, ReferenceKind> = new Map([
  [ROLE.call, 'call'],
  [ROLE.invoke, 'call'],
  [ROLE.textCall, 'call'],
  [ROLE.textMember, 'other'],
  [ROLE.type, 'type'],
  [ROLE.import, 'import'],
  [ROLE.key, 'other'],
]);

/** Reads what a name that defines nothing is used as: by its role, and by what comes before it. */
export class NameUses {
  readonly #tree: FlatTree;
  readonly #compiled: CompiledRules;
  readonly #columns: NodeColumns;
  readonly #references: ReferenceList;

  constructor(tree: FlatTree, compiled: CompiledRules, columns: NodeColumns, references: ReferenceList) {
    this.#tree = tree;
    this.#compiled = compiled;
    this.#columns = columns;
    this.#references = references;
  }

  visit(node: number, identifier: IdentifierKind): void {
    const role = this.#columns.role(node);
    if (role === ROLE.member) this.#useMember(node, identifier);
    else if (identifier !== 'quiet' || USE_KINDS.has(role)) {
      const kind = USE_KINDS.get(role) ?? (identifier === 'type' ? 'type' : 'other');
      if (identifier === 'shorthand')
        this.#references.addShorthand(this.#tree.start(node), this.#tree.textOf(node), node);
      else this.add(node, kind, this.#receiverBy(role, node, identifier));
    }
  }

  #receiverBy(role: number, node: number, identifier: IdentifierKind): string | undefined {
    if (role === ROLE.invoke) return receiverOf(this.#tree, this.#compiled, this.#tree.parent(node));
    if (role === ROLE.textMember || role === ROLE.textCall) return receiverInText(this.#tree, node);
    return role === ROLE.key || (identifier === 'key' && !USE_KINDS.has(role)) ? '' : undefined;
  }

  /** The name after a dot is used as the whole expression is: called, as a type, imported. */
  #useMember(node: number, identifier: IdentifierKind): void {
    const tree = this.#tree;
    const { members } = this.#compiled;
    let around = tree.parent(node);
    while (members[tree.typeId(around)] === undefined && this.#columns.role(around) === ROLE.member)
      around = tree.parent(around);
    const receiver = receiverOf(tree, this.#compiled, around) ?? '';
    while (this.#columns.role(around) === ROLE.member) around = tree.parent(around);
    const role = this.#columns.role(around);
    const kind =
      role === ROLE.call
        ? 'call'
        : role === ROLE.import
          ? 'import'
          : role === ROLE.type || identifier === 'type'
            ? 'type'
            : 'other';
    this.add(node, kind, receiver);
  }

  add(node: number, kind: ReferenceKind, receiver: string | undefined): void {
    const name = this.#tree.textOf(node);
    const plain = receiver !== undefined && name.startsWith('$') ? name.slice(1) : name;
    this.#references.add(this.#tree.start(node), plain, kind, node, receiver);
  }
}
