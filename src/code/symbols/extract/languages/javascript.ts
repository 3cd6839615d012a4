import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules, ScopeKind } from '../language-rules.ts';
import {
  readAssignment,
  readDeclaration,
  readExport,
  readImport,
  readKey,
  requiredModule,
} from './javascript-modules.ts';

const FUNCTIONS = ['arrow_function', 'function_expression', 'generator_function'];
const MAX_VALUE_LENGTH = 60;
const TEST_MODULES =
  /^(?:vitest|@jest\/globals|node:test|mocha|ava|tape|bun:test|jasmine|@playwright\/test|uvu|@japa\/runner)$/;
const TEST_CALLS: ReadonlySet<string> = new Set(['describe', 'it', 'test', 'suite', 'bench']);

/** JavaScript and TypeScript; the grammar of the latter nearly contains the former. */
export const javascript: LanguageRules = {
  definitions: {
    function_declaration: { kind: 'function' },
    generator_function_declaration: { kind: 'function' },
    function_signature: { kind: 'function', prototype: () => true },
    function_expression: { kind: 'function', name: ownName },
    class_declaration: { kind: 'class' },
    abstract_class_declaration: { kind: 'class' },
    class: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    type_alias_declaration: { kind: 'type', body: [] },
    enum_declaration: { kind: 'enum' },
    internal_module: { kind: 'module' },
    module: { kind: 'module', name: (tree, node) => tree.child(node, 'identifier', 'nested_identifier') },
    method_definition: { kind: 'method', name: propertyName },
    method_signature: { kind: 'method', name: propertyName, prototype: () => true },
    abstract_method_signature: { kind: 'method', name: propertyName, prototype: () => true },
    public_field_definition: { kind: fieldKind, name: propertyName, body: functionBody },
    field_definition: {
      kind: fieldKind,
      name: (tree, node) => tree.field(node, 'property'),
      body: functionBody,
    },
    property_signature: { kind: signatureKind, name: propertyName },
    enum_assignment: { kind: 'constant', name: propertyName },
    required_parameter: { kind: 'field', name: parameterProperty, outward: true, binds: true },
    variable_declarator: { kind: variableKind, name: plainName, body: functionBody, whole: statement },
    pair: {
      kind: pairKind,
      name: (tree, node) => tree.child(node, 'property_identifier'),
      body: functionBody,
    },
    assignment_expression: { kind: assignedKind, name: assignedName, body: functionBody, whole: statement },
  },
  scopes: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    function_expression: 'function',
    generator_function: 'function',
    arrow_function: 'function',
    method_definition: 'function',
    function_signature: 'function',
    method_signature: 'function',
    abstract_method_signature: 'function',
    call_signature: 'function',
    construct_signature: 'function',
    function_type: 'function',
    constructor_type: 'function',
    index_signature: 'function',
    conditional_type: 'block',
    object_type: 'block',
    type_alias_declaration: 'block',
    interface_declaration: 'class',
    class_declaration: 'class',
    abstract_class_declaration: 'class',
    class: 'class',
    class_static_block: 'function',
    statement_block: (tree, node) =>
      /^(?:internal_module|module|ambient_declaration)$/.test(tree.type(tree.parent(node)))
        ? 'class'
        : 'block',
    for_statement: 'block',
    for_in_statement: 'block',
    switch_body: 'block',
    catch_clause: 'block',
  },
  roles: {
    'variable_declarator.name': 'bind',
    'variable_declarator.value': 'none',
    'variable_declarator.type': 'none',
    'required_parameter.pattern': 'bind',
    'optional_parameter.pattern': 'bind',
    formal_parameters: 'bind',
    required_parameter: 'none',
    optional_parameter: 'none',
    'arrow_function.parameter': 'bind',
    'catch_clause.parameter': 'bind',
    array_pattern: 'inherit',
    object_pattern: 'inherit',
    rest_pattern: 'inherit',
    'assignment_pattern.left': 'inherit',
    'object_assignment_pattern.left': 'inherit',
    'function_expression.name': 'skip',
    'pair_pattern.key': 'key',
    'pair_pattern.value': 'inherit',
    'index_signature.name': 'bind',
    'property_signature.name': 'skip',
    'type_parameter.name': 'bindType',
    'mapped_type_clause.name': 'bindType',
    infer_type: 'bindType',
    'call_expression.function': 'call',
    'new_expression.constructor': 'call',
    decorator: 'call',
    'jsx_opening_element.name': 'call',
    'jsx_self_closing_element.name': 'call',
    'jsx_closing_element.name': 'none',
    jsx_attribute: 'none',
    non_null_expression: 'inherit',
    instantiation_expression: 'inherit',
    'member_expression.property': 'member',
    'member_expression.object': 'none',
    'nested_identifier.property': 'member',
    'nested_type_identifier.name': 'member',
    'nested_type_identifier.module': 'none',
    'extends_clause.value': 'type',
    class_heritage: 'type',
    'labeled_statement.label': 'skip',
    'break_statement.label': 'skip',
    'continue_statement.label': 'skip',
    'enum_body.name': 'enumerator',
    'import_specifier.name': 'import',
    'import_specifier.alias': 'skip',
    import_clause: 'import',
    namespace_import: 'import',
    import_require_clause: 'import',
    'export_specifier.alias': 'skip',
    namespace_export: 'skip',
    meta_property: 'skip',
    string: 'skip',
    regex: 'skip',
    import_attribute: 'skip',
  },
  identifiers: {
    identifier: 'value',
    type_identifier: 'type',
    property_identifier: 'key',
    private_property_identifier: 'key',
    shorthand_property_identifier: 'shorthand',
    shorthand_property_identifier_pattern: 'key',
  },
  members: {
    member_expression: ['object', 'property'],
    nested_identifier: ['object', 'property'],
    nested_type_identifier: ['module', 'name'],
  },
  comments: ['comment', 'html_comment', 'hash_bang_line'],
  wrappers: ['export_statement', 'ambient_declaration'],
  leading: ['decorator'],
  read: {
    import_statement: readImport,
    export_statement: readExport,
    variable_declaration: (extraction, node) => readDeclaration(extraction, node, 'hoist'),
    lexical_declaration: (extraction, node) => readDeclaration(extraction, node, 'bind'),
    for_in_statement: readLoop,
    jsx_opening_element: readElement,
    jsx_self_closing_element: readElement,
    jsx_closing_element: readElement,
    assignment_expression: readAssignment,
    subscript_expression: readKey,
    lookup_type: readKey,
  },
  isExported,
  isTestText: (imports, calls) =>
    imports.some(({ module }) => TEST_MODULES.test(module)) && calls.some((name) => TEST_CALLS.has(name)),
};

