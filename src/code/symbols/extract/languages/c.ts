import { blankMacros } from '../blank-macros.ts';
import { NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';
import {
  anonymousKind,
  declarationAround,
  declaredName,
  innermost,
  isFunctionPointer,
  isOwnParameters,
  prototypeKind,
  withBody,
} from './declarators.ts';

export const c: LanguageRules = {
  definitions: {
    function_definition: { kind: 'function', name: declaredName },
    function_declarator: {
      kind: prototypeKind,
      name: (tree, node) => innermost(tree, tree.field(node, 'declarator')),
      prototype: (tree, node) => !isFunctionPointer(tree, node),
      variable: true,
      whole: declarationAround,
    },
    type_definition: { kind: anonymousKind, name: declaredName, body: ['type'] },
    struct_specifier: { kind: (tree, node) => withBody(tree, node, 'struct') },
    union_specifier: { kind: (tree, node) => withBody(tree, node, 'struct') },
    enum_specifier: { kind: (tree, node) => withBody(tree, node, 'enum') },
    enumerator: { kind: 'constant' },
    preproc_def: { kind: 'macro', body: ['value'] },
    preproc_function_def: { kind: 'macro', body: ['value'] },
  },
  scopes: {
    function_definition: 'function',
    compound_statement: 'block',
    for_statement: 'block',
    parameter_list: (tree, node) => (isOwnParameters(tree, node) ? undefined : 'function'),
    preproc_function_def: 'function',
    struct_specifier: 'class',
    union_specifier: 'class',
  },
  roles: {
    'declaration.declarator': 'bind',
    'init_declarator.declarator': 'inherit',
    'init_declarator.value': 'none',
    'pointer_declarator.declarator': 'inherit',
    'array_declarator.declarator': 'inherit',
    'array_declarator.size': 'none',
    'function_declarator.declarator': 'inherit',
    parenthesized_declarator: 'inherit',
    attributed_declarator: 'inherit',
    'parameter_declaration.declarator': 'bind',
    'field_declaration.declarator': 'field',
    'type_definition.declarator': 'typeName',
    preproc_params: 'bind',
    'call_expression.function': 'call',
    'field_expression.argument': 'none',
    'field_expression.field': 'member',
    field_designator: 'key',
    'goto_statement.label': 'skip',
    'labeled_statement.label': 'skip',
    preproc_include: 'skip',
    'preproc_ifdef.name': 'none',
    parenthesized_expression: 'inherit',
    string_literal: 'skip',
    attribute_specifier: 'skip',
  },
  identifiers: { identifier: 'value', type_identifier: 'type', field_identifier: 'key' },
  members: { field_expression: ['argument', 'field'] },
  comments: ['comment'],
  prepare: blankMacros,
  builtIns: new Set(['int', 'char', 'void', 'long', 'unsigned', 'struct', 'const', 'static', 'NULL']),
  read: { preproc_include: readInclude, preproc_arg: readMacro },
  isExported: (tree, node) => {
    let around = node;
    while (around !== NONE && !/^(?:function_definition|declaration)$/.test(tree.type(around)))
      around = tree.parent(around);
    return (
      around === NONE ||
      !/\bstatic\b/.test(
        tree.text.slice(tree.start(around), tree.start(around) + 60).split(/[({;=]/)[0] ?? '',
      )
    );
  },
};

function readInclude(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const module = tree.textOf(tree.field(node, 'path')).replace(/^["<]|[">]$/g, '');
  extraction.addImport('*', '*', module, node);
}

const TOKEN = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\/\/.*|\/\*[\s\S]*?\*\/|([A-Za-z_]\w*)(\s*\()?/g;
const NO_USE =
  /^(?:if|else|for|while|do|return|sizeof|switch|case|break|continue|goto|default|static|const|struct|union|enum|int|char|void|long|short|unsigned|signed|float|double|defined|do)$/;

/** The replacement of a macro is text without syntax. */
function readMacro(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  for (const match of tree.textOf(node).matchAll(TOKEN)) {
    const name = match[1];
    if (name === undefined || NO_USE.test(name)) continue;
    extraction.addUse(tree.start(node) + match.index, name, match[2] === undefined ? 'other' : 'call');
  }
}
