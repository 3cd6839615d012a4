import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';
import { c } from './c.ts';
import { declaredName, innermost, qualifiedOwner, withBody } from './declarators.ts';

export const cpp: LanguageRules = {
  ...c,
  definitions: {
    ...c.definitions,
    function_definition: {
      kind: (tree, node) =>
        isMacroClass(tree, node) ? 'class' : isMember(tree, node) ? 'method' : 'function',
      name: declaredName,
      owner: qualifiedOwner,
      body: ['body', 'field_initializer_list', 'default_method_clause', 'delete_method_clause'],
    },
    struct_specifier: { kind: (tree, node) => withBody(tree, node, 'struct'), name: plainName },
    class_specifier: { kind: (tree, node) => withBody(tree, node, 'class'), name: plainName },
    namespace_definition: {
      kind: 'module',
      name: (tree, node) => {
        const name = tree.field(node, 'name');
        let last = name;
        if (name !== NONE) for (const part of tree.children(name)) last = part;
        return last;
      },
    },
    alias_declaration: { kind: 'type' },
    concept_definition: { kind: 'type' },
    namespace_alias_definition: { kind: 'module', body: [] },
  },
  scopes: {
    ...c.scopes,
    function_definition: (tree, node) => (isMacroClass(tree, node) ? 'class' : 'function'),
    lambda_expression: 'function',
    class_specifier: 'class',
    namespace_definition: 'class',
    template_declaration: 'class',
    for_range_loop: 'block',
    catch_clause: 'block',
    requires_expression: 'function',
  },
  roles: {
    ...c.roles,
    reference_declarator: 'inherit',
    variadic_declarator: 'inherit',
    structured_binding_declarator: 'inherit',
    'optional_parameter_declaration.declarator': 'bind',
    'variadic_parameter_declaration.declarator': 'bind',
    'for_range_loop.declarator': 'bind',
    lambda_capture_specifier: 'none',
    type_parameter_declaration: 'bindType',
    'optional_type_parameter_declaration.name': 'bindType',
    variadic_type_parameter_declaration: 'bindType',
    'qualified_identifier.scope': 'path',
    'qualified_identifier.name': 'member',
    'template_type.name': 'inherit',
    'template_function.name': 'inherit',
    'template_method.name': 'inherit',
    dependent_name: 'inherit',
    namespace_identifier: 'path',
    nested_namespace_specifier: 'path',
    destructor_name: 'skip',
    base_class_clause: 'type',
    'new_expression.type': 'call',
    field_initializer: 'key',
    using_declaration: 'import',
  },
  identifiers: { ...c.identifiers, namespace_identifier: 'type' },
  members: { ...c.members, qualified_identifier: ['scope', 'name'] },
  wrappers: ['template_declaration'],
  read: { ...c.read, template_declaration: readTemplate },
  isTest: (head) => /^(?:TYPED_)?TEST(?:_[FP])?\s*\(|^TEST_CASE\s*\(/.test(head),
};

function plainName(tree: FlatTree, node: number): number {
  let name = tree.field(node, 'name');
  while (name !== NONE && /^(?:template_type|qualified_identifier)$/.test(tree.type(name)))
    name = tree.field(name, 'name');
  return name;
}

function isMember(tree: FlatTree, node: number): boolean {
  let around = tree.parent(node);
  if (tree.type(around) === 'template_declaration') around = tree.parent(around);
  return tree.type(around) === 'field_declaration_list' || qualifiedOwner(tree, node) !== undefined;
}

/** `class EXPORT_MACRO Name : Base {` is read as a function. */
function isMacroClass(tree: FlatTree, node: number): boolean {
  const type = tree.field(node, 'type');
  return (
    /^(?:class|struct)_specifier$/.test(tree.type(type)) &&
    tree.field(type, 'body') === NONE &&
    tree.type(tree.field(node, 'declarator')) === 'identifier'
  );
}

/** `template <int Size>` names a constant that is visible only in the template. */
function readTemplate(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const list = tree.field(node, 'parameters');
  if (list === NONE) return;
  for (const parameter of tree.children(list)) {
    const name = innermost(tree, tree.field(parameter, 'declarator'));
    if (name === NONE) continue;
    extraction.bind(tree.textOf(name));
    extraction.setRole(name, 'skip');
  }
}
