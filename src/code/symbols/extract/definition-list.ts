import { at } from '../../../contract/at.ts';
import type { Definition, SymbolKind } from '../file-symbols.ts';
import { ROLE } from './compiled-rules.ts';
import { VARIABLE } from './declaring-node.ts';
import { type FlatTree, NONE } from './flat-tree.ts';
import type { DefinitionRule, LanguageRules } from './language-rules.ts';
import type { NodeColumns } from './node-columns.ts';
import type { Scopes } from './scopes.ts';
import { signatureOf } from './signature.ts';

/** A definition whose marks may still change. */
type Found = Omit<Definition, 'isTest' | 'isExported' | 'isPrototype' | 'to'> & {
  isTest: boolean;
  isExported: boolean;
  isPrototype: boolean;
  to: number;
};

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'module',
]);
const VARIABLES: ReadonlySet<SymbolKind> = new Set(['constant', 'variable', 'field']);
/** Not names, although they stand where one should: errors in the text, operators with words. */
const NO_NAME = /^'|[\s(){}[\]"`;,]/;
const OPERATOR = /^operator[^\w\s]+$/;
const MAX_NAME_LENGTH = 120;

/** The definitions of a file while it is read. */
export class DefinitionList {
  readonly #tree: FlatTree;
  readonly #rules: LanguageRules;
  readonly #columns: NodeColumns;
  readonly #scopes: Scopes;
  readonly #isTestFile: boolean;
  readonly #found: Found[] = [];
  /** The first type of each name. */
  readonly #types = new Map<string, number>();
  /** The fields of each class, because one may be assigned in several places. */
  readonly #fields = new Map<number, Set<string>>();
  /** Functions that may have several clauses, by scope and name. */
  readonly #clauses = new Map<string, number>();
  readonly #exported = new Set<string>();

  constructor(
    tree: FlatTree,
    rules: LanguageRules,
    columns: NodeColumns,
    scopes: Scopes,
    isTestFile: boolean,
  ) {
    this.#tree = tree;
    this.#rules = rules;
    this.#columns = columns;
    this.#scopes = scopes;
    this.#isTestFile = isTestFile;
  }

