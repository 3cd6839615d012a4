import { at } from '../../../contract/at.ts';
import type {
  Definition,
  FileSymbols,
  Import,
  Reference,
  ReferenceKind,
  SymbolKind,
} from '../file-symbols.ts';
import { commentLines } from './comment-lines.ts';
import { type CompiledRules, type NodeRule, ROLE } from './compiled-rules.ts';
import { type FlatTree, NONE } from './flat-tree.ts';
import type { DefinitionRule, Extraction, Role, ScopeKind } from './language-rules.ts';
import { Scopes } from './scopes.ts';
import { signatureOf } from './signature.ts';
import { isTestFile, testLines } from './test-code.ts';

/** A use that may turn out to be of a local variable once the whole file is read. */
interface Use extends Reference {
  readonly scope: number;
  /** Before `::`, where only types and modules stand. */
  readonly isPath: boolean;
}

/** A definition whose marks may still change. */
type Found = Omit<Definition, 'isTest' | 'isExported'> & { isTest: boolean; isExported: boolean };

/** Columns that are used again for every file; they grow with the largest. */
class Columns {
  scopes = new Int32Array(0);
  insides = new Int32Array(0);
  roles = new Uint8Array(0);

  reset(count: number): void {
    if (this.roles.length < count) {
      this.scopes = new Int32Array(count * 2);
      this.insides = new Int32Array(count * 2);
      this.roles = new Uint8Array(count * 2);
    } else this.roles.fill(0, 0, count);
  }
}

const columns = new Columns();
const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'struct',
  'interface',
  'trait',
  'enum',
  'module',
]);
const ENUMERATOR: DefinitionRule = { kind: 'constant' };
const FIELD: DefinitionRule = { kind: 'field', whole: declaring };
const TYPE_NAME: DefinitionRule = { kind: 'type', whole: declaring };
const VARIABLE: DefinitionRule = {
  kind: (tree, node) => (/^const/.test(tree.type(declaring(tree, node))) ? 'constant' : 'variable'),
  variable: true,
  whole: declaring,
};

