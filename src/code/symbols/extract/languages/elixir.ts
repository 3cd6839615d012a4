import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, LanguageRules, ScopeKind } from '../language-rules.ts';

const KINDS: Readonly<Record<string, SymbolKind>> = {
  def: 'function',
  defp: 'function',
  defdelegate: 'function',
  defmacro: 'macro',
  defmacrop: 'macro',
  defguard: 'macro',
  defguardp: 'macro',
  defmodule: 'module',
  defprotocol: 'interface',
};
const BLOCKS: ReadonlySet<string> = new Set(
  'case cond if unless for with receive try fn test describe'.split(' '),
);

export const elixir: LanguageRules = {
  definitions: {
    call: {
      kind: (tree, node) => KINDS[target(tree, node)],
      name: definedName,
      body: ['do_block'],
      clauses: true,
      prototype: (tree, node) => tree.child(node, 'do_block') === NONE && !/\bdo:/.test(tree.textOf(node)),
    },
  },
  scopes: { call: callScope, anonymous_function: 'function', stab_clause: 'block' },
  roles: {
    'call.target': 'call',
    'dot.left': 'none',
    'dot.right': 'member',
    arguments: 'inherit',
    'stab_clause.left': 'bind',
    tuple: 'inherit',
    list: 'inherit',
    map: 'inherit',
    map_content: 'inherit',
    keywords: 'inherit',
    'pair.value': 'inherit',
    'pair.key': 'skip',
    binary_operator: 'inherit',
    bitstring: 'inherit',
    struct: 'type',
    atom: 'skip',
    quoted_content: 'skip',
  },
  identifiers: { identifier: 'value', alias: 'type' },
  members: { dot: ['left', 'right'] },
  comments: ['comment'],
  builtIns: new Set(
    '__MODULE__ def defp defmodule defmacro defmacrop defstruct defimpl defprotocol defguard defguardp defdelegate if unless case cond for with fn raise use import alias require quote unquote when and or not in is_nil is_binary is_atom is_list is_map is_integer do end'.split(
      ' ',
    ),
  ),
  read: { call: readCall, binary_operator: readOperator, unary_operator: readAttribute },
  isExported: (tree, node) => !/p$/.test(target(tree, node)),
};

/** The word that a call begins with. */
function target(tree: FlatTree, node: number): string {
  const called = tree.field(node, 'target');
  return tree.type(called) === 'identifier' ? tree.textOf(called) : '';
}

/**
 * The call or name that a definition is written as: `foo(x)` in `def foo(x) when x > 0`. None where an operator is
 * defined: in `def left == right` neither is its name.
 */
function headOf(tree: FlatTree, node: number): number {
  let head = tree.firstChild(tree.child(node, 'arguments'));
  while (head !== NONE && tree.type(head) === 'binary_operator') {
    const left = tree.field(head, 'left');
    const between = tree.text.slice(tree.end(left), tree.start(tree.field(head, 'right')));
    if (!/^\s*(?:when|\\\\)\s/.test(between)) return NONE;
    head = left;
  }
  return head;
}

function definedName(tree: FlatTree, node: number): number {
  if (KINDS[target(tree, node)] === undefined || tree.child(node, 'arguments') === NONE) return NONE;
  const head = headOf(tree, node);
  if (head === NONE) return NONE;
  const name = tree.type(head) === 'call' ? tree.field(head, 'target') : head;
  return /^(?:identifier|alias)$/.test(tree.type(name)) ? name : NONE;
}

function callScope(tree: FlatTree, node: number): ScopeKind | undefined {
  const word = target(tree, node);
  if (/^def(?:module|protocol|impl)$/.test(word)) return 'class';
  if (word.startsWith('def')) return 'function';
  return BLOCKS.has(word) ? 'block' : undefined;
}

function readCall(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const word = target(tree, node);
  if (word.startsWith('def') && word !== 'defmodule') {
    const head = tree.child(node, 'arguments') === NONE ? NONE : headOf(tree, node);
    if (tree.type(head) === 'call') extraction.setRole(tree.child(head, 'arguments'), 'bind');
  } else if (/^(?:import|alias|require|use)$/.test(word)) readImport(extraction, node);
  else if (/^(?:test|describe)$/.test(word)) extraction.addTest(node);
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const list = tree.child(node, 'arguments');
  if (list === NONE) return;
  const all = tree.textOf(tree.field(node, 'target')) !== 'alias';
  const add = (module: string, at: number, as: string): void => {
    const last = module.slice(module.lastIndexOf('.') + 1);
    extraction.addImport(as !== '' ? as : all ? '*' : last, '*', module, at);
  };
  const path = tree.firstChild(list);
  const renamed = tree.below(tree.child(list, 'keywords'), 'alias');
  if (tree.type(path) === 'alias')
    add(tree.textOf(path), path, all || renamed === NONE ? '' : tree.textOf(renamed));
  else if (tree.type(path) === 'dot') {
    const prefix = tree.textOf(tree.field(path, 'left'));
    const group = tree.field(path, 'right');
    if (group !== NONE)
      for (const part of tree.children(group)) add(`${prefix}.${tree.textOf(part)}`, part, '');
  }
}

/** `pattern = value` and `pattern <- value` bind; a guard compares. */
function readOperator(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const [left, right] = [tree.field(node, 'left'), tree.field(node, 'right')];
  if (left === NONE || right === NONE) return;
  const operator = tree.text.slice(tree.end(left), tree.start(right)).trim();
  if (operator === '=' || operator === '<-') extraction.setRole(left, 'bind');
  else if (operator === 'when' || operator === '\\\\') extraction.setRole(right, 'none');
}

/** `@doc` documents, `@type` defines, `@spec` repeats, and other attributes are constants. */
function readAttribute(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const operand = tree.field(node, 'operand');
  if (tree.text[tree.start(node)] !== '@' || operand === NONE) {
    extraction.setRole(operand, 'none');
    return;
  }
  const word = target(tree, operand);
  if (/^(?:doc|moduledoc|typedoc)$/.test(word)) {
    extraction.addComment(node);
    extraction.setRole(operand, 'skip');
  } else if (/^(?:spec|callback|macrocallback|impl)$/.test(word)) extraction.setRole(operand, 'skip');
  else if (/^(?:type|typep|opaque)$/.test(word)) {
    const name = tree.field(tree.child(tree.child(operand, 'arguments'), 'binary_operator'), 'left');
    const plain = tree.type(name) === 'call' ? tree.field(name, 'target') : name;
    if (plain !== NONE) extraction.define(node, plain, { kind: 'type', body: [] });
    extraction.setRole(operand, 'skip');
  } else extraction.setRole(tree.field(operand, 'target'), 'skip');
}
