import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules, ScopeKind } from '../language-rules.ts';

/** `class Name<T>`, then `@Mark internal constructor` on the next line: the grammar ends the class at its name. */
const CONSTRUCTOR_BELOW =
  /(\bclass[ \t]+\w+(?:<[^<>(){}]*(?:<[^<>(){}]*>[^<>(){}]*)*>)?)([ \t]*\r?\n\s*(?:@[\w.]+(?:\([^()]*\))?\s+|(?:internal|private|protected|public)\s+)*constructor\b)(?=\s*\()/g;
/** `suspend = { … }` and `suspend: () -> Unit`: to the grammar this modifier is never a name. */
const MODIFIER_AS_NAME = /(?<![@.\w])suspend(?=[ \t]*(?:=(?!=)|:(?!:)))|(?<=\bif[ \t]*\(!?)suspend(?=\()/g;

/** Rewrites what the grammar cannot read; it would lose the rest of the file. */
function plainKotlin(text: string): string {
  return text
    .replace(CONSTRUCTOR_BELOW, (_all, head: string, mark: string) => head + ' '.repeat(mark.length))
    .replace(MODIFIER_AS_NAME, 'x'.repeat('suspend'.length));
}

export const kotlin: LanguageRules = {
  definitions: {
    class_declaration: { kind: classKind, body: ['class_body', 'enum_class_body'] },
    object_declaration: { kind: 'class', body: ['class_body'] },
    companion_object: { kind: 'class', body: ['class_body'] },
    function_declaration: {
      kind: (tree, node) => (/class_body$/.test(tree.type(tree.parent(node))) ? 'method' : 'function'),
      body: ['function_body'],
      prototype: (tree, node) => tree.child(node, 'function_body') === NONE,
    },
    type_alias: { kind: 'type', name: (tree, node) => tree.field(node, 'type'), body: [] },
    property_declaration: { kind: propertyKind, name: propertyName, variable: true, body: propertyBody },
    class_parameter: { kind: parameterKind, name: (tree, node) => tree.child(node, 'identifier') },
    enum_entry: {
      kind: 'constant',
      name: (tree, node) => tree.child(node, 'identifier'),
      body: ['class_body'],
    },
  },
  scopes: {
    class_declaration: 'class',
    object_declaration: 'class',
    companion_object: 'class',
    function_declaration: 'function',
    secondary_constructor: 'function',
    anonymous_function: 'function',
    anonymous_initializer: 'function',
    getter: 'function',
    setter: 'function',
    lambda_literal: 'function',
    block: 'block',
    for_statement: 'block',
    catch_block: 'block',
    when_expression: 'block',
  },
  roles: {
    parameter: 'bind',
    variable_declaration: 'bind',
    catch_block: 'bind',
    type_parameter: 'bindType',
    user_type: 'type',
    package_header: 'skip',
    import: 'skip',
    label: 'skip',
    string_literal: 'none',
    // The grammar reads `!f(x)` as a call of `!f`.
    unary_expression: 'inherit',
  },
  identifiers: { identifier: 'value' },
  members: { navigation_expression: ['', ''] },
  comments: ['line_comment', 'block_comment'],
  prepare: plainKotlin,
  builtIns: new Set('it field Int String Boolean Long Unit Any Double Float List Map Set'.split(' ')),
  read: {
    import: readImport,
    call_expression: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'call'),
    navigation_expression: readNavigation,
    value_argument: readArgument,
    class_parameter: readClassParameter,
  },
  isExported: (tree, node) => !/\bprivate\b/.test(tree.textOf(tree.child(node, 'modifiers'))),
  isTest: (head) => /@(?:\w+\.)*(?:Test|ParameterizedTest)\b/.test(head),
};

function classKind(tree: FlatTree, node: number): SymbolKind {
  const head = tree.text.slice(tree.start(node), tree.start(tree.field(node, 'name')));
  return /\binterface\s+$/.test(head) ? 'interface' : /\benum\s+class\s+$/.test(head) ? 'enum' : 'class';
}

function propertyName(tree: FlatTree, node: number): number {
  return tree.child(tree.child(node, 'variable_declaration'), 'identifier');
}

function propertyKind(tree: FlatTree, node: number, scope: ScopeKind): SymbolKind {
  if (/\bconst\b/.test(tree.textOf(tree.child(node, 'modifiers')))) return 'constant';
  return scope === 'class' ? 'field' : 'variable';
}

/** What comes after the name and the type, if it is long. */
function propertyBody(tree: FlatTree, node: number): number {
  const declared = tree.child(node, 'variable_declaration');
  const value = declared === NONE ? NONE : tree.nextSibling(declared);
  return value !== NONE && /^[^\n]{1,60}$/.test(tree.textOf(value)) ? NONE : value;
}

function isProperty(tree: FlatTree, node: number): boolean {
  const name = tree.child(node, 'identifier');
  return name !== NONE && /\b(?:val|var)\s+$/.test(tree.text.slice(tree.start(node), tree.start(name)));
}

function parameterKind(tree: FlatTree, node: number): SymbolKind | undefined {
  return isProperty(tree, node) ? 'field' : undefined;
}

function readClassParameter(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  if (isProperty(tree, node)) return;
  const name = tree.child(node, 'identifier');
  extraction.bind(tree.textOf(name));
  extraction.setRole(name, 'skip');
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const path = tree.child(node, 'qualified_identifier');
  if (path === NONE) return;
  const text = tree.textOf(path);
  const alias = tree.child(node, 'identifier');
  if (/\*\s*$/.test(tree.textOf(node))) extraction.addImport('*', '*', text, node);
  else {
    const imported = text.slice(text.lastIndexOf('.') + 1);
    const module = text.slice(0, Math.max(0, text.lastIndexOf('.')));
    extraction.addImport(
      alias === NONE ? imported : tree.textOf(alias),
      imported,
      module === '' ? text : module,
      node,
    );
    extraction.addUse(tree.end(path) - imported.length, imported, 'import');
  }
}

function readNavigation(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  let last = NONE;
  for (const part of tree.children(node)) last = part;
  const first = tree.firstChild(node);
  extraction.setRole(first, 'none');
  if (last !== first && tree.type(last) === 'identifier') extraction.setRole(last, 'member');
}

/** `open(path = "x")` */
function readArgument(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const name = tree.firstChild(node);
  if (name !== NONE && tree.nextSibling(name) !== NONE && tree.type(name) === 'identifier')
    extraction.setRole(name, 'key');
}
