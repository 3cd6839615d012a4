import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules, ScopeKind } from '../language-rules.ts';

export const lua: LanguageRules = {
  definitions: {
    function_declaration: {
      kind: (tree, node) => (tree.type(tree.field(node, 'name')) === 'identifier' ? 'function' : 'method'),
      name: (tree, node) => lastName(tree, tree.field(node, 'name')),
    },
    assignment_statement: { kind: assignedKind, name: assignedName, body: assignedBody },
    field: { kind: fieldKind, body: assignedBody },
  },
  scopes: {
    function_declaration: 'function',
    function_definition: 'function',
    block: 'block',
    for_statement: 'block',
    do_statement: 'block',
  },
  roles: {
    'parameters.name': 'bind',
    'for_numeric_clause.name': 'bind',
    'function_call.name': 'call',
    'dot_index_expression.table': 'none',
    'dot_index_expression.field': 'member',
    'method_index_expression.table': 'none',
    'method_index_expression.method': 'member',
    'field.name': 'key',
    attribute: 'skip',
    goto_statement: 'skip',
    label_statement: 'skip',
    string: 'skip',
  },
  identifiers: { identifier: 'value' },
  members: {
    dot_index_expression: ['table', 'field'],
    method_index_expression: ['table', 'method'],
  },
  comments: ['comment'],
  builtIns: new Set(
    'self print pairs ipairs require type tostring tonumber assert error setmetatable getmetatable pcall select unpack next string table math io os'.split(
      ' ',
    ),
  ),
  read: {
    variable_declaration: readLocal,
    for_generic_clause: readNames,
    assignment_statement: readAssignment,
  },
  isExported: (tree, node) => !/^local\b/.test(tree.textOf(statementOf(tree, node)).slice(0, 6)),
};

/** The declaration around a variable. */
function statementOf(tree: FlatTree, node: number): number {
  let around = node;
  while (/^(?:identifier|variable_list|assignment_statement)$/.test(tree.type(around)))
    around = tree.parent(around);
  return /^(?:variable|function)_declaration$/.test(tree.type(around)) ? around : node;
}

function lastName(tree: FlatTree, name: number): number {
  if (tree.type(name) === 'identifier') return name;
  const field = tree.field(name, 'field');
  return field === NONE ? tree.field(name, 'method') : field;
}

function givenValue(tree: FlatTree, node: number): number {
  const value = tree.field(node, 'value');
  return value === NONE ? tree.field(tree.child(node, 'expression_list'), 'value') : value;
}

function assignedName(tree: FlatTree, node: number): number {
  const list = tree.child(node, 'variable_list');
  const name = tree.field(list, 'name');
  return name === NONE || tree.nextSibling(name) !== NONE ? NONE : lastName(tree, name);
}

function assignedKind(tree: FlatTree, node: number, scope: ScopeKind): SymbolKind | undefined {
  const name = tree.field(tree.child(node, 'variable_list'), 'name');
  const value = givenValue(tree, node);
  if (tree.type(value) === 'function_definition')
    return tree.type(name) === 'identifier' ? 'function' : 'method';
  if (scope !== 'file' || tree.type(name) !== 'identifier' || required(tree, value) !== undefined)
    return undefined;
  return 'variable';
}

function assignedBody(tree: FlatTree, node: number): number {
  const value = givenValue(tree, node);
  if (tree.type(value) === 'function_definition') return tree.field(value, 'body');
  return /^[^\n]{1,60}$/.test(tree.textOf(value)) ? NONE : value;
}

/** Functions in tables that others can reach by a name; `[5] = function` has none. */
function fieldKind(tree: FlatTree, node: number, scope: ScopeKind): SymbolKind | undefined {
  if (tree.type(tree.field(node, 'name')) !== 'identifier') return undefined;
  return scope === 'file' && tree.type(tree.field(node, 'value')) === 'function_definition'
    ? 'method'
    : undefined;
}

function required(tree: FlatTree, value: number): string | undefined {
  if (tree.type(value) !== 'function_call' || tree.textOf(tree.field(value, 'name')) !== 'require')
    return undefined;
  const content = tree.below(value, 'string_content');
  return content === NONE ? undefined : tree.textOf(content);
}

function readNames(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const list = tree.child(node, 'variable_list');
  if (list === NONE) return;
  for (const name of tree.children(list))
    if (tree.type(name) === 'identifier') extraction.setRole(name, 'bind');
}

/** `local a, b = …` */
function readLocal(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  readNames(extraction, node);
  const assignment = tree.child(node, 'assignment_statement');
  if (assignment !== NONE) readNames(extraction, assignment);
}

function readAssignment(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const module = required(tree, givenValue(tree, node));
  const name = tree.field(tree.child(node, 'variable_list'), 'name');
  if (module === undefined || tree.type(name) !== 'identifier') return;
  extraction.addImport(tree.textOf(name), '*', module, node);
  extraction.setRole(name, 'import');
}
