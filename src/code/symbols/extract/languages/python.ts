import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';

const BUILT_INS: ReadonlySet<string> = new Set(
  'self cls int str float bool bytes list dict set tuple object type len range print isinstance issubclass super enumerate zip map filter sorted reversed min max sum any all abs getattr setattr hasattr property staticmethod classmethod ValueError TypeError KeyError IndexError AttributeError RuntimeError Exception NotImplementedError StopIteration'.split(
    ' ',
  ),
);

export const python: LanguageRules = {
  definitions: {
    function_definition: {
      kind: (tree, node) => (enclosing(tree, node) === 'class_definition' ? 'method' : 'function'),
      prototype: (tree, node) =>
        tree.type(tree.parent(node)) === 'decorated_definition' && isOverload(tree, node),
    },
    class_definition: { kind: 'class' },
    type_alias_statement: {
      kind: 'type',
      name: (tree, node) => tree.below(tree.field(node, 'left'), 'identifier'),
    },
    assignment: {
      kind: (tree, node, scope) =>
        scope === 'class'
          ? 'field'
          : isConstant(tree.textOf(tree.field(node, 'left')))
            ? 'constant'
            : 'variable',
      variable: true,
      name: (tree, node) =>
        tree.type(tree.field(node, 'left')) === 'identifier' ? tree.field(node, 'left') : NONE,
      body: ['right'],
    },
  },
  scopes: {
    function_definition: 'function',
    lambda: 'function',
    class_definition: 'class',
    list_comprehension: 'function',
    set_comprehension: 'function',
    dictionary_comprehension: 'function',
    generator_expression: 'function',
  },
  roles: {
    parameters: 'bind',
    lambda_parameters: 'bind',
    typed_parameter: 'bind',
    'typed_parameter.type': 'type',
    'default_parameter.name': 'bind',
    'default_parameter.value': 'none',
    'typed_default_parameter.name': 'bind',
    'typed_default_parameter.type': 'type',
    'typed_default_parameter.value': 'none',
    list_splat_pattern: 'inherit',
    dictionary_splat_pattern: 'inherit',
    'assignment.left': 'bind',
    'augmented_assignment.left': 'none',
    'for_statement.left': 'bind',
    'for_in_clause.left': 'bind',
    'named_expression.name': 'bind',
    as_pattern_target: 'bind',
    pattern_list: 'inherit',
    tuple_pattern: 'inherit',
    list_pattern: 'inherit',
    'attribute.object': 'none',
    'attribute.attribute': 'member',
    'subscript.value': 'none',
    'call.function': 'call',
    decorator: 'call',
    type: 'type',
    generic_type: 'type',
    type_parameter: 'type',
    union_type: 'type',
    member_type: 'type',
    constrained_type: 'type',
    'keyword_argument.name': 'key',
    'function_definition.type_parameters': 'type',
    future_import_statement: 'skip',
    import_statement: 'import',
    import_from_statement: 'import',
    'import_from_statement.module_name': 'skip',
    relative_import: 'skip',
    dotted_name: 'inherit',
    'aliased_import.name': 'inherit',
    'aliased_import.alias': 'skip',
    string: 'none',
    global_statement: 'skip',
    nonlocal_statement: 'skip',
    case_pattern: 'bind',
    class_pattern: 'none',
    keyword_pattern: 'bind',
    union_pattern: 'inherit',
    splat_pattern: 'bind',
  },
  identifiers: { identifier: 'value' },
  members: { attribute: ['object', 'attribute'] },
  builtIns: BUILT_INS,
  comments: ['comment'],
  wrappers: ['decorated_definition'],
  read: {
    import_statement: readImport,
    import_from_statement: readFrom,
    global_statement: readGlobal,
    nonlocal_statement: readGlobal,
    assignment: readField,
    class_definition: (extraction, node) => {
      readBases(extraction, node);
      readTypeParameters(extraction, node);
    },
    function_definition: readTypeParameters,
    class_pattern: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'call'),
    keyword_pattern: (extraction, node) => extraction.setRole(extraction.tree.firstChild(node), 'key'),
  },
  documentation: { string: isDocstring },
  isExported: (_tree, _node, name) => !name.startsWith('_') || /^__\w+__$/.test(name),
  isTest: (head, name) =>
    (/\bdef\s+$/.test(head) && /^test_/.test(name)) ||
    (/\bclass\s+$/.test(head) && /^Test[A-Z]|TestCase$/.test(name)),
};

/** The type of the nearest class or function around a node. */
function enclosing(tree: FlatTree, node: number): string {
  let around = tree.parent(node);
  while (around !== NONE && !/^(?:class|function)_definition$/.test(tree.type(around)))
    around = tree.parent(around);
  return tree.type(around);
}

function isDocstring(tree: FlatTree, node: number): boolean {
  const statement = tree.parent(node);
  if (tree.type(statement) !== 'expression_statement') return false;
  const holder = tree.parent(statement);
  return tree.firstChild(holder) === statement && /^(?:module|block)$/.test(tree.type(holder));
}

function isConstant(name: string): boolean {
  return /^_*[A-Z][A-Z\d_]*$/.test(name);
}

function isOverload(tree: FlatTree, node: number): boolean {
  const head = tree.text.slice(tree.start(tree.parent(node)), tree.start(node));
  return /@(?:\w+\.)?(?:overload|abstractmethod)\b/.test(head);
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  for (const part of tree.children(node)) {
    if (tree.type(part) === 'aliased_import') {
      const module = tree.textOf(tree.field(part, 'name'));
      extraction.addImport(tree.textOf(tree.field(part, 'alias')), '*', module, part);
    } else {
      const module = tree.textOf(part);
      extraction.addImport(module.split('.')[0] ?? '', '*', module, part);
    }
  }
}

function readFrom(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const source = tree.field(node, 'module_name');
  const module = tree.textOf(source);
  for (const part of tree.children(node)) {
    if (part === source) continue;
    const type = tree.type(part);
    if (type === 'wildcard_import') extraction.addImport('*', '*', module, part);
    else if (type === 'aliased_import') {
      const [name, alias] = [tree.field(part, 'name'), tree.field(part, 'alias')];
      extraction.addImport(tree.textOf(alias), tree.textOf(name), module, part);
    } else if (type === 'dotted_name') {
      extraction.addImport(tree.textOf(part), tree.textOf(part), module, part);
    }
  }
}

function readGlobal(extraction: Extraction, node: number): void {
  for (const name of extraction.tree.children(node)) extraction.free(extraction.tree.textOf(name));
}

/** `self.pool = …` in a method declares a field. */
function readField(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const left = tree.field(node, 'left');
  if (tree.type(left) !== 'attribute' || tree.textOf(tree.field(left, 'object')) !== 'self') return;
  extraction.define(node, tree.field(left, 'attribute'), { kind: 'field', outward: true, body: ['right'] });
}

/** `def first[T: Bound](…)` */
function readTypeParameters(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const list = tree.field(node, 'type_parameters');
  if (list === NONE) return;
  for (const parameter of tree.children(list))
    extraction.setRole(tree.below(parameter, 'identifier'), 'bindType');
}

function readBases(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const bases = tree.field(node, 'superclasses');
  if (bases === NONE) return;
  for (const base of tree.children(bases)) {
    if (/^(?:identifier|attribute)$/.test(tree.type(base))) extraction.setRole(base, 'type');
  }
}