/** The declaration or statement around a name that declares by itself. */
function declaring(tree: FlatTree, node: number): number {
  for (let around = tree.parent(node); around !== NONE; around = tree.parent(around)) {
    const type = tree.type(around);
    if (/(?:declaration|definition|spec|statement|assignment|declarator|element)$/.test(type)) {
      if (!/^(?:pointer|array|function|parenthesized|init|attributed|reference)_declarator$/.test(type))
        return around;
    } else if (!/(?:pattern|list|tuple|declarator)$/.test(type)) break;
  }
  return node;
}

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
  readonly #definitions: Found[] = [];
  readonly #uses: Use[] = [];
  readonly #imports: Import[] = [];
  readonly #commentNodes: number[] = [];
  /** Definitions that were made before their node was reached, because something around it belongs to them. */
  readonly #early = new Map<number, number>();
  readonly #types = new Map<string, number>();
  /** The fields of each class, because one may be assigned in several places. */
  readonly #fields = new Map<number, Set<string>>();
  /** Attributes: where they start and which node they belong to. */
  #leadStart = 0;
  #leadNext = NONE;
  /** The node that is read by hand. */
  #current = 0;
  readonly #exported = new Set<string>();
  #isTestFile: boolean;

  constructor(tree: FlatTree, compiled: CompiledRules, path: string) {
    this.tree = tree;
    this.#compiled = compiled;
    this.#isTestFile = isTestFile(path);
    columns.reset(tree.count);
  }

  run(language: string): FileSymbols {
    const { tree } = this;
    const { nodes, roles, fields } = this.#compiled;
    for (let node = 0; node < tree.count; ) {
      const parent = tree.parent(node);
      if (parent !== NONE) {
        columns.scopes[node] = columns.scopes[parent] ?? 0;
        columns.insides[node] = columns.insides[parent] ?? NONE;
        if (columns.roles[node] === ROLE.unset) {
          const role = roles[tree.typeId(parent) * fields + tree.fieldId(node)] ?? ROLE.unset;
          columns.roles[node] = role === ROLE.inherit ? (columns.roles[parent] ?? ROLE.none) : role;
        }
      } else {
        columns.scopes[node] = 0;
        columns.insides[node] = NONE;
      }
      if (columns.roles[node] === ROLE.skip) {
        node = tree.after(node);
        continue;
      }
      const rule = nodes[tree.typeId(node)];
      if (rule !== undefined) this.#visit(node, rule);
      node++;
    }
    const references = this.#references();
    this.#mark();
    const definitions = this.#definitions;
    const comments = commentLines(tree, this.#commentNodes);
    return {
      language,
      lines: tree.lines,
      definitions,
      references,
      imports: this.#imports,
      comments,
      tests: testLines(definitions, this.#isTestFile, tree.lines),
    };
  }

  /** What only the whole file tells: exports by a statement of their own, and whether it is a test. */
  #mark(): void {
    const calls = this.#uses.flatMap(({ kind, inside, name }) =>
      kind === 'call' && inside === undefined ? [name] : [],
    );
    if (this.#compiled.rules.isTestText?.(this.#imports, calls) === true) this.#isTestFile = true;
    for (const one of this.#definitions) {
      const parent = one.parent === undefined ? undefined : at(this.#definitions, one.parent);
      if (parent === undefined) one.isExported ||= this.#exported.has(one.name);
      else one.isExported &&= parent.isExported;
      one.isTest ||= this.#isTestFile;
    }
  }

  #visit(node: number, rule: NodeRule): void {
    const { tree } = this;
    if (rule.identifier !== undefined) {
      this.#visitName(node, rule.identifier);
      return;
    }
    if (rule.isComment) {
      this.#commentNodes.push(node);
      if (this.#leadNext === node) this.#leadNext = tree.after(node);
      return;
    }
    if (rule.isLeading) {
      if (this.#leadNext !== node) this.#leadStart = tree.start(node);
      this.#leadNext = tree.after(node);
    }
    if (rule.documentation?.(tree, node) === true) this.#commentNodes.push(node);
    this.#current = node;
    rule.read?.(this, node);
    if (rule.isWrapper) this.#defineWrapped(node);
    if (rule.definition !== undefined) {
      const early = this.#early.get(node);
      if (early !== undefined) columns.insides[node] = early;
      else this.#defineBy(node, rule.definition, node);
    }
    const scope = typeof rule.scope === 'function' ? rule.scope(tree, node) : rule.scope;
    if (scope !== undefined) columns.scopes[node] = this.#scopes.open(scope, columns.scopes[node] ?? 0);
  }

  /** Decorators and the like come before the definition that they belong to. */
  #defineWrapped(wrapper: number): void {
    const { tree } = this;
    for (let child = tree.firstChild(wrapper); child !== NONE; child = tree.nextSibling(child)) {
      const rule = this.#compiled.nodes[tree.typeId(child)];
      if (rule?.definition === undefined) continue;
      columns.scopes[child] = columns.scopes[wrapper] ?? 0;
      columns.insides[child] = columns.insides[wrapper] ?? NONE;
      const made = this.#defineBy(child, rule.definition, wrapper);
      if (made === undefined) continue;
      this.#early.set(child, made);
      columns.insides[wrapper] = made;
      return;
    }
  }

  define(node: number, name: number, rule: DefinitionRule): void {
    this.#add(node, name, rule, node);
  }

  scopeKind(node: number): ScopeKind {
    return this.#scopes.kind(columns.scopes[node] ?? 0);
  }

  #defineBy(node: number, rule: DefinitionRule, around: number): number | undefined {
    const { tree } = this;
    const { name = 'name' } = rule;
    const nameNode = typeof name === 'string' ? tree.field(node, name) : name(tree, node);
    return nameNode === NONE ? undefined : this.#add(node, nameNode, rule, around);
  }

  #add(node: number, nameNode: number, rule: DefinitionRule, around: number): number | undefined {
    const { tree } = this;
    const scope = columns.scopes[node] ?? 0;
    if (rule.variable === true && !this.#scopes.isOpen(scope)) return undefined;
    const kind = typeof rule.kind === 'string' ? rule.kind : rule.kind(tree, node, this.#scopes.kind(scope));
    if (kind === undefined) return undefined;
    const name = tree.textOf(nameNode);
    if (name === '' || /[\s(){}"]/.test(name)) return undefined;
    columns.roles[nameNode] = ROLE.name;
    if (rule.binds === true) this.#scopes.bind(scope, name, 'local');
    if (rule.variable === true && this.#scopes.has(scope, name)) return undefined;
    const inner = kind === 'method' || kind === 'field';
    if (!inner) {
      this.#scopes.bind(scope, name, 'kept');
      this.#scopes.bindType(scope, name, 'kept');
    }
    const inside = this.#around(node, rule);
    const parent = rule.outward === true ? this.#typeAround(inside) : this.#owner(node, rule, inside);
    if (rule.outward === true && !this.#isNewField(parent, name)) return undefined;
    const whole = rule.whole?.(tree, around) ?? around;
    const parentDefinition = parent === NONE ? undefined : at(this.#definitions, parent);
    if (rule.outward !== true && kind === 'field' && parent !== NONE) this.#isNewField(parent, name);
    const { isExported, isTest } = this.#compiled.rules;
    const start = this.#leadNext === around ? this.#leadStart : tree.start(whole);
    this.#definitions.push({
      name,
      kind,
      ...this.#place(nameNode),
      from: tree.lineAt(start) + 1,
      to: tree.lineAt(Math.max(tree.start(whole), tree.end(whole) - 1)) + 1,
      parent: parent === NONE ? undefined : parent,
      signature: signatureOf(tree, node, rule, nameNode, rule.whole?.(tree, node) ?? node),
      isTest:
        this.#isTestFile ||
        (parentDefinition?.isTest ?? false) ||
        (isTest?.(tree.text.slice(start, tree.start(nameNode)), name) ?? false),
      isExported: isExported(tree, node, name),
      isPrototype: rule.prototype?.(tree, node) ?? false,
    });
    const made = this.#definitions.length - 1;
    if (rule.outward !== true) columns.insides[node] = made;
    if ((TYPE_KINDS.has(kind) || kind === 'type') && !this.#types.has(name)) this.#types.set(name, made);
    return made;
  }

  /** What a definition stands in; of several variables of one declaration none contains the others. */
  #around(node: number, rule: DefinitionRule): number {
    const inside = columns.insides[node] ?? NONE;
    if (rule !== VARIABLE || inside === NONE) return inside;
    const { kind, parent } = at(this.#definitions, inside);
    return kind === 'constant' || kind === 'variable' ? (parent ?? NONE) : inside;
  }

  /** The type that a method of Go or Rust belongs to, if it stands before in the file. */
  #owner(node: number, rule: DefinitionRule, inside: number): number {
    const owner = rule.owner?.(this.tree, node);
    if (owner === undefined) return inside;
    return this.#types.get(owner) ?? inside;
  }

  /** The class or the like around a definition. */
  #typeAround(inside: number): number {
    let around = inside;
    while (around !== NONE && !TYPE_KINDS.has(at(this.#definitions, around).kind)) {
      around = at(this.#definitions, around).parent ?? NONE;
    }
    return around;
  }

  #isNewField(parent: number, name: string): boolean {
    if (parent === NONE) return false;
    const known = this.#fields.get(parent);
    if (known?.has(name) === true) return false;
    if (known === undefined) this.#fields.set(parent, new Set([name]));
    else known.add(name);
    return true;
  }

  #place(node: number): { line: number; column: number } {
    const start = this.tree.start(node);
    const line = this.tree.lineAt(start);
    return { line: line + 1, column: start - this.tree.lineStart(line) };
  }

  #visitName(node: number, identifier: 'value' | 'type' | 'key' | 'member'): void {
    const scope = columns.scopes[node] ?? 0;
    switch (columns.roles[node]) {
      case ROLE.name:
        return;
      case ROLE.bind:
        if (this.#compiled.rules.bindable?.test(this.tree.textOf(node)) === false) {
          this.#use(node, 'other', undefined);
          return;
        }
        if (this.#scopes.isOpen(scope)) this.#addVariable(node);
        else this.#scopes.bind(scope, this.tree.textOf(node), 'local');
        if (identifier === 'key') this.#use(node, 'other', '');
        return;
      case ROLE.hoist: {
        const around = this.#scopes.functionAround(scope);
        if (this.#scopes.isOpen(around)) this.#addVariable(node);
        else this.#scopes.bind(around, this.tree.textOf(node), 'local');
        return;
      }
      case ROLE.bindType:
        this.#scopes.bindType(scope, this.tree.textOf(node), 'local');
        return;
      case ROLE.call:
        return this.#use(node, 'call', undefined);
      case ROLE.type:
        return this.#use(node, 'type', undefined);
      case ROLE.import:
        return this.#use(node, 'import', undefined);
      case ROLE.key:
        return this.#use(node, 'other', '');
      case ROLE.member:
        return this.#useMember(node);
      case ROLE.path:
        return this.#use(node, /^[A-Z]/.test(this.tree.textOf(node)) ? 'type' : 'other', undefined, true);
      case ROLE.textMember:
        return this.#use(node, 'other', this.#receiverInText(node));
      case ROLE.textCall:
        return this.#use(node, 'call', this.#receiverInText(node));
      case ROLE.enumerator:
        this.#add(node, node, ENUMERATOR, node);
        return;
      case ROLE.field:
        this.#add(node, node, FIELD, node);
        return;
      case ROLE.typeName:
        this.#add(node, node, TYPE_NAME, node);
        return;
      default:
        if (identifier === 'member') return this.#useMember(node);
        return this.#use(
          node,
          identifier === 'type' ? 'type' : 'other',
          identifier === 'key' ? '' : undefined,
        );
    }
  }

  /** A variable of a file or class that comes from a pattern. */
  #addVariable(node: number): void {
    this.#add(node, node, VARIABLE, node);
  }

  #useMember(node: number): void {
    const { tree } = this;
    const parent = tree.parent(node);
    const role = columns.roles[parent];
    const kind =
      role === ROLE.call ? 'call' : role === ROLE.type ? 'type' : role === ROLE.import ? 'import' : 'other';
    this.#use(node, kind, this.#receiver(parent));
  }

  /** What stands before the dot, if it is one name. */
  #receiver(member: number): string {
    const { tree } = this;
    const fields = this.#compiled.members[tree.typeId(member)];
    if (fields === undefined) return '';
    for (let child = tree.firstChild(member); child !== NONE; child = tree.nextSibling(child)) {
      if (tree.fieldId(child) !== fields[0]) continue;
      const length = tree.end(child) - tree.start(child);
      if (tree.isLeaf(child) && length < 80) return tree.textOf(child);
      // The last part of `a.b` in `a.b.c` says more than nothing.
      return '';
    }
    return '';
  }

  /** What stands before the dot where there is no syntax; undefined without a dot. */
  #receiverInText(node: number): string | undefined {
    const before = this.tree.text.slice(Math.max(0, this.tree.start(node) - 80), this.tree.start(node));
    return /(?:\.|::)\s*$/.test(before) ? (/(\w+)(?:\.|::)\s*$/.exec(before)?.[1] ?? '') : undefined;
  }

  #use(node: number, kind: ReferenceKind, receiver: string | undefined, isPath = false): void {
    this.#uses.push({
      name: this.tree.textOf(node),
      kind,
      ...this.#place(node),
      inside: columns.insides[node] === NONE ? undefined : columns.insides[node],
      receiver,
      scope: columns.scopes[node] ?? 0,
      isPath,
    });
  }

  #references(): Reference[] {
    const found: Reference[] = [];
    const { builtIns } = this.#compiled.rules;
    for (const { scope, isPath, ...reference } of this.#uses) {
      const { name, kind, receiver } = reference;
      if (name === '' || name === '_') continue;
      if (receiver === undefined && builtIns?.has(name) === true && !this.#scopes.has(0, name)) continue;
      if (receiver === undefined && this.#scopes.isLocal(scope, name, isPath || kind === 'type')) continue;
      found.push(reference);
    }
    return found;
  }

  setRole(node: number, role: Role): void {
    if (node !== NONE) columns.roles[node] = ROLE[role];
  }

  addImport(name: string, imported: string, module: string, node: number): void {
    if (name === '' || module === '') return;
    this.#imports.push({ name, imported, module, line: this.tree.lineAt(this.tree.start(node)) + 1 });
    this.#scopes.bind(columns.scopes[this.#current] ?? 0, name, 'kept');
  }

  addUse(start: number, name: string, kind: ReferenceKind, around: number): void {
    const line = this.tree.lineAt(start);
    const column = start - this.tree.lineStart(line);
    const inside = columns.insides[around] === NONE ? undefined : columns.insides[around];
    const scope = columns.scopes[around] ?? 0;
    this.#uses.push({ name, kind, line: line + 1, column, inside, scope, isPath: false });
  }

  bind(name: string): void {
    this.#scopes.bind(columns.scopes[this.#current] ?? 0, name, 'local');
  }

  exportName(name: string): void {
    this.#exported.add(name);
  }

  free(name: string): void {
    this.#scopes.bind(columns.scopes[this.#current] ?? 0, name, 'kept');
  }
}
