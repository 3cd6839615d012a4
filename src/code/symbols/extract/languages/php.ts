import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';

export const php: LanguageRules = {
  definitions: {
    namespace_definition: { kind: 'module' },
    class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    trait_declaration: { kind: 'trait' },
    enum_declaration: { kind: 'enum' },
    enum_case: { kind: 'constant' },
    function_definition: { kind: 'function' },
    method_declaration: { kind: 'method', prototype: (tree, node) => tree.field(node, 'body') === NONE },
    const_element: {
      kind: 'constant',
      name: (tree, node) => tree.child(node, 'name'),
      whole: (tree, node) => tree.parent(node),
    },
    property_element: {
      kind: 'field',
      name: (tree, node) => tree.below(tree.field(node, 'name'), 'name'),
      whole: (tree, node) => tree.parent(node),
      body: ['default_value'],
    },
    property_promotion_parameter: {
      kind: 'field',
      name: (tree, node) => tree.below(tree.field(node, 'name'), 'name'),
      outward: true,
    },
  },
  scopes: {
    function_definition: 'function',
    method_declaration: 'function',
    anonymous_function: 'function',
    arrow_function: 'function',
    class_declaration: 'class',
    interface_declaration: 'class',
    trait_declaration: 'class',
    enum_declaration: 'class',
  },
  roles: {
    variable_name: 'skip',
    'simple_parameter.name': 'bind',
    'variadic_parameter.name': 'bind',
    'property_promotion_parameter.name': 'bind',
    'property_element.name': 'skip',
    'assignment_expression.left': 'bind',
    'reference_assignment_expression.left': 'bind',
    'catch_clause.name': 'bind',
    named_type: 'type',
    base_clause: 'type',
    class_interface_clause: 'type',
    use_declaration: 'type',
    attribute: 'type',
    object_creation_expression: 'call',
    'function_call_expression.function': 'call',
    'member_call_expression.object': 'none',
    'member_call_expression.name': 'invoke',
    'nullsafe_member_call_expression.object': 'none',
    'nullsafe_member_call_expression.name': 'invoke',
    'scoped_call_expression.scope': 'path',
    'scoped_call_expression.name': 'invoke',
    'member_access_expression.object': 'none',
    'member_access_expression.name': 'member',
    'nullsafe_member_access_expression.object': 'none',
    'nullsafe_member_access_expression.name': 'member',
    'scoped_property_access_expression.scope': 'path',
    'scoped_property_access_expression.name': 'member',
    namespace_use_declaration: 'skip',
    'namespace_definition.name': 'skip',
    qualified_name: 'inherit',
    'qualified_name.prefix': 'skip',
    namespace_name: 'inherit',
    string: 'skip',
    'argument.name': 'key',
  },
  identifiers: { name: 'value', variable_name: 'value' },
  members: {
    member_call_expression: ['object', 'name'],
    nullsafe_member_call_expression: ['object', 'name'],
    scoped_call_expression: ['scope', 'name'],
    member_access_expression: ['object', 'name'],
    nullsafe_member_access_expression: ['object', 'name'],
    scoped_property_access_expression: ['scope', 'name'],
  },
  comments: ['comment'],
  variables: /^\$/,
  builtIns: new Set([
    'true',
    'false',
    'static',
    'self',
    'parent',
    'null',
    '$this',
    'isset',
    'empty',
    'count',
  ]),
  read: {
    namespace_use_declaration: readUse,
    class_constant_access_expression: readConstant,
    namespace_definition: (extraction, node) =>
      extraction.setRole(extraction.tree.field(node, 'name'), 'name'),
  },
  isExported: (tree, node) => {
    const declared = /_element$/.test(tree.type(node)) ? tree.parent(node) : node;
    return tree.textOf(tree.child(declared, 'visibility_modifier')) !== 'private';
  },
  isTest: (head, name) => /\bfunction\s+$/.test(head) && /^test[A-Z_]/.test(name),
};

function readUse(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const prefix = tree.textOf(tree.child(node, 'namespace_name'));
  for (let at = node + 1; at < tree.after(node); at++) {
    if (tree.type(at) !== 'namespace_use_clause') continue;
    const alias = tree.field(at, 'alias');
    const path = `${prefix === '' ? '' : `${prefix}\\`}${tree.textOf(tree.firstChild(at))}`.replace(
      /^\\/,
      '',
    );
    const parts = path.split('\\');
    const imported = parts.pop() ?? '';
    const module = parts.length === 0 ? imported : parts.join('\\');
    extraction.addImport(alias === NONE ? imported : tree.textOf(alias), imported, module, at);
    extraction.addUse(lastName(tree, tree.firstChild(at)), imported, 'import');
  }
  for (const part of tree.children(node)) extraction.setRole(part, 'skip');
}

/** Where the last part of a path starts. */
function lastName(tree: FlatTree, node: number): number {
  return tree.start(node) + tree.textOf(node).lastIndexOf('\\') + 1;
}

/** `Pool::SIZE` */
function readConstant(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const scope = tree.firstChild(node);
  if (scope === NONE) return;
  extraction.setRole(scope, 'path');
  extraction.setRole(tree.nextSibling(scope), 'textMember');
}
