import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';
import { blankItemMacros } from '../rust-item-macros.ts';

export const rust: LanguageRules = {
  definitions: {
    function_item: { kind: functionKind, owner: implementedType },
    function_signature_item: { kind: functionKind, prototype: () => true },
    struct_item: { kind: 'struct' },
    union_item: { kind: 'struct' },
    enum_item: { kind: 'enum' },
    enum_variant: { kind: 'constant' },
    trait_item: { kind: 'trait' },
    type_item: { kind: 'type', owner: implementedType, body: [] },
    associated_type: { kind: 'type', prototype: () => true },
    mod_item: { kind: 'module', prototype: (tree, node) => tree.field(node, 'body') === NONE },
    macro_definition: { kind: 'macro', body: ['macro_rule'] },
    const_item: { kind: 'constant', owner: implementedType, body: ['value'] },
    static_item: { kind: 'variable', body: ['value'] },
    field_declaration: { kind: 'field' },
  },
  scopes: {
    function_item: 'function',
    function_signature_item: 'function',
    closure_expression: 'function',
    function_type: 'function',
    struct_item: 'class',
    enum_item: 'class',
    trait_item: 'class',
    impl_item: 'class',
    type_item: 'class',
    mod_item: 'class',
    macro_definition: 'function',
    block: 'block',
    match_arm: 'block',
    for_expression: 'block',
    if_expression: 'block',
    while_expression: 'block',
  },
  roles: {
    'let_declaration.pattern': 'bind',
    'let_condition.pattern': 'bind',
    'for_expression.pattern': 'bind',
    'match_arm.pattern': 'bind',
    match_pattern: 'inherit',
    'match_pattern.condition': 'none',
    'parameter.pattern': 'bind',
    closure_parameters: 'bind',
    tuple_pattern: 'inherit',
    slice_pattern: 'inherit',
    ref_pattern: 'inherit',
    mut_pattern: 'inherit',
    reference_pattern: 'inherit',
    or_pattern: 'inherit',
    captured_pattern: 'inherit',
    tuple_struct_pattern: 'inherit',
    'tuple_struct_pattern.type': 'call',
    struct_pattern: 'inherit',
    'struct_pattern.type': 'type',
    'field_pattern.name': 'bind',
    'field_pattern.pattern': 'inherit',
    'type_parameter.name': 'bindType',
    'const_parameter.name': 'bind',
    lifetime: 'skip',
    label: 'skip',
    'call_expression.function': 'call',
    'generic_function.function': 'inherit',
    'macro_invocation.macro': 'call',
    'struct_expression.name': 'call',
    'field_expression.value': 'none',
    'field_expression.field': 'member',
    'scoped_identifier.path': 'path',
    'scoped_identifier.name': 'member',
    'scoped_type_identifier.path': 'path',
    'scoped_type_identifier.name': 'member',
    'generic_type.type': 'inherit',
    'generic_type_with_turbofish.type': 'inherit',
    'field_initializer.field': 'key',
    'field_initializer.name': 'key',
    use_declaration: 'import',
    scoped_use_list: 'import',
    'scoped_use_list.path': 'path',
    use_list: 'import',
    'use_as_clause.path': 'import',
    'use_as_clause.alias': 'skip',
    use_wildcard: 'path',
    'extern_crate_declaration.name': 'import',
    token_tree_pattern: 'skip',
    visibility_modifier: 'skip',
    string_literal: 'skip',
  },
  identifiers: {
    identifier: 'value',
    type_identifier: 'type',
    field_identifier: 'key',
    shorthand_field_identifier: 'key',
  },
  members: {
    field_expression: ['value', 'field'],
    scoped_identifier: ['path', 'name'],
    scoped_type_identifier: ['path', 'name'],
  },
  comments: ['line_comment', 'block_comment'],
  prepare: blankItemMacros,
  leading: ['attribute_item'],
  builtIns: new Set(['Self', 'self']),
  bindable: /^[a-z_]/,
  read: { use_declaration: readUse, token_tree: readTokens },
  isExported: (tree, node) => {
    if (tree.child(node, 'visibility_modifier') !== NONE) return true;
    const around = tree.type(tree.parent(tree.parent(node)));
    return (
      around === 'trait_item' ||
      around === 'enum_item' ||
      tree.type(node) === 'macro_definition' ||
      isTraitPart(tree, node)
    );
  },
  isTest: (head) => /#\[(?:\w+::)*test\b|#\[cfg\(test\)\]|#\[(?:rstest|test_case|bench)\b/.test(head),
};

