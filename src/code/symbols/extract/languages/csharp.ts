import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';

export const csharp: LanguageRules = {
  definitions: {
    namespace_declaration: { kind: 'module' },
    file_scoped_namespace_declaration: { kind: 'module', body: [] },
    class_declaration: { kind: 'class' },
    record_declaration: { kind: 'class' },
    record_struct_declaration: { kind: 'struct' },
    struct_declaration: { kind: 'struct' },
    interface_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    enum_member_declaration: { kind: 'constant' },
    delegate_declaration: { kind: 'type' },
    method_declaration: { kind: 'method', prototype: hasNoBody, body: ['body', 'arrow_expression_clause'] },
    constructor_declaration: { kind: 'method', body: ['body', 'constructor_initializer'] },
    destructor_declaration: { kind: 'method' },
    local_function_statement: { kind: 'function', body: ['body', 'arrow_expression_clause'] },
    property_declaration: { kind: 'field', body: ['accessors', 'value'] },
    event_declaration: { kind: 'field', body: ['accessors'] },
    variable_declarator: { kind: fieldKind, variable: true, whole: wholeField },
  },
  scopes: {
    namespace_declaration: 'class',
    class_declaration: 'class',
    record_declaration: 'class',
    record_struct_declaration: 'class',
    struct_declaration: 'class',
    interface_declaration: 'class',
    delegate_declaration: 'function',
    method_declaration: 'function',
    constructor_declaration: 'function',
    destructor_declaration: 'function',
    operator_declaration: 'function',
    conversion_operator_declaration: 'function',
    indexer_declaration: 'function',
    accessor_declaration: 'function',
    local_function_statement: 'function',
    lambda_expression: 'function',
    anonymous_method_expression: 'function',
    block: 'block',
    for_statement: 'block',
    foreach_statement: 'block',
    using_statement: 'block',
    catch_clause: 'block',
    switch_section: 'block',
    switch_expression_arm: 'block',
    query_expression: 'block',
    global_statement: 'block',
  },
  roles: {
    '*.type': 'type',
    'parameter.name': 'bind',
    'parameter_list.name': 'bind',
    'variable_declarator.name': 'bind',
    'foreach_statement.left': 'bind',
    'catch_declaration.name': 'bind',
    'declaration_pattern.name': 'bind',
    'declaration_expression.name': 'bind',
    'recursive_pattern.name': 'bind',
    'var_pattern.name': 'bind',
    'tuple_pattern.name': 'bind',
    'parenthesized_variable_designation.name': 'bind',
    'lambda_expression.parameters': 'bind',
    'from_clause.name': 'bind',
    'let_clause.name': 'bind',
    'type_parameter.name': 'bindType',
    'method_declaration.returns': 'type',
    'object_creation_expression.type': 'call',
    'invocation_expression.function': 'call',
    'member_access_expression.expression': 'none',
    'member_access_expression.name': 'member',
    'member_binding_expression.name': 'member',
    conditional_access_expression: 'inherit',
    'conditional_access_expression.condition': 'none',
    'qualified_name.qualifier': 'path',
    'qualified_name.name': 'member',
    generic_name: 'inherit',
    nullable_type: 'inherit',
    'nullable_type.type': 'inherit',
    'array_type.type': 'inherit',
    type_argument_list: 'type',
    base_list: 'type',
    type_parameter_constraints_clause: 'type',
    'attribute.name': 'type',
    typeof_expression: 'type',
    name_colon: 'key',
    'argument.name': 'key',
    'attribute_argument.name': 'key',
    using_directive: 'skip',
    'namespace_declaration.name': 'skip',
    labeled_statement: 'none',
    goto_statement: 'skip',
    string_literal: 'skip',
    preproc_if: 'none',
  },
  identifiers: { identifier: 'value', implicit_parameter: 'value' },
  members: {
    member_access_expression: ['expression', 'name'],
    qualified_name: ['qualifier', 'name'],
  },
  comments: ['comment'],
  builtIns: new Set(['var', 'nameof', 'value', 'String', 'Object', 'dynamic']),
  read: {
    using_directive: readUsing,
    initializer_expression: readInitializer,
    namespace_declaration: readNamespaceName,
    file_scoped_namespace_declaration: readNamespaceName,
  },
  isExported: (tree, node) => {
    if (/^(?:namespace|enum_member|file_scoped)/.test(tree.type(node))) return true;
    const declared = wholeField(tree, node);
    if (/^interface_declaration$/.test(tree.type(tree.parent(tree.parent(declared))))) return true;
    for (const part of tree.children(declared)) {
      if (tree.type(part) === 'modifier' && /^(?:public|protected|internal)$/.test(tree.textOf(part)))
        return true;
    }
    return false;
  },
  isTest: (head) => /\[(?:\w+\.)*(?:Fact|Theory|Test|TestMethod|TestCase|TestFixture|TestClass)\b/.test(head),
};

function hasNoBody(tree: FlatTree, node: number): boolean {
  return tree.field(node, 'body') === NONE && tree.child(node, 'arrow_expression_clause') === NONE;
}

/** The declaration with its modifiers around a field's name. */
function wholeField(tree: FlatTree, node: number): number {
  if (tree.type(node) !== 'variable_declarator') return node;
  return tree.parent(tree.parent(node));
}

function fieldKind(tree: FlatTree, node: number): SymbolKind | undefined {
  const whole = wholeField(tree, node);
  if (!/^(?:event_)?field_declaration$/.test(tree.type(whole))) return undefined;
  return /\bconst\b/.test(tree.text.slice(tree.start(whole), tree.start(node))) ? 'constant' : 'field';
}

function readUsing(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  let path = NONE;
  for (const part of tree.children(node)) path = part;
  const alias = tree.field(node, 'name');
  extraction.addImport(alias === NONE ? '*' : tree.textOf(alias), '*', tree.textOf(path), node);
  for (const part of tree.children(node)) extraction.setRole(part, 'skip');
}

function readNamespaceName(extraction: Extraction, node: number): void {
  extraction.setRole(extraction.tree.field(node, 'name'), 'skip');
}

/** `new Pool { Size = 1 }` names a property. */
function readInitializer(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  for (const part of tree.children(node)) {
    if (tree.type(part) !== 'assignment_expression') continue;
    const left = tree.field(part, 'left');
    if (tree.type(left) === 'identifier') extraction.setRole(left, 'key');
  }
}
