import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules } from '../language-rules.ts';

const ACCESSORS = /^(?:attr_(?:accessor|reader|writer)|cattr_\w+|mattr_\w+)$/;

export const ruby: LanguageRules = {
  definitions: {
    module: { kind: 'module', name: lastConstant },
    class: { kind: 'class', name: lastConstant, body: ['body', 'body_statement'] },
    method: { kind: methodKind },
    singleton_method: { kind: 'method' },
  },
  scopes: {
    module: 'class',
    class: 'class',
    singleton_class: 'class',
    method: 'function',
    singleton_method: 'function',
    block: 'block',
    do_block: 'block',
    lambda: 'function',
  },
  roles: {
    method_parameters: 'bind',
    block_parameters: 'bind',
    lambda_parameters: 'bind',
    'optional_parameter.name': 'bind',
    'keyword_parameter.name': 'bind',
    'splat_parameter.name': 'bind',
    'hash_splat_parameter.name': 'bind',
    'block_parameter.name': 'bind',
    destructured_parameter: 'bind',
    'assignment.left': 'bind',
    'operator_assignment.left': 'none',
    left_assignment_list: 'bind',
    destructured_left_assignment: 'bind',
    rest_assignment: 'bind',
    'for.pattern': 'bind',
    exception_variable: 'bind',
    'call.receiver': 'none',
    'call.method': 'invoke',
    'scope_resolution.scope': 'path',
    'scope_resolution.name': 'member',
    superclass: 'type',
    exceptions: 'type',
    'pair.key': 'skip',
    'keyword_pattern.key': 'skip',
    'alias.name': 'none',
  },
  identifiers: {
    identifier: 'value',
    constant: 'value',
    instance_variable: 'value',
    class_variable: 'value',
    global_variable: 'value',
  },
  members: { call: ['receiver', 'method'], scope_resolution: ['scope', 'name'] },
  comments: ['comment'],
  definable: /^\p{Lu}/u,
  builtIns: new Set(
    'self raise puts require lambda proc loop private public protected attr_accessor attr_reader attr_writer'.split(
      ' ',
    ),
  ),
  read: { call: readCall, assignment: readField, operator_assignment: readField },
  isExported: (tree, node) => {
    const holder = tree.parent(tree.parent(node));
    return tree.type(holder) !== 'call' || !/^private/.test(tree.textOf(tree.field(holder, 'method')));
  },
  isTest: (head, name) =>
    (/\bdef\s+$/.test(head) && name.startsWith('test_')) || (/\bclass\s+$/.test(head) && /Test$/.test(name)),
  isTestText: (_imports, calls) => calls.includes('describe') || calls.includes('RSpec'),
};

function lastConstant(tree: FlatTree, node: number): number {
  const name = tree.field(node, 'name');
  return tree.type(name) === 'scope_resolution' ? tree.field(name, 'name') : name;
}

function methodKind(tree: FlatTree, node: number): 'method' | 'function' {
  for (let around = tree.parent(node); around !== NONE; around = tree.parent(around)) {
    if (/^(?:class|module|singleton_class)$/.test(tree.type(around))) return 'method';
  }
  return 'function';
}

function readCall(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const method = tree.textOf(tree.field(node, 'method'));
  const list = tree.field(node, 'arguments');
  if (list === NONE) return;
  if (/^(?:require|require_relative|load|autoload)$/.test(method)) {
    const module = tree.below(list, 'string_content');
    if (module !== NONE) extraction.addImport('*', '*', tree.textOf(module), node);
  } else if (ACCESSORS.test(method)) {
    for (const symbol of tree.children(list)) {
      if (tree.type(symbol) === 'simple_symbol') extraction.define(symbol, symbol, { kind: 'field' });
    }
  } else if (/^(?:include|extend|prepend)$/.test(method)) {
    for (const name of tree.children(list))
      if (tree.type(name) === 'constant') extraction.setRole(name, 'type');
  }
}

/** `@pool = …` in a method declares a field. */
function readField(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const left = tree.field(node, 'left');
  if (!/^(?:instance|class)_variable$/.test(tree.type(left))) return;
  extraction.setRole(left, 'none');
  extraction.define(node, left, { kind: 'field', outward: true, body: ['right'] });
}
