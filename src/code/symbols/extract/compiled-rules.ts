import type { FlatTree, GrammarNames } from './flat-tree.ts';
import {
  type DefinitionRule,
  type Extraction,
  type IdentifierKind,
  type LanguageRules,
  ROLES,
  type ScopeRule,
} from './language-rules.ts';

/** A role as a number; see ROLES. */
export const ROLE = Object.fromEntries(ROLES.map((role, id) => [role, id])) as Readonly<
  Record<(typeof ROLES)[number], number>
>;

/** What to do at nodes of one type. */
export interface NodeRule {
  readonly definition: DefinitionRule | undefined;
  readonly scope: ScopeRule | undefined;
  readonly identifier: IdentifierKind | undefined;
  readonly isComment: boolean;
  readonly documentation: ((tree: FlatTree, node: number) => boolean) | undefined;
  readonly isWrapper: boolean;
  readonly isLeading: boolean;
  readonly read: ((extraction: Extraction, node: number) => void) | undefined;
}

/** The rules of a language by the ids of its grammar. */
export interface CompiledRules {
  readonly rules: LanguageRules;
  /** By node type; undefined for types without a rule. */
  readonly nodes: readonly (NodeRule | undefined)[];
  /** The role of a child by the parent's type × number of fields + the child's field. */
  readonly roles: Uint8Array;
  readonly fields: number;
  /** By node type: the ids of the fields of object and member. */
  readonly members: readonly (readonly [object: number, member: number] | undefined)[];
}

export function compileRules(rules: LanguageRules, names: GrammarNames): CompiledRules {
  const fields = names.fields.length;
  const roles = new Uint8Array(names.types.length * fields);
  for (const [id, type] of names.types.entries()) {
    const any = own(rules.roles, type);
    for (const [field, name] of names.fields.entries()) {
      const role =
        (field === 0 ? undefined : rules.roles[`${type}.${name}`]) ??
        any ??
        (field === 0 ? undefined : rules.roles[`*.${name}`]);
      if (role !== undefined) roles[id * fields + field] = ROLE[role];
    }
  }
  return {
    rules,
    roles,
    fields,
    nodes: names.types.map((type, id) => (names.kept[id] === true ? nodeRule(rules, type) : undefined)),
    members: names.types.map((type) => {
      const member = rules.members[type];
      return member === undefined
        ? undefined
        : ([names.fields.indexOf(member[0]), names.fields.indexOf(member[1])] as const);
    }),
  };
}

function nodeRule(rules: LanguageRules, type: string): NodeRule | undefined {
  const rule: NodeRule = {
    definition: own(rules.definitions, type),
    scope: own(rules.scopes, type),
    identifier: own(rules.identifiers, type),
    isComment: rules.comments.includes(type),
    documentation: rules.documentation === undefined ? undefined : own(rules.documentation, type),
    isWrapper: rules.wrappers?.includes(type) ?? false,
    isLeading: rules.leading?.includes(type) ?? false,
    read: rules.read === undefined ? undefined : own(rules.read, type),
  };
  const idle =
    rule.definition === undefined &&
    rule.scope === undefined &&
    rule.identifier === undefined &&
    rule.read === undefined &&
    rule.documentation === undefined &&
    !rule.isComment &&
    !rule.isLeading &&
    !rule.isWrapper;
  return idle ? undefined : rule;
}

function own<Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