function isTraitPart(tree: FlatTree, node: number): boolean {
  const holder = tree.parent(tree.parent(node));
  return tree.type(holder) === 'impl_item' && tree.field(holder, 'trait') !== NONE;
}

function functionKind(tree: FlatTree, node: number): SymbolKind {
  const list = tree.parent(node);
  return /^(?:impl|trait)_item$/.test(tree.type(list === NONE ? NONE : tree.parent(list)))
    ? 'method'
    : 'function';
}

/** `Handle` in `Arc<Handle>` or `Pin<&mut Handle>`: a pointer is not what methods belong to. */
const POINTED =
  /^(?:(?:\w+::)*(?:Arc|Rc|Box|Pin)\s*<\s*(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)?(?:dyn\s+)?)+(?:\w+::)*(\w+)/;

/** The type of the `impl` block around a node. */
function implementedType(tree: FlatTree, node: number): string | undefined {
  const list = tree.parent(node);
  const holder = list === NONE ? NONE : tree.parent(list);
  if (tree.type(holder) !== 'impl_item') return undefined;
  const type = tree.field(holder, 'type');
  const [, pointed] = POINTED.exec(tree.textOf(type)) ?? [];
  const parameters = tree.field(holder, 'type_parameters');
  const isParameter =
    pointed === undefined ||
    (parameters !== NONE && new RegExp(`\\b${pointed}\\b`).test(tree.textOf(parameters)));
  if (!isParameter) return pointed;
  const name = tree.type(type) === 'type_identifier' ? type : tree.below(type, 'type_identifier');
  return name === NONE ? undefined : tree.textOf(name);
}

function readUse(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const argument = tree.field(node, 'argument');
  if (argument !== NONE) readUseTree(extraction, argument, '');
}

function readUseTree(extraction: Extraction, node: number, before: string): void {
  const { tree } = extraction;
  const join = (path: string): string => (before === '' ? path : path === '' ? before : `${before}::${path}`);
  const add = (path: string, alias: string): void => {
    const parts = path.split('::');
    const imported = parts.at(-1) ?? '';
    const module = join(parts.slice(0, -1).join('::'));
    extraction.addImport(alias === '' ? imported : alias, imported, module === '' ? imported : module, node);
  };
  switch (tree.type(node)) {
    case 'scoped_use_list': {
      const path = join(compact(tree.textOf(tree.field(node, 'path'))));
      const list = tree.field(node, 'list');
      if (list !== NONE) for (const part of tree.children(list)) readUseTree(extraction, part, path);
      return;
    }
    case 'use_list':
      for (const part of tree.children(node)) readUseTree(extraction, part, before);
      return;
    case 'use_as_clause':
      add(compact(tree.textOf(tree.field(node, 'path'))), tree.textOf(tree.field(node, 'alias')));
      return;
    case 'use_wildcard':
      extraction.addImport('*', '*', join(compact(tree.textOf(tree.firstChild(node)))), node);
      return;
    case 'self':
      extraction.addImport(before.split('::').at(-1) ?? '', '*', before, node);
      return;
    case 'line_comment':
    case 'block_comment':
      return;
    default:
      add(compact(tree.textOf(node)), '');
  }
}

function compact(path: string): string {
  return path.replace(/\s+/g, '');
}

/** The arguments of a macro are not syntax, but a name before parentheses is nearly always a call. */
function readTokens(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  for (const token of tree.children(node)) {
    if (tree.type(token) !== 'identifier') continue;
    const next = tree.nextSibling(token);
    const end = tree.end(token);
    const called =
      next !== NONE && tree.type(next) === 'token_tree' && tree.start(next) === end && tree.text[end] === '(';
    extraction.setRole(token, called || tree.text[end] === '!' ? 'textCall' : 'textMember');
  }
}
