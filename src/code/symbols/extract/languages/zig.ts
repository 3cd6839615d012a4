import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules, ScopeKind } from '../language-rules.ts';

const CONTAINERS: Readonly<Record<string, SymbolKind>> = {
  struct_declaration: 'struct',
  opaque_declaration: 'struct',
  union_declaration: 'struct',
  enum_declaration: 'enum',
  error_set_declaration: 'enum',
};

export const zig: LanguageRules = {
  definitions: {
    function_declaration: {
      kind: (tree, node) => (CONTAINERS[tree.type(tree.parent(node))] === undefined ? 'function' : 'method'),
      prototype: (tree, node) => tree.field(node, 'body') === NONE,
    },
    variable_declaration: {
      kind: variableKind,
      name: (tree, node) => tree.child(node, 'identifier'),
      body: valueBody,
    },
    container_field: {
      kind: (tree, node) => (tree.type(tree.parent(node)) === 'enum_declaration' ? 'constant' : 'field'),
    },
  },
  scopes: {
    function_declaration: 'function',
    struct_declaration: 'class',
    union_declaration: 'class',
    enum_declaration: 'class',
    opaque_declaration: 'class',
    test_declaration: 'function',
    block: 'block',
    for_statement: 'block',
    while_statement: 'block',
    if_statement: 'block',
    switch_case: 'block',
    catch_expression: 'block',
  },
  roles: {
    'parameter.name': 'bind',
    payload: 'bind',
    '*.type': 'type',
    'call_expression.function': 'call',
    'field_expression.object': 'none',
    'field_expression.member': 'member',
    error_set_declaration: 'enumerator',
    pointer_type: 'type',
    slice_type: 'type',
    array_type: 'type',
    nullable_type: 'type',
    error_union_type: 'type',
    'error_union_type.ok': 'type',
    block_label: 'skip',
    break_label: 'skip',
    string: 'skip',
  },
  identifiers: { identifier: 'value' },
  members: { field_expression: ['object', 'member'] },
  comments: ['comment'],
  read: {
    variable_declaration: readVariable,
    struct_initializer: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'call'),
    test_declaration: (extraction, node) => extraction.addTest(node),
  },
  isExported: (tree, node) =>
    /^(?:pub|export)\b/.test(tree.text.slice(tree.start(node), tree.start(node) + 7)) ||
    tree.type(node) === 'container_field',
};

/** The value of a variable: its last part, unless that is its name or type. */
function givenValue(tree: FlatTree, node: number): number {
  let last = NONE;
  for (const part of tree.children(node)) if (tree.fieldName(part) === '') last = part;
  return last === tree.child(node, 'identifier') ? NONE : last;
}

function imported(tree: FlatTree, value: number): string | undefined {
  if (tree.type(value) !== 'builtin_function' || tree.textOf(tree.firstChild(value)) !== '@import')
    return undefined;
  const path = tree.below(value, 'string_content');
  return path === NONE ? undefined : tree.textOf(path);
}

function variableKind(tree: FlatTree, node: number, scope: ScopeKind): SymbolKind | undefined {
  const value = givenValue(tree, node);
  const container = value === NONE ? undefined : CONTAINERS[tree.type(value)];
  if (container !== undefined) return container;
  if ((scope !== 'file' && scope !== 'class') || imported(tree, value) !== undefined) return undefined;
  const name = tree.child(node, 'identifier');
  return /\bvar\s+$/.test(tree.text.slice(tree.start(node), tree.start(name))) ? 'variable' : 'constant';
}

function valueBody(tree: FlatTree, node: number): number {
  const value = givenValue(tree, node);
  if (value === NONE) return NONE;
  const first = CONTAINERS[tree.type(value)] === undefined ? NONE : tree.firstChild(value);
  return first !== NONE ? first : /^[^\n]{1,60}$/.test(tree.textOf(value)) ? NONE : value;
}

function readVariable(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const name = tree.child(node, 'identifier');
  const module = imported(tree, givenValue(tree, node));
  if (module !== undefined && extraction.scopeKind(node) === 'file') {
    extraction.addImport(tree.textOf(name), '*', module, node);
    extraction.setRole(name, 'import');
  } else if (!extraction.hasRole(name, 'name')) extraction.setRole(name, 'bind');
}
