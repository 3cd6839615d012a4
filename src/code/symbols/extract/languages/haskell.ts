import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, IdentifierKind, LanguageRules } from '../language-rules.ts';

export const haskell: LanguageRules = {
  definitions: {
    function: {
      kind: (tree, node) => (isMethod(tree, node) ? 'method' : 'function'),
      name: clauseName,
      clauses: true,
      body: ['match'],
    },
    bind: {
      kind: (tree, node, scope) =>
        isMethod(tree, node) ? 'method' : scope === 'file' ? 'variable' : undefined,
      name: clauseName,
      clauses: true,
      body: ['match'],
    },
    signature: {
      kind: (tree, node) => (tree.type(tree.parent(node)) === 'class_declarations' ? 'method' : undefined),
      name: clauseName,
      prototype: () => true,
      clauses: true,
    },
    data_type: { kind: 'type', body: ['constructors'] },
    newtype: { kind: 'type', body: ['constructor'] },
    type_synomym: { kind: 'type', body: [] },
    type_family: { kind: 'type' },
    class: { kind: 'trait', body: ['declarations'] },
    prefix: { kind: 'constant', name: constructorName },
    record: { kind: 'constant', name: constructorName },
    newtype_constructor: { kind: 'constant' },
  },
  scopes: {
    function: 'function',
    class: 'class',
    instance: 'class',
    lambda: 'function',
    alternative: 'block',
    let_in: 'block',
    do: 'block',
    list_comprehension: 'block',
    data_type: 'class',
  },
  roles: {
    patterns: 'bind',
    'bind.pattern': 'bind',
    'bind.name': 'bind',
    'alternative.pattern': 'bind',
    'generator.pattern': 'bind',
    'parens.pattern': 'inherit',
    parens: 'inherit',
    tuple: 'inherit',
    list: 'inherit',
    as: 'bind',
    strict: 'inherit',
    lazy: 'inherit',
    infix: 'inherit',
    apply: 'inherit',
    'field_pattern.field': 'key',
    'field_pattern.pattern': 'bind',
    'field.name': 'field',
    field_name: 'inherit',
    'field_update.field': 'key',
    'qualified.id': 'member',
    'data_type.name': 'name',
    'function.name': 'name',
    'signature.name': 'skip',
    'type_params.bind': 'skip',
    type_params: 'skip',
    header: 'skip',
    import: 'skip',
    fixity: 'skip',
    pragma: 'skip',
    operator: 'skip',
  },
  identifiers: Object.fromEntries<IdentifierKind>([
    ['variable', 'value'],
    ['name', 'type'],
    ['constructor', 'value'],
  ]),
  members: { qualified: ['module', 'id'] },
  comments: ['comment', 'haddock'],
  leading: ['signature'],
  leadingOnce: true,
  bindable: /^[\p{Ll}_]/u,
  builtIns: new Set(
    'return pure otherwise fst snd id const map filter show Int Integer String Bool Maybe Either IO Just Nothing Left Right True False'.split(
      ' ',
    ),
  ),
  read: {
    header: readHeader,
    import: readImport,
    apply: readApply,
    function: (extraction, node) => extraction.setRole(extraction.tree.child(node, 'infix'), 'bind'),
    signature: skipTypeVariables,
    field: skipTypeVariables,
    data_type: skipTypeVariables,
  },
  isExported: (tree) => {
    const header = tree.child(0, 'header');
    return header === NONE || tree.field(header, 'exports') === NONE;
  },
  isTest: (_head, name) => /^(?:prop_|test_|spec$)/.test(name),
};

function clauseName(tree: FlatTree, node: number): number {
  const name = tree.field(node, 'name');
  return tree.type(name) === 'variable' ? name : NONE;
}

/** Only where it declares a constructor, not in a pattern or expression. */
function constructorName(tree: FlatTree, node: number): number {
  return tree.type(tree.parent(node)) === 'data_constructor' ? tree.field(node, 'name') : NONE;
}

function isMethod(tree: FlatTree, node: number): boolean {
  return /^(?:class|instance)_declarations$/.test(tree.type(tree.parent(node)));
}

function readHeader(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const exports = tree.field(node, 'exports');
  if (exports === NONE) return;
  for (let at = exports + 1; at < tree.after(exports); at++) {
    if (/^(?:variable|name)$/.test(tree.type(at))) extraction.exportName(tree.textOf(at));
  }
  for (const part of tree.children(node)) extraction.setRole(part, 'skip');
}

function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const module = tree.textOf(tree.field(node, 'module'));
  const alias = tree.field(node, 'alias');
  const names = tree.field(node, 'names');
  if (alias !== NONE) extraction.addImport(tree.textOf(alias), '*', module, node);
  if (names === NONE) {
    if (alias === NONE) extraction.addImport('*', '*', module, node);
    return;
  }
  for (let at = names + 1; at < tree.after(names); at++) {
    if (!/^(?:variable|name|constructor)$/.test(tree.type(at))) continue;
    extraction.addImport(tree.textOf(at), tree.textOf(at), module, at);
    extraction.addUse(tree.start(at), tree.textOf(at), 'import');
  }
}

/** In a pattern `Just x` binds; elsewhere it calls. */
function readApply(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  if (extraction.hasRole(node, 'bind')) return;
  const called = tree.field(node, 'function');
  const argument = tree.field(node, 'argument');
  if (!extraction.hasRole(called, 'skip')) extraction.setRole(called, 'call');
  if (!extraction.hasRole(argument, 'skip')) extraction.setRole(argument, 'none');
}

/** Type variables are not names to record. */
function skipTypeVariables(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const type = tree.type(node) === 'data_type' ? tree.field(node, 'constructors') : tree.field(node, 'type');
  if (type === NONE) return;
  for (let at = type; at < tree.after(type); at++) {
    if (tree.type(at) === 'variable' && tree.type(tree.parent(at)) !== 'field_name')
      extraction.setRole(at, 'skip');
  }
}