/** The name of a function expression, unless a variable or property holds it. */
function ownName(tree: FlatTree, node: number): number {
  const parent = tree.type(tree.parent(node));
  return parent === 'variable_declarator' || parent === 'pair' || parent === 'assignment_expression'
    ? NONE
    : tree.field(node, 'name');
}

/** Properties whose name is computed or a string have none. */
function propertyName(tree: FlatTree, node: number): number {
  const name = tree.field(node, 'name');
  return /property_identifier$/.test(tree.type(name)) ? name : NONE;
}

function plainName(tree: FlatTree, node: number): number {
  const name = tree.field(node, 'name');
  return tree.type(name) === 'identifier' ? name : NONE;
}

/** `constructor(private readonly pool: Pool)` declares a field. */
function parameterProperty(tree: FlatTree, node: number): number {
  const pattern = tree.field(node, 'pattern');
  const head = tree.text.slice(tree.start(node), pattern === NONE ? tree.start(node) : tree.start(pattern));
  return /\b(?:private|public|protected|readonly)\b/.test(head) ? pattern : NONE;
}

/** The body of the function that is the value, or a value that is too long to show. */
function functionBody(tree: FlatTree, node: number): number {
  const value = tree.field(node, tree.type(node) === 'assignment_expression' ? 'right' : 'value');
  if (value === NONE) return NONE;
  if (isFunction(tree, value)) return tree.field(value, 'body');
  const text = tree.textOf(value);
  return text.length > MAX_VALUE_LENGTH || text.includes('\n') ? value : NONE;
}

function isFunction(tree: FlatTree, node: number): boolean {
  return node !== NONE && FUNCTIONS.includes(tree.type(node));
}

