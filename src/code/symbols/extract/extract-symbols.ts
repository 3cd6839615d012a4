import type { FileSymbols, Import, LineSpan, ReferenceKind } from '../file-symbols.ts';
import { commentLines } from './comment-lines.ts';
import { type CompiledRules, type NodeRule, ROLE } from './compiled-rules.ts';
import { declaring, ENUMERATOR, FIELD, TYPE_NAME, VARIABLE } from './declaring-node.ts';
import { DefinitionList } from './definition-list.ts';
import { type FlatTree, NONE } from './flat-tree.ts';
import type { DefinitionRule, Extraction, IdentifierKind, Role, ScopeKind } from './language-rules.ts';
import { NameUses } from './name-uses.ts';
import { NodeColumns } from './node-columns.ts';
import { ReferenceList } from './reference-list.ts';
import { Scopes } from './scopes.ts';
import { isTestFile, testLines } from './test-code.ts';

const columns = new NodeColumns();
/** Reads definitions, references and the rest from a tree, from its first node to its last. */
export function extractSymbols(
  tree: FlatTree,
  compiled: CompiledRules,
  language: string,
  path: string,
): FileSymbols {
  return new SymbolExtraction(tree, compiled, path).run(language);
}

class SymbolExtraction implements Extraction {
  readonly tree: FlatTree;
  readonly #compiled: CompiledRules;
  readonly #scopes = new Scopes();
  readonly #definitions: DefinitionList;
  readonly #references: ReferenceList;
  readonly #uses: NameUses;
  readonly #imports: Import[] = [];
  readonly #commentNodes: number[] = [];
  readonly #tests: LineSpan[] = [];
  /** Definitions that were made before their node was reached, because something around it belongs to them. */
  readonly #early = new Map<number, number>();
  readonly #isTestFile: boolean;
  /** Attributes: where they start and which node they belong to. */
  #leadStart = 0;
  #leadNext = NONE;
  #leadParent = NONE;
  /** The node that custom code is reading. */
  #current = 0;

  constructor(tree: FlatTree, compiled: CompiledRules, path: string) {
    this.tree = tree;
    this.#compiled = compiled;
    this.#isTestFile = isTestFile(path);
    columns.reset(tree.count);
    this.#definitions = new DefinitionList(tree, compiled.rules, columns, this.#scopes, this.#isTestFile);
    this.#references = new ReferenceList(tree, columns);
    this.#uses = new NameUses(tree, compiled, columns, this.#references);
  }

  run(language: string): FileSymbols {
    const { tree } = this;
    const { nodes, rules } = this.#compiled;
    for (let node = 0; node < tree.count; ) {
      this.#inherit(node);
      if (columns.roles[node] === ROLE.skip) {
        node = tree.after(node);
        continue;
      }
      const rule = nodes[tree.typeId(node)];
      if (rule !== undefined) this.#visit(node, rule);
      node = columns.roles[node] === ROLE.name ? tree.after(node) : node + 1;
    }
    const isTest =
      this.#isTestFile || (rules.isTestText?.(this.#imports, this.#references.outerCalls()) ?? false);
    const definitions = this.#definitions.finish(isTest);
    return {
      language,
      lines: tree.lines,
      definitions,
      references: this.#references.finish(this.#scopes, rules),
      imports: this.#imports,
      comments: commentLines(tree, this.#commentNodes),
      tests: testLines(definitions, this.#tests, isTest, tree.lines),
    };
  }

  /** Scope, definition and role come from the enclosing node. */
  #inherit(node: number): void {
    const parent = this.tree.parent(node);
    if (parent === NONE) {
      columns.scopes[node] = 0;
      columns.insides[node] = NONE;
      return;
    }
    columns.scopes[node] = columns.scope(parent);
    columns.insides[node] = columns.inside(parent);
    if (columns.roles[node] !== ROLE.unset) return;
    const { roles, fields } = this.#compiled;
    const role = roles[this.tree.typeId(parent) * fields + this.tree.fieldId(node)] ?? ROLE.unset;
    columns.roles[node] = role === ROLE.inherit ? columns.role(parent) : role;
  }

  #visit(node: number, rule: NodeRule): void {
    if (rule.identifier !== undefined) {
      this.#visitName(node, rule.identifier);
      return;
    }
    const { tree } = this;
    if (rule.isComment) {
      this.#commentNodes.push(node);
      if (this.#leadNext === node) this.#leadNext = tree.after(node);
      return;
    }
    if (rule.isLeading) {
      const isNext = this.#leadNext === node && this.#leadParent === tree.parent(node);
      if (!isNext || this.#compiled.rules.leadingOnce === true) this.#leadStart = tree.start(node);
      this.#leadNext = tree.after(node);
      this.#leadParent = tree.parent(node);
    }
    if (rule.documentation?.(tree, node) === true) this.#commentNodes.push(node);
    if (rule.isWrapper && !this.#early.has(node)) this.#defineWrapped(node, node);
    if (rule.definition !== undefined) {
      const early = this.#early.get(node);
      if (early !== undefined) columns.insides[node] = early;
      else this.#defineBy(node, rule.definition, node);
    }
    const scope = typeof rule.scope === 'function' ? rule.scope(tree, node) : rule.scope;
    if (scope !== undefined) columns.scopes[node] = this.#scopes.open(scope, columns.scope(node));
    this.#current = node;
    rule.read?.(this, node);
  }

  /** Decorators and so on come before the definition that they belong to. */
  #defineWrapped(wrapper: number, outermost: number): void {
    const { tree } = this;
    for (let child = tree.firstChild(wrapper); child !== NONE; child = tree.nextSibling(child)) {
      const rule = this.#compiled.nodes[tree.typeId(child)];
      if (rule?.isWrapper === true) {
        this.#defineWrapped(child, outermost);
        continue;
      }
      if (rule?.definition === undefined) continue;
      columns.scopes[child] = columns.scope(outermost);
      columns.insides[child] = columns.inside(outermost);
      const made = this.#defineBy(child, rule.definition, outermost);
      if (made === undefined) continue;
      this.#early.set(child, made);
      if (wrapper !== outermost) this.#early.set(wrapper, made);
      columns.insides[outermost] = made;
      return;
    }
  }

  #defineBy(node: number, rule: DefinitionRule, around: number): number | undefined {
    const { tree } = this;
    const { name = 'name' } = rule;
    const nameNode = typeof name === 'string' ? tree.field(node, name) : name(tree, node);
    if (nameNode === NONE) return undefined;
    const isLed = this.#leadNext === around && this.#leadParent === tree.parent(around);
    const start = isLed ? this.#leadStart : undefined;
    return this.#definitions.add(node, nameNode, rule, around, start);
  }

  #visitName(node: number, identifier: IdentifierKind): void {
    switch (columns.role(node)) {
      case ROLE.name:
        return;
      case ROLE.bind:
        this.#bindName(node, columns.scope(node), identifier);
        return;
      case ROLE.hoist:
        this.#bindName(node, this.#scopes.functionAround(columns.scope(node)), identifier);
        return;
      case ROLE.bindType:
        this.#scopes.bindType(columns.scope(node), this.tree.textOf(node), 'local');
        return;
      case ROLE.path:
        this.#references.addPath(this.tree.start(node), this.tree.textOf(node), node);
        return;
      case ROLE.enumerator:
        this.#definitions.add(node, node, ENUMERATOR, node);
        return;
      case ROLE.field:
        this.#definitions.add(node, node, FIELD, node);
        return;
      case ROLE.typeName:
        this.#definitions.add(node, node, TYPE_NAME, node);
        return;
      default:
        this.#uses.visit(node, identifier);
    }
  }

