import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';

const BUILT_INS: ReadonlySet<string> = new Set(
  'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr append cap clear close complex copy delete imag len make max min new panic print println real recover true false nil iota'.split(
    ' ',
  ),
);

export const go: LanguageRules = {
  definitions: {
    function_declaration: { kind: 'function', prototype: (tree, node) => tree.field(node, 'body') === NONE },
    method_declaration: { kind: 'method', owner: receiverType },
    method_elem: { kind: 'method', prototype: () => true },
    method_spec: { kind: 'method', prototype: () => true },
    type_spec: {
      kind: (tree, node) => {
        const type = tree.type(tree.field(node, 'type'));
        return type === 'struct_type' ? 'struct' : type === 'interface_type' ? 'interface' : 'type';
      },
      body: (tree, node) =>
        tree.below(node, 'field_declaration_list', 'method_elem', 'method_spec', 'type_elem'),
      whole: declaration,
    },
    type_alias: { kind: 'type', body: [], whole: declaration },
    const_spec: { kind: 'constant', variable: true, body: ['value'], whole: declaration },
    var_spec: { kind: 'variable', variable: true, body: ['value'], whole: declaration },
  },
  scopes: {
    function_declaration: 'function',
    method_declaration: 'function',
    func_literal: 'function',
    function_type: 'function',
    method_elem: 'function',
    method_spec: 'function',
    type_spec: 'class',
    block: 'block',
    if_statement: 'block',
    for_statement: 'block',
    expression_switch_statement: 'block',
    type_switch_statement: 'block',
    select_statement: 'block',
    communication_case: 'block',
    expression_case: 'block',
    type_case: 'block',
    default_case: 'block',
  },
  roles: {
    'parameter_declaration.name': 'bind',
    'variadic_parameter_declaration.name': 'bind',
    'type_parameter_declaration.name': 'bindType',
    'short_var_declaration.left': 'bind',
    'range_clause.left': 'bind',
    'receive_statement.left': 'bind',
    'type_switch_statement.alias': 'bind',
    'const_spec.name': 'bind',
    'var_spec.name': 'bind',
    'field_declaration.name': 'field',
    expression_list: 'inherit',
    'call_expression.function': 'call',
    'type_conversion_expression.type': 'type',
    'selector_expression.operand': 'none',
    'selector_expression.field': 'member',
    'qualified_type.package': 'path',
    'qualified_type.name': 'member',
    'keyed_element.key': 'key',
    literal_element: 'inherit',
    parenthesized_expression: 'inherit',
    'type_instantiation_expression.type': 'inherit',
    package_clause: 'skip',
    import_declaration: 'skip',
  },
  identifiers: {
    identifier: 'value',
    type_identifier: 'type',
    field_identifier: 'key',
    package_identifier: 'value',
  },
  members: { selector_expression: ['operand', 'field'], qualified_type: ['package', 'name'] },
  comments: ['comment'],
  builtIns: BUILT_INS,
  read: {
    method_declaration: readReceiver,
    import_declaration: readImports,
    composite_literal: readLiteral,
    range_clause: readAssigned,
    receive_statement: readAssigned,
  },
  isExported: (_tree, _node, name) => /^\p{Lu}/u.test(name),
  isTest: (head, name) => /^func\s+$/.test(head) && /^(?:Test|Benchmark|Fuzz|Example)(?:[A-Z_]|$)/.test(name),
};

/** The type of a method's receiver. */
function receiverType(tree: FlatTree, node: number): string | undefined {
  const type = tree.below(tree.field(node, 'receiver'), 'type_identifier');
  return type === NONE ? undefined : tree.textOf(type);
}

/** `type A struct {…}` is the whole declaration; in a group each entry is its own. */
function declaration(tree: FlatTree, node: number): number {
  const parent = tree.parent(node);
  return tree.text[tree.end(parent) - 1] === ')' &&
    /^\w+\s*\(/.test(tree.text.slice(tree.start(parent), tree.start(node)))
    ? node
    : /_declaration$/.test(tree.type(parent))
      ? parent
      : node;
}

/** The type parameters of a receiver are named there: `func (g Group[T])`. */
function readReceiver(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const list = tree.below(tree.field(node, 'receiver'), 'type_arguments');
  if (list === NONE) return;
  for (let at = list + 1; at < tree.after(list); at++) {
    if (tree.type(at) === 'type_identifier') extraction.setRole(at, 'bindType');
  }
}

function readImports(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  for (let at = node + 1; at < tree.after(node); at++) {
    if (tree.type(at) === 'import_spec') readImport(extraction, at);
  }
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const module = tree.textOf(tree.field(node, 'path')).slice(1, -1);
  const alias = tree.textOf(tree.field(node, 'name'));
  const last =
    module
      .split('/')
      .filter((part) => !/^v\d+$/.test(part))
      .at(-1) ?? module;
  const name = alias === '' ? last.replace(/^go-|\.v\d+$|-go$/g, '') : alias === '.' ? '*' : alias;
  extraction.addImport(name, '*', module, node);
}

/** The keys of a map are expressions, those of a struct its fields. */
function readLiteral(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  if (!/^(?:map|slice|array|implicit_length_array)_type$/.test(tree.type(tree.field(node, 'type')))) return;
  const body = tree.field(node, 'body');
  if (body === NONE) return;
  for (const element of tree.children(body)) {
    if (tree.type(element) === 'keyed_element') extraction.setRole(tree.field(element, 'key'), 'none');
  }
}

/** `for i = range` assigns to an existing variable. */
function readAssigned(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const left = tree.field(node, 'left');
  if (left !== NONE && !/^\s*:=/.test(tree.text.slice(tree.end(left), tree.end(left) + 8)))
    extraction.setRole(left, 'none');
}
