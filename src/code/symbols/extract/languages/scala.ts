import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { DefinitionRule, Extraction, LanguageRules, ScopeKind } from '../language-rules.ts';

const METHOD: DefinitionRule = {
  kind: (tree, node) => (tree.type(tree.parent(node)) === 'template_body' ? 'method' : 'function'),
};
const VALUE: DefinitionRule = {
  kind: valueKind,
  name: (tree, node) => {
    const pattern = tree.field(node, 'pattern');
    return tree.type(pattern) === 'identifier' ? pattern : tree.field(node, 'name');
  },
  variable: true,
  body: ['value'],
};

export const scala: LanguageRules = {
  definitions: {
    class_definition: { kind: 'class' },
    object_definition: { kind: 'class' },
    package_object: { kind: 'class' },
    trait_definition: { kind: 'trait' },
    enum_definition: { kind: 'enum' },
    simple_enum_case: { kind: 'constant' },
    full_enum_case: { kind: 'constant' },
    function_definition: METHOD,
    function_declaration: { ...METHOD, prototype: () => true },
    val_definition: VALUE,
    var_definition: VALUE,
    val_declaration: VALUE,
    var_declaration: VALUE,
    given_definition: { kind: 'variable' },
    type_definition: { kind: 'type', body: [] },
    class_parameter: { kind: 'field' },
  },
  scopes: {
    class_definition: 'class',
    object_definition: 'class',
    package_object: 'class',
    trait_definition: 'class',
    enum_definition: 'class',
    template_body: 'class',
    full_enum_case: 'class',
    type_definition: 'class',
    function_definition: 'function',
    function_declaration: 'function',
    given_definition: 'function',
    lambda_expression: 'function',
    block: 'block',
    indented_block: 'block',
    case_clause: 'block',
    for_expression: 'block',
    catch_clause: 'block',
  },
  roles: {
    'parameter.name': 'bind',
    'binding.name': 'bind',
    'val_definition.pattern': 'bind',
    'var_definition.pattern': 'bind',
    'case_clause.pattern': 'bind',
    'lambda_expression.parameters': 'bind',
    tuple_pattern: 'inherit',
    alternative_pattern: 'inherit',
    infix_pattern: 'inherit',
    'infix_pattern.operator': 'none',
    'typed_pattern.pattern': 'inherit',
    'capture_pattern.name': 'inherit',
    'capture_pattern.pattern': 'inherit',
    'case_class_pattern.pattern': 'inherit',
    'case_class_pattern.type': 'call',
    'type_parameters.name': 'bindType',
    'call_expression.function': 'call',
    'generic_function.function': 'inherit',
    'field_expression.value': 'none',
    'field_expression.field': 'member',
    'infix_expression.operator': 'invoke',
    'infix_expression.left': 'none',
    'infix_expression.right': 'none',
    'assignment_expression.left': 'none',
    'package_clause.name': 'skip',
    import_declaration: 'skip',
    string: 'skip',
    annotation: 'type',
  },
  identifiers: { identifier: 'value', type_identifier: 'type' },
  members: { field_expression: ['value', 'field'], infix_expression: ['left', 'operator'] },
  comments: ['comment', 'block_comment'],
  bindable: /^[\p{Ll}_]/u,
  builtIns: new Set(
    'Int String Boolean Long Unit Any Double Float Option Some None List Seq Map Set this'.split(' '),
  ),
  read: {
    import_declaration: readImport,
    enumerator: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'bind'),
    instance_expression: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'call'),
  },
  isExported: (tree, node) => !/\bprivate\b/.test(tree.textOf(tree.child(node, 'modifiers'))),
  isTest: (head, name) => /\bclass\s+$/.test(head) && /(?:Spec|Suite|Test)$/.test(name),
};

function valueKind(tree: FlatTree, node: number, scope: ScopeKind): SymbolKind {
  return scope === 'class' ? 'field' : /^val/.test(tree.type(node)) ? 'constant' : 'variable';
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const path: string[] = [];
  const last: { name: string; end: number } = { name: '', end: 0 };
  for (const part of tree.children(node)) {
    const type = tree.type(part);
    if (type === 'identifier' && tree.fieldName(part) === 'path') {
      path.push(tree.textOf(part));
      last.name = tree.textOf(part);
      last.end = tree.end(part);
    } else if (type === 'namespace_wildcard') {
      extraction.addImport('*', '*', path.join('.'), node);
      return;
    } else if (type === 'namespace_selectors') {
      for (const selector of tree.children(part)) addSelector(extraction, selector, path.join('.'));
      return;
    }
  }
  const module = path.slice(0, -1).join('.');
  extraction.addImport(last.name, last.name, module === '' ? last.name : module, node);
  extraction.addUse(last.end - last.name.length, last.name, 'import');
}

function addSelector(extraction: Extraction, selector: number, module: string): void {
  const { tree } = extraction;
  if (tree.type(selector) === 'namespace_wildcard') {
    extraction.addImport('*', '*', module, selector);
    return;
  }
  const renamed = tree.field(selector, 'name');
  const name = renamed === NONE ? selector : renamed;
  const alias = tree.field(selector, 'alias');
  extraction.addImport(tree.textOf(alias === NONE ? name : alias), tree.textOf(name), module, selector);
  extraction.addUse(tree.start(name), tree.textOf(name), 'import');
}
