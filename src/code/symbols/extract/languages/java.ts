import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';

export const java: LanguageRules = {
  definitions: {
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    annotation_type_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_constant: { kind: 'constant' },
    method_declaration: { kind: 'method', prototype: hasNoBody },
    annotation_type_element_declaration: { kind: 'method', prototype: () => true },
    constructor_declaration: { kind: 'method' },
    compact_constructor_declaration: { kind: 'method' },
    variable_declarator: {
      kind: fieldKind,
      variable: true,
      body: ['value'],
      whole: (tree, node) => tree.parent(node),
    },
  },
  scopes: {
    class_declaration: 'class',
    record_declaration: 'class',
    interface_declaration: 'class',
    annotation_type_declaration: 'class',
    enum_declaration: 'class',
    class_body: 'class',
    method_declaration: 'function',
    constructor_declaration: 'function',
    compact_constructor_declaration: 'function',
    lambda_expression: 'function',
    static_initializer: 'function',
    block: 'block',
    for_statement: 'block',
    enhanced_for_statement: 'block',
    try_with_resources_statement: 'block',
    catch_clause: 'block',
    switch_block: 'block',
  },
  roles: {
    'formal_parameter.name': 'bind',
    'variable_declarator.name': 'bind',
    'enhanced_for_statement.name': 'bind',
    'resource.name': 'bind',
    'catch_formal_parameter.name': 'bind',
    'instanceof_expression.name': 'bind',
    'lambda_expression.parameters': 'bind',
    type_pattern: 'bind',
    record_pattern_component: 'bind',
    inferred_parameters: 'bind',
    type_parameter: 'bindType',
    type_bound: 'type',
    'method_invocation.name': 'invoke',
    'method_invocation.object': 'none',
    'object_creation_expression.type': 'call',
    generic_type: 'inherit',
    type_arguments: 'type',
    'field_access.object': 'none',
    'field_access.field': 'member',
    scoped_type_identifier: 'inherit',
    'annotation.name': 'type',
    'marker_annotation.name': 'type',
    'element_value_pair.key': 'key',
    package_declaration: 'skip',
    break_statement: 'skip',
    continue_statement: 'skip',
    string_literal: 'skip',
    template_expression: 'none',
  },
  identifiers: { identifier: 'value', type_identifier: 'type' },
  members: {
    method_invocation: ['object', 'name'],
    field_access: ['object', 'field'],
    scoped_identifier: ['scope', 'name'],
  },
  comments: ['line_comment', 'block_comment'],
  builtIns: new Set(['String', 'Object', 'Override', 'Integer', 'Long', 'Boolean', 'Deprecated']),
  read: {
    import_declaration: readImport,
    method_reference: readMethodReference,
    labeled_statement: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'skip'),
  },
  isExported: (tree, node) => {
    const holder = tree.type(tree.parent(node));
    if (/^(?:interface|annotation_type|enum)_body$/.test(holder)) return true;
    const declared = tree.type(node) === 'variable_declarator' ? tree.parent(node) : node;
    if (/^constant_declaration$/.test(tree.type(declared))) return true;
    return /\b(?:public|protected)\b/.test(tree.textOf(tree.child(declared, 'modifiers')));
  },
  isTest: (head) => /@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b/.test(head),
};

function hasNoBody(tree: FlatTree, node: number): boolean {
  return tree.field(node, 'body') === NONE;
}

function fieldKind(tree: FlatTree, node: number): SymbolKind | undefined {
  const holder = tree.parent(node);
  if (tree.type(holder) === 'constant_declaration') return 'constant';
  if (tree.type(holder) !== 'field_declaration') return undefined;
  const modifiers = tree.textOf(tree.child(holder, 'modifiers'));
  return /\bstatic\b/.test(modifiers) && /\bfinal\b/.test(modifiers) ? 'constant' : 'field';
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const path = tree.child(node, 'scoped_identifier', 'identifier');
  if (path === NONE) return;
  const text = tree.textOf(path);
  if (tree.child(node, 'asterisk') !== NONE) {
    extraction.addImport('*', '*', text, node);
    extraction.setRole(path, 'skip');
    return;
  }
  const name = tree.field(path, 'name');
  const imported = tree.textOf(name);
  extraction.addImport(imported, imported, text.slice(0, -imported.length - 1), node);
  extraction.setRole(tree.field(path, 'scope'), 'skip');
  extraction.setRole(name, 'import');
}

/** `Type::method` */
function readMethodReference(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  let last = NONE;
  for (const part of tree.children(node)) last = part;
  if (tree.type(last) === 'identifier') extraction.setRole(last, 'textMember');
}