  #bindName(node: number, scope: number, identifier: IdentifierKind): void {
    const { bindable, definable } = this.#compiled.rules;
    const name = this.tree.textOf(node);
    if (bindable?.test(name) === false) this.#uses.add(node, 'other', undefined);
    else if (this.#scopes.isOpen(scope) && definable?.test(name) !== false && !this.#isBroken(node)) {
      if (this.#definitions.add(node, node, VARIABLE, node) === undefined)
        this.#uses.add(node, 'other', undefined);
    } else this.#scopes.bind(scope, name, 'local');
    if (identifier === 'key') this.#uses.add(node, 'other', '');
  }

  /** Whether a name is in a part that could not be parsed; its scope is not known. */
  #isBroken(node: number): boolean {
    const { tree } = this;
    const around = tree.parent(declaring(tree, node));
    return tree.type(around) === 'ERROR' || (around !== NONE && tree.type(tree.parent(around)) === 'ERROR');
  }

  define(node: number, name: number, rule: DefinitionRule): void {
    if (name === NONE) return;
    columns.scopes[node] = columns.scope(this.#current);
    columns.insides[node] = columns.inside(this.#current);
    this.#definitions.add(node, name, rule, node);
  }

  scopeKind(node: number): ScopeKind {
    return this.#scopes.kind(columns.scope(node));
  }

  hasRole(node: number, role: Role): boolean {
    return node !== NONE && columns.role(node) === ROLE[role];
  }

  addTest(node: number): void {
    const { tree } = this;
    this.#tests.push({ from: tree.lineAt(tree.start(node)) + 1, to: tree.lineAt(tree.end(node) - 1) + 1 });
  }

  addComment(node: number): void {
    this.#commentNodes.push(node);
  }

  exportName(name: string): void {
    this.#definitions.export(name);
  }

  setRole(node: number, role: Role): void {
    if (node !== NONE) columns.roles[node] = ROLE[role];
  }

  addImport(name: string, imported: string, module: string, node: number): void {
    if (name === '' || module === '') return;
    this.#imports.push({ name, imported, module, line: this.tree.lineAt(this.tree.start(node)) + 1 });
    this.#scopes.bind(columns.scope(this.#current), name, 'kept');
  }

  addUse(start: number, name: string, kind: ReferenceKind, receiver?: string): void {
    this.#references.add(start, name, kind, this.#current, receiver);
  }

  bind(name: string): void {
    this.#scopes.bind(columns.scope(this.#current), name, 'local');
  }

  free(name: string): void {
    this.#scopes.bind(columns.scope(this.#current), name, 'kept');
  }
}
