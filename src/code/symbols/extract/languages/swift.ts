import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';

/** Functions that have a keyword in place of a name. */
const WORD = /\b(?:init|deinit|subscript)\b/;
/** The grammar does not read all operators as names. */
const OPERATOR_NAME = /(?<=\bfunc[ \t]+)[-+*/%=<>!&|^~?.]+(?=[ \t]*[(<])/g;
/** The grammar reads `!a.f(x)` as a call on `!a`. */
const NOT = /(?<=[\s(,&|=])!(?=[A-Za-z_])/g;

export const swift: LanguageRules = {
  definitions: {
    class_declaration: { kind: classKind, name: typeName, owner: extendedType },
    protocol_declaration: { kind: 'interface' },
    function_declaration: { kind: functionKind, name: functionName, word: WORD, owner: extendedType },
    protocol_function_declaration: {
      kind: 'method',
      name: functionName,
      word: WORD,
      prototype: () => true,
    },
    deinit_declaration: { kind: 'method', name: (_tree, node) => node, word: WORD },
    subscript_declaration: {
      kind: 'method',
      name: (_tree, node) => node,
      word: WORD,
      body: ['computed_property'],
      prototype: (tree, node) => tree.type(tree.parent(node)) === 'protocol_body',
      owner: extendedType,
    },
    protocol_property_declaration: {
      kind: 'field',
      name: (tree, node) => tree.field(tree.field(node, 'name'), 'bound_identifier'),
      prototype: () => true,
    },
    property_declaration: {
      kind: (_tree, _node, scope) => (scope === 'class' ? 'field' : 'variable'),
      name: (tree, node) => tree.field(tree.field(node, 'name'), 'bound_identifier'),
      variable: true,
      body: ['value', 'computed_value'],
      owner: extendedType,
    },
    typealias_declaration: { kind: 'type', body: [], owner: extendedType },
    associatedtype_declaration: { kind: 'type', prototype: () => true },
  },
  scopes: {
    class_declaration: 'class',
    protocol_declaration: 'class',
    function_declaration: 'function',
    protocol_function_declaration: 'function',
    deinit_declaration: 'function',
    subscript_declaration: 'function',
    computed_property: 'function',
    lambda_literal: 'function',
    for_statement: 'block',
    if_statement: 'block',
    while_statement: 'block',
    switch_entry: 'block',
    catch_block: 'block',
    do_statement: 'block',
  },
  roles: {
    '*.bound_identifier': 'bind',
    'parameter.name': 'bind',
    'parameter.external_name': 'skip',
    'lambda_parameter.name': 'bind',
    type_parameter: 'bindType',
    user_type: 'type',
    'enum_entry.name': 'enumerator',
    'navigation_expression.target': 'none',
    'navigation_expression.suffix': 'member',
    'navigation_suffix.suffix': 'inherit',
    'prefix_expression.target': 'inherit',
    value_argument_label: 'key',
    import_declaration: 'skip',
    attribute: 'none',
    statement_label: 'skip',
    'inheritance_specifier.inherits_from': 'type',
  },
  identifiers: { simple_identifier: 'value', type_identifier: 'type' },
  members: { navigation_expression: ['target', 'suffix'] },
  comments: ['comment', 'multiline_comment'],
  prepare: (text) => text.replace(OPERATOR_NAME, (operator) => 'o'.repeat(operator.length)).replace(NOT, ' '),
  variables: /^\$\d/,
  builtIns: new Set(
    'Int String Bool Double Float Void Any AnyObject Array Dictionary Set Optional self super'.split(' '),
  ),
  read: {
    import_declaration: readImport,
    call_expression: readCall,
  },
  isExported: (tree, node) => {
    const isName = tree.type(node) === 'simple_identifier' && tree.type(tree.parent(node)) === 'pattern';
    const modifiers = tree.child(isName ? tree.parent(tree.parent(node)) : node, 'modifiers');
    return !/\b(?:private|fileprivate)\b(?!\(set\))/.test(tree.textOf(modifiers));
  },
  isTest: (head, name) => /@Test\b/.test(head) || (/\bfunc\s+$/.test(head) && /^test[A-Z_]/.test(name)),
};

function typeName(tree: FlatTree, node: number): number {
  return tree.type(tree.field(node, 'name')) === 'type_identifier' ? tree.field(node, 'name') : NONE;
}

/** The types of parameters and results are fields `name` too. */
function functionName(tree: FlatTree, node: number): number {
  const name = tree.child(node, 'simple_identifier');
  return name === NONE ? node : name;
}

/** `class`, `struct`, `enum`, `actor` or `extension`. */
function keyword(tree: FlatTree, node: number): string {
  const name = tree.field(node, 'name');
  const head = tree.text.slice(tree.start(node), name === NONE ? tree.start(node) : tree.start(name));
  return /\b(class|struct|enum|extension|actor)\s+$/.exec(head)?.[1] ?? 'class';
}

function classKind(tree: FlatTree, node: number): SymbolKind | undefined {
  const word = keyword(tree, node);
  return word === 'extension' ? undefined : word === 'struct' || word === 'enum' ? word : 'class';
}

function functionKind(tree: FlatTree, node: number): SymbolKind {
  return /^(?:enum_)?class_body$/.test(tree.type(tree.parent(node))) ? 'method' : 'function';
}

/** The type that the extension around a node extends. */
function extendedType(tree: FlatTree, node: number): string | undefined {
  const body = tree.parent(node);
  if (tree.type(body) !== 'class_body') return undefined;
  const holder = tree.parent(body);
  if (tree.type(holder) !== 'class_declaration' || keyword(tree, holder) !== 'extension') return undefined;
  return tree.textOf(tree.field(holder, 'name')).replace(/<.*$/s, '').replace(/^.*\./s, '');
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const path = tree.child(node, 'identifier');
  if (path !== NONE) extraction.addImport('*', '*', tree.textOf(path), node);
}

/** The grammar reads `items[0]` as a call too. */
function readCall(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const called = tree.firstChild(node);
  const isIndex = called !== NONE && /^\s*\[/.test(tree.text.slice(tree.end(called), tree.end(called) + 20));
  extraction.setRole(called, isIndex ? 'none' : 'call');
}