  /**
   * Adds a definition; undefined if the node turns out not to be one. It starts at `start`, where its decorators are, and
   * ends with the node of all its lines.
   */
  add(
    node: number,
    nameNode: number,
    rule: DefinitionRule,
    around: number,
    start?: number,
  ): number | undefined {
    const scope = this.#columns.scope(node);
    if (rule.variable === true && !this.#scopes.isOpen(scope)) return undefined;
    const tree = this.#tree;
    let kind = typeof rule.kind === 'string' ? rule.kind : rule.kind(tree, node, this.#scopes.kind(scope));
    if (kind === undefined) return undefined;
    const [name, shift] = nameOf(tree, nameNode, nameNode === node ? rule.word : undefined);
    if (name === '' || name === '_' || name.length > MAX_NAME_LENGTH) return undefined;
    if (NO_NAME.test(name) && !OPERATOR.test(name)) return undefined;
    const earlier = rule.clauses === true ? this.#clauses.get(`${scope} ${name}`) : undefined;
    if (earlier !== undefined) return this.#addClause(node, nameNode, rule, earlier);
    const owner = rule.owner?.(tree, node);
    const parent = this.#parent(node, rule, owner);
    if (kind === 'variable' && parent !== NONE && rule === VARIABLE && this.#isType(parent)) kind = 'field';
    if (rule.outward === true && parent === NONE) return undefined;
    if (VARIABLES.has(kind) && (rule.variable === true || rule.outward === true)) {
      if (this.#isKnown(scope, parent, name, kind)) return undefined;
    }
    if (nameNode !== node || rule.word === undefined) this.#columns.roles[nameNode] = ROLE.name;
    if (rule.binds === true) this.#scopes.bind(scope, name, 'local');
    else if (kind === 'field') this.#rememberField(parent, name);
    else if (kind !== 'method') {
      this.#scopes.bind(scope, name, 'kept');
      this.#scopes.bindType(scope, name, 'kept');
    }
    const apart = owner === undefined || this.#types.has(owner) ? undefined : owner;
    const made = this.#push(node, nameNode, { name, kind, shift, parent, rule, around, start, owner: apart });
    if (rule.outward !== true) this.#columns.insides[node] = made;
    if (rule.clauses === true) this.#clauses.set(`${scope} ${name}`, made);
    if ((TYPE_KINDS.has(kind) || kind === 'type') && !this.#types.has(name)) this.#types.set(name, made);
    return made;
  }

  #push(
    node: number,
    nameNode: number,
    made: {
      name: string;
      kind: SymbolKind;
      shift: number;
      parent: number;
      rule: DefinitionRule;
      around: number;
      start: number | undefined;
      owner: string | undefined;
    },
  ): number {
    const tree = this.#tree;
    const { name, kind, rule, around } = made;
    const parent = made.parent === NONE ? undefined : made.parent;
    const whole = rule.whole?.(tree, around) ?? around;
    const start = made.start ?? tree.start(whole);
    const end = Math.max(start, (rule.end?.(tree, node) ?? tree.end(whole)) - 1);
    const nameStart = tree.start(nameNode) + made.shift;
    const line = tree.lineAt(nameStart);
    const { isExported, isTest } = this.#rules;
    return (
      this.#found.push({
        name,
        kind,
        line: line + 1,
        column: nameStart - tree.lineStart(line),
        from: tree.lineAt(start) + 1,
        to: tree.lineAt(lastWord(tree.text, start, end)) + 1,
        parent,
        ...(made.owner === undefined ? {} : { owner: made.owner }),
        signature: signatureOf(tree, node, rule, nameNode, rule.whole?.(tree, node) ?? node),
        isTest:
          this.#isTestFile ||
          (parent !== undefined && at(this.#found, parent).isTest) ||
          (isTest?.(tree.text.slice(start, nameStart), name, tree, node) ?? false),
        isExported: isExported(tree, node, name),
        isPrototype: rule.prototype?.(tree, node) ?? false,
      }) - 1
    );
  }

  /** Another clause makes a definition longer, if nothing else came between. */
  #addClause(node: number, nameNode: number, rule: DefinitionRule, index: number): number {
    const tree = this.#tree;
    const last =
      tree.lineAt(lastWord(tree.text, tree.start(node), Math.max(tree.start(node), tree.end(node) - 1))) + 1;
    if (!this.#found.some(({ from }, at) => at > index && from <= last && from > this.#end(index))) {
      at(this.#found, index).to = Math.max(this.#end(index), last);
    }
    at(this.#found, index).isPrototype &&= rule.prototype?.(tree, node) ?? false;
    this.#columns.roles[nameNode] = ROLE.name;
    this.#columns.insides[node] = index;
    return index;
  }

  #end(index: number): number {
    return at(this.#found, index).to;
  }

  /** The definition that another one belongs to. */
  #parent(node: number, rule: DefinitionRule, owner: string | undefined): number {
    const inside = this.#columns.inside(node);
    if (owner !== undefined) return this.#types.get(owner) ?? inside;
    if (inside === NONE) return NONE;
    if (rule.outward === true) return this.#typeAround(inside);
    // Of several variables in one declaration, none contains the others.
    const { kind, parent } = at(this.#found, inside);
    return rule === VARIABLE && VARIABLES.has(kind) ? (parent ?? NONE) : inside;
  }

  /** The class or similar around a definition. */
  #typeAround(inside: number): number {
    let around = inside;
    while (around !== NONE && !this.#isType(around)) around = at(this.#found, around).parent ?? NONE;
    return around;
  }

  #isType(index: number): boolean {
    const { kind } = at(this.#found, index);
    return TYPE_KINDS.has(kind) && kind !== 'module';
  }

  #isKnown(scope: number, parent: number, name: string, kind: SymbolKind): boolean {
    return kind === 'field' ? (this.#fields.get(parent)?.has(name) ?? false) : this.#scopes.has(scope, name);
  }

  #rememberField(parent: number, name: string): void {
    const known = this.#fields.get(parent);
    if (known === undefined) this.#fields.set(parent, new Set([name]));
    else known.add(name);
  }

  /** Marks a definition of the file as exported by a separate statement. */
  export(name: string): void {
    this.#exported.add(name);
  }

  /** Adds what only the whole file shows: exports by separate statements, and whether it is a test. */
  finish(isTestFile: boolean): readonly Definition[] {
    for (const one of this.#found) {
      if (one.parent === undefined) one.isExported ||= this.#exported.has(one.name);
      else one.isExported &&= at(this.#found, one.parent).isExported;
      one.isTest ||= isTestFile;
    }
    return this.#found;
  }
}

/**
 * The name of a node and how far in it begins: `:name` in Ruby stands for `name`, as does a name between backticks in
 * Swift, Kotlin and Scala.
 */
function nameOf(tree: FlatTree, node: number, word?: RegExp): readonly [name: string, shift: number] {
  const text = tree.textOf(node);
  if (word !== undefined) {
    const found = word.exec(text);
    return found === null ? ['', 0] : [found[0], found.index];
  }
  if (/^`\w+`$/.test(text)) return [text.slice(1, -1), 1];
  return text.startsWith(':') ? [text.slice(1), 1] : [text, 0];
}

/** Some nodes end with the line breaks after them. */
function lastWord(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && text.charCodeAt(at) <= 32) at--;
  return at;
}
