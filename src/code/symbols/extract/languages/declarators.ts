import type { SymbolKind } from '../../file-symbols.ts';
import { type FlatTree, NONE } from '../flat-tree.ts';

/** Declarators of C and C++ that contain the name. */
const NAMES = [
  'identifier',
  'field_identifier',
  'type_identifier',
  'destructor_name',
  'operator_name',
  'operator_cast',
];

/** Macros of test frameworks that look like functions; the test's name is their last argument. */
const TEST_MACRO = /^(?:TYPED_)?TEST(?:_[FP])?$|^TEST_CASE$|^BENCHMARK_F$/;

/** The name inside declarators such as `*(*name)[3](…)` and `ns::Type<T>::name`. */
export function innermost(tree: FlatTree, declarator: number): number {
  let at = declarator;
  while (at !== NONE && !NAMES.includes(tree.type(at))) {
    const inner = tree.field(at, 'declarator');
    const name = inner === NONE ? tree.field(at, 'name') : inner;
    at =
      name === NONE && /^(?:parenthesized|reference|attributed)_declarator$/.test(tree.type(at))
        ? tree.firstChild(at)
        : name;
  }
  return at;
}

export function declaredName(tree: FlatTree, node: number): number {
  const declarator = tree.field(node, 'declarator');
  const name = innermost(tree, declarator);
  if (name === NONE || !TEST_MACRO.test(tree.textOf(name))) return name;
  let last = NONE;
  const list = tree.below(declarator, 'parameter_list');
  for (const parameter of list === NONE ? [] : tree.children(list)) last = tree.field(parameter, 'type');
  return last === NONE ? name : last;
}

/** The class before `::` in the name of a function that is defined outside of it. */
export function qualifiedOwner(tree: FlatTree, node: number): string | undefined {
  let at = tree.field(node, 'declarator');
  while (at !== NONE && tree.type(at) !== 'qualified_identifier') {
    const inner = tree.field(at, 'declarator');
    at = inner === NONE && tree.type(at) === 'reference_declarator' ? tree.firstChild(at) : inner;
  }
  let scope = NONE;
  for (; tree.type(at) === 'qualified_identifier'; at = tree.field(at, 'name'))
    scope = tree.field(at, 'scope');
  if (scope === NONE) return undefined;
  return tree.textOf(tree.isLeaf(scope) ? scope : tree.field(scope, 'name'));
}

export function isFunctionPointer(tree: FlatTree, node: number): boolean {
  const declarator = tree.field(node, 'declarator');
  return (
    tree.type(declarator) === 'parenthesized_declarator' &&
    tree.child(declarator, 'pointer_declarator') !== NONE
  );
}

/** Climbs from a declarator to what it declares. */
export function declarationAround(tree: FlatTree, node: number): number {
  let around = tree.parent(node);
  while (around !== NONE && /_declarator$/.test(tree.type(around))) around = tree.parent(around);
  return around === NONE ? node : around;
}

export function prototypeKind(tree: FlatTree, node: number): SymbolKind | undefined {
  if (isFunctionPointer(tree, node)) return undefined;
  const around = declarationAround(tree, node);
  const isMember = tree.type(tree.parent(around)) === 'field_declaration_list';
  if (tree.type(around) === 'field_declaration') return 'method';
  return tree.type(around) === 'declaration' ? (isMember ? 'method' : 'function') : undefined;
}

/** The parameters of a function with a body are visible in the body. */
export function isOwnParameters(tree: FlatTree, node: number): boolean {
  const declarator = tree.parent(node);
  if (/^(?:lambda_declarator|catch_clause)$/.test(tree.type(declarator))) return true;
  return (
    tree.type(declarationAround(tree, declarator)) === 'function_definition' &&
    !isFunctionPointer(tree, declarator)
  );
}

export function withBody(tree: FlatTree, node: number, kind: SymbolKind): SymbolKind | undefined {
  return tree.field(node, 'body') === NONE ? undefined : kind;
}

/** `typedef struct {…} name` defines a struct; others define only the name. */
export function anonymousKind(tree: FlatTree, node: number): SymbolKind | undefined {
  const type = tree.field(node, 'type');
  if (tree.field(type, 'body') === NONE || tree.field(type, 'name') !== NONE) return undefined;
  return tree.type(type) === 'enum_specifier' ? 'enum' : 'struct';
}
