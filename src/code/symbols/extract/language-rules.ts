import type { Import, ReferenceKind, SymbolKind } from '../file-symbols.ts';
import type { FlatTree } from './flat-tree.ts';

/**
 * What the children of a node are.
 * - `none`: an expression; an identifier is a use.
 * - `skip`: nothing of interest, such as a label; nothing below is read.
 * - `name`: the name that the node defines.
 * - `bind`: a pattern whose identifiers become variables of the scope; `hoist`: of the function around it.
 * - `bindType`: the name of a type parameter.
 * - `call`: what is called.
 * - `type`: a type; identifiers are uses of types.
 * - `member`: the part after the dot.
 * - `invoke`: what is called, in a node that also has what comes before the dot.
 * - `key`: the name of a property of an object whose type is unknown.
 * - `path`: a module or type before `::`, which is never a variable.
 * - `textMember`, `textCall`: in text without syntax, such as a macro's arguments; what comes before tells the rest.
 * - `import`: a name that comes from another file.
 * - `enumerator`, `field`, `typeName`: a leaf that defines by itself, because it has no node or shares one.
 * - `inherit`: what the node itself is.
 */
export const ROLES = [
  'unset',
  'none',
  'skip',
  'name',
  'bind',
  'hoist',
  'bindType',
  'call',
  'type',
  'member',
  'invoke',
  'key',
  'path',
  'textMember',
  'textCall',
  'import',
  'enumerator',
  'field',
  'typeName',
  'inherit',
] as const;
export type Role = (typeof ROLES)[number];

/** Where names are visible: `class` and `file` hold definitions, the others hold variables. */
export type ScopeKind = 'file' | 'class' | 'function' | 'block';

/** What a leaf is without a role; `shorthand`: a value and the key that gets it, as in `{ name }`; `quiet`: nothing. */
export type IdentifierKind = 'value' | 'type' | 'key' | 'shorthand' | 'quiet';

export type ScopeRule = ScopeKind | ((tree: FlatTree, node: number) => ScopeKind | undefined);

export interface DefinitionRule {
  readonly kind: SymbolKind | ((tree: FlatTree, node: number, scope: ScopeKind) => SymbolKind | undefined);
  /** The field with the name (`name`), or how to find its node. */
  readonly name?: string | ((tree: FlatTree, node: number) => number);
  /** The name in the text of the node, if `name` gives the node itself: a keyword or an operator has no node. */
  readonly word?: RegExp;
  /** Fields or types of children that are the body; the signature ends before the first one. Or how to find it. */
  readonly body?: readonly string[] | ((tree: FlatTree, node: number) => number);
  /** A variable, which is a definition outside functions only. */
  readonly variable?: boolean;
  readonly prototype?: (tree: FlatTree, node: number) => boolean;
  /** The node whose lines are the whole definition, if that is not the node itself. */
  readonly whole?: (tree: FlatTree, node: number) => number;
  /** Where it ends, if that is not the end of a node. */
  readonly end?: (tree: FlatTree, node: number) => number | undefined;
  /** The name of the type that it belongs to, although it is written elsewhere. */
  readonly owner?: (tree: FlatTree, node: number) => string | undefined;
  /** Belongs to the class around the function it is in, such as `self.x = …`. */
  readonly outward?: boolean;
  /** Another clause of a function that is already defined belongs to it. */
  readonly clauses?: boolean;
  /** Is a variable of the scope as well. */
  readonly binds?: boolean;
}

/** What custom code that reads a node may do. */
export interface Extraction {
  readonly tree: FlatTree;
  /** Sets the role of a node that comes later. */
  setRole(node: number, role: Role): void;
  addImport(name: string, imported: string, module: string, at: number): void;
  /** A use in a text without nodes. */
  addUse(start: number, name: string, kind: ReferenceKind, receiver?: string): void;
  /** Names a variable of the scope around the node that is read. */
  bind(name: string): void;
  /** A name that belongs to an outer scope although it is assigned here. */
  free(name: string): void;
  /** Adds a definition directly; its children are inside it. */
  define(node: number, name: number, rule: DefinitionRule): void;
  scopeKind(node: number): ScopeKind;
  hasRole(node: number, role: Role): boolean;
  /** Lines of a test that has no name. */
  addTest(node: number): void;
  /** Text that documents although it is not a comment. */
  addComment(node: number): void;
  /** Marks a definition of the file as exported by a separate statement. */
  exportName(name: string): void;
}

export interface LanguageRules {
  /** Definitions by the type of their node. */
  readonly definitions: Readonly<Record<string, DefinitionRule>>;
  /** Nodes that open a scope. */
  readonly scopes: Readonly<Record<string, ScopeRule>>;
  /** Roles by `type.field`; for all other children by `type`; for a field of any other node by `*.field`. */
  readonly roles: Readonly<Record<string, Role>>;
  /** Leaves that are names, and what they are without a role. */
  readonly identifiers: Readonly<Record<string, IdentifierKind>>;
  /** Nodes `a.b`: the fields of both. */
  readonly members: Readonly<Record<string, readonly [object: string, member: string]>>;
  readonly comments: readonly string[];
  /** Makes a text that the grammar can read; every character stays in its place. */
  readonly prepare?: (text: string) => string;
  /** Nodes that wrap a definition and belong to it, such as `export` and decorators. */
  readonly wrappers?: readonly string[];
  readonly read?: Readonly<Record<string, (extraction: Extraction, node: number) => void>>;
  readonly isExported: (tree: FlatTree, node: number, name: string) => boolean;
  /** Whether a definition is test code by itself; `head` is everything before its name. */
  readonly isTest?: (head: string, name: string, tree: FlatTree, node: number) => boolean;
  /** Nodes before a definition that belong to it, such as attributes. */
  readonly leading?: readonly string[];
  /** Only the last of these belongs to it. */
  readonly leadingOnce?: boolean;
  /** Names of the language itself; they are references only where the file gives them a meaning. */
  readonly builtIns?: ReadonlySet<string>;
  /** Names that are always local variables inside functions. */
  readonly variables?: RegExp;
  /** Variables of a file or class that are definitions, if not all are. */
  readonly definable?: RegExp;
  /** Names in patterns that are variables; others are constants that are compared. */
  readonly bindable?: RegExp;
  /** Whether a whole file is test code by what it imports and calls outside definitions. */
  readonly isTestText?: (imports: readonly Import[], calls: readonly string[]) => boolean;
  /** Nodes that may be documentation although they are not comments, and whether one is. */
  readonly documentation?: Readonly<Record<string, (tree: FlatTree, node: number) => boolean>>;
}