/** Properties of a named type; those of a type that is written out where it is used have no name to find them by. */
function signatureKind(tree: FlatTree, node: number): SymbolKind | undefined {
  let around = tree.parent(node);
  while (/_type$|^(?:type_|property_signature|interface_body|union|intersection)/.test(tree.type(around))) {
    if (tree.type(around) === 'type_alias_declaration') return 'field';
    around = tree.parent(around);
  }
  return tree.type(around) === 'interface_declaration' ? 'field' : undefined;
}

function fieldKind(tree: FlatTree, node: number): SymbolKind {
  return isFunction(tree, tree.field(node, 'value')) ? 'method' : 'field';
}

function variableKind(tree: FlatTree, node: number, scope: ScopeKind): SymbolKind | undefined {
  const value = tree.field(node, 'value');
  if (isFunction(tree, value)) return 'function';
  if (scope !== 'file' && scope !== 'class') return undefined;
  if (tree.type(value) === 'class') return 'class';
  if (requiredModule(tree, value) !== undefined) return undefined;
  return tree.text.startsWith('const', tree.start(tree.parent(node))) ? 'constant' : 'variable';
}

/** Functions in objects count where others can reach them. */
function pairKind(tree: FlatTree, node: number, scope: ScopeKind): SymbolKind | undefined {
  if (!isFunction(tree, tree.field(node, 'value'))) return undefined;
  const holder = tree.type(tree.parent(tree.parent(node)));
  return scope === 'file' || scope === 'class' || holder === 'return_statement' ? 'method' : undefined;
}

/** `exports.a = …`, `A.prototype.b = …`, `a.b = function …` */
function assignedKind(tree: FlatTree, node: number): SymbolKind | undefined {
  const left = tree.textOf(tree.field(node, 'left'));
  const right = tree.field(node, 'right');
  if (isFunction(tree, right)) return /\.prototype\.|^this\./.test(left) ? 'method' : 'function';
  if (!/^(?:module\.)?exports\.\w+$/.test(left) || /^(?:identifier|true|undefined)$/.test(tree.type(right)))
    return undefined;
  return tree.type(right) === 'class' ? 'class' : 'variable';
}

function assignedName(tree: FlatTree, node: number): number {
  const left = tree.field(node, 'left');
  if (tree.type(left) !== 'member_expression') return NONE;
  const name = tree.field(left, 'property');
  return tree.textOf(name) === 'exports' ? NONE : name;
}

/** A declaration with one variable is that variable. */
function statement(tree: FlatTree, node: number): number {
  const parent = tree.parent(node);
  const only = tree.firstChild(parent) === node && tree.nextSibling(node) === NONE;
  if (!only) return node;
  const around = tree.parent(parent);
  return tree.type(around) === 'export_statement' ? around : parent;
}

/** `for (const x of …)` has its variable in the loop itself. */
function readLoop(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const left = tree.field(node, 'left');
  if (left === NONE) return;
  const head = tree.text.slice(tree.start(node), tree.start(left));
  if (/\b(?:const|let|using)\s+$/.test(head)) extraction.setRole(left, 'bind');
  else if (/\bvar\s+$/.test(head)) extraction.setRole(left, 'hoist');
}

/** `<div>` is not a name to record. */
function readElement(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const name = tree.field(node, 'name');
  // `<head>` is a member of the type that says which elements there are.
  if (tree.type(name) === 'identifier' && /^[a-z]/.test(tree.textOf(name))) extraction.setRole(name, 'key');
}

function isExported(tree: FlatTree, node: number, name: string): boolean {
  const type = tree.type(node);
  if (type === 'assignment_expression') return /exports\.\w+$/.test(tree.textOf(tree.field(node, 'left')));
  if (/^(?:method|public_field|field|property|enum_assignment|abstract_method|required|pair)/.test(type)) {
    const modifier = tree.child(node, 'accessibility_modifier');
    return !name.startsWith('#') && tree.textOf(modifier) !== 'private';
  }
  let around = tree.parent(node);
  if (/_declaration$/.test(tree.type(around)) && type === 'variable_declarator') around = tree.parent(around);
  if (tree.type(around) === 'ambient_declaration') return true;
  return tree.type(around) === 'export_statement';
}
