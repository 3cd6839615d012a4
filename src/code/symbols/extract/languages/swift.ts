import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { DefinitionRule, Extraction, LanguageRules, ScopeKind } from '../language-rules.ts';

const FUNCTION: DefinitionRule = {
  kind: (tree, node) =>
    /_body$/.test(tree.type(tree.parent(node))) && tree.type(tree.parent(node)) !== 'function_body'
      ? 'method'
      : 'function',
  owner: extendedType,
};

export const swift: LanguageRules = {
  definitions: {
    class_declaration: {
      kind: classKind,
      name: (tree, node) =>
        tree.type(tree.field(node, 'name')) === 'type_identifier' ? tree.field(node, 'name') : NONE,
    },
    protocol_declaration: { kind: 'interface' },
    function_declaration: FUNCTION,
    protocol_function_declaration: { kind: 'method', prototype: () => true },
    protocol_property_declaration: {
      kind: 'field',
      name: (tree, node) => tree.field(tree.field(node, 'name'), 'bound_identifier'),
      prototype: () => true,
    },
    property_declaration: {
      kind: propertyKind,
      name: (tree, node) => tree.field(tree.field(node, 'name'), 'bound_identifier'),
      variable: true,
      body: ['value', 'computed_value'],
      owner: extendedType,
    },
    typealias_declaration: { kind: 'type', body: [] },
    associatedtype_declaration: { kind: 'type', prototype: () => true },
  },
  scopes: {
    class_declaration: 'class',
    protocol_declaration: 'class',
    function_declaration: 'function',
    protocol_function_declaration: 'function',
    init_declaration: 'function',
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
    value_argument_label: 'key',
    import_declaration: 'skip',
    attribute: 'none',
    statement_label: 'skip',
    'inheritance_specifier.inherits_from': 'type',
  },
  identifiers: { simple_identifier: 'value', type_identifier: 'type' },
  members: { navigation_expression: ['target', 'suffix'] },
  comments: ['comment', 'multiline_comment'],
  variables: /^\$\d/,
  builtIns: new Set(
    'Int String Bool Double Float Void Any AnyObject Array Dictionary Set Optional self super'.split(' '),
  ),
  read: {
    import_declaration: readImport,
    call_expression: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'call'),
  },
  isExported: (tree, node) => !/\b(?:private|fileprivate)\b/.test(tree.textOf(tree.child(node, 'modifiers'))),
  isTest: (head, name) => /@Test\b/.test(head) || (/\bfunc\s+$/.test(head) && /^test[A-Z_]/.test(name)),
};

function keyword(tree: FlatTree, node: number): string {
  const name = tree.field(node, 'name');
  const head = tree.text.slice(tree.start(node), name === NONE ? tree.start(node) : tree.start(name));
  return /\b(class|struct|enum|extension|actor)\s+$/.exec(head)?.[1] ?? 'class';
}

function classKind(tree: FlatTree, node: number): SymbolKind | undefined {
  const word = keyword(tree, node);
  return word === 'extension' ? undefined : word === 'struct' ? 'struct' : word === 'enum' ? 'enum' : 'class';
}

function propertyKind(_tree: FlatTree, _node: number, scope: ScopeKind): SymbolKind {
  return scope === 'class' ? 'field' : 'variable';
}

/** The type that the extension around a node extends. */
function extendedType(tree: FlatTree, node: number): string | undefined {
  const holder = tree.parent(tree.parent(node) === NONE ? node : tree.parent(node));
  if (tree.type(holder) !== 'class_declaration' || keyword(tree, holder) !== 'extension') return undefined;
  return tree.textOf(tree.field(holder, 'name')).replace(/^.*\./, '');
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const path = tree.child(node, 'identifier');
  if (path !== NONE) extraction.addImport('*', '*', tree.textOf(path), node);
}
