import { type FlatTree, NONE } from '../flat-tree.ts';
import type { Extraction, Role } from '../language-rules.ts';

/** The module of `require('module')`. */
export function requiredModule(tree: FlatTree, value: number): string | undefined {
  if (tree.type(value) !== 'call_expression') return undefined;
  const [called, list] = [tree.field(value, 'function'), tree.field(value, 'arguments')];
  if (tree.textOf(called) !== 'require') return undefined;
  const module = tree.child(list, 'string');
  return module === NONE ? undefined : unquoted(tree, module);
}

function unquoted(tree: FlatTree, node: number): string {
  return tree.textOf(node).slice(1, -1);
}

export function readImport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const clause = tree.child(node, 'import_clause', 'import_require_clause');
  const source = tree.field(tree.type(clause) === 'import_require_clause' ? clause : node, 'source');
  if (source === NONE) return;
  const module = unquoted(tree, source);
  if (clause === NONE) extraction.addImport('*', '*', module, node);
  for (const part of tree.children(clause === NONE ? node : clause)) {
    const type = tree.type(part);
    if (type === 'identifier') {
      const whole = tree.type(clause) === 'import_require_clause';
      extraction.addImport(tree.textOf(part), whole ? '*' : 'default', module, part);
    } else if (type === 'namespace_import') {
      extraction.addImport(tree.textOf(tree.child(part, 'identifier')), '*', module, part);
    } else if (type === 'named_imports') {
      for (const specifier of tree.children(part)) addSpecifier(extraction, specifier, module);
    }
  }
}

function addSpecifier(extraction: Extraction, specifier: number, module: string): void {
  const { tree } = extraction;
  const [name, alias] = [tree.field(specifier, 'name'), tree.field(specifier, 'alias')];
  if (name === NONE) return;
  extraction.addImport(tree.textOf(alias === NONE ? name : alias), tree.textOf(name), module, specifier);
}

export function readExport(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const source = tree.field(node, 'source');
  const clause = tree.child(node, 'export_clause');
  if (source !== NONE && clause === NONE) {
    const all = tree.child(node, 'namespace_export');
    const name = all === NONE ? '*' : tree.textOf(tree.child(all, 'identifier'));
    extraction.addImport(name, '*', unquoted(tree, source), node);
  }
  if (clause === NONE) {
    const value = tree.child(node, 'identifier');
    if (value !== NONE) extraction.exportName(tree.textOf(value));
    return;
  }
  for (const specifier of tree.children(clause)) {
    if (source === NONE) extraction.exportName(tree.textOf(tree.field(specifier, 'name')));
    else {
      addSpecifier(extraction, specifier, unquoted(tree, source));
      extraction.setRole(tree.field(specifier, 'name'), 'import');
    }
  }
}

/** `var` belongs to the function around it; `require` turns a variable into an import. */
export function readDeclaration(extraction: Extraction, node: number, role: Role): void {
  const { tree } = extraction;
  for (const declarator of tree.children(node)) {
    const name = tree.field(declarator, 'name');
    if (name === NONE) continue;
    const module = requiredModule(tree, tree.field(declarator, 'value'));
    if (module === undefined || extraction.scopeKind(node) !== 'file') extraction.setRole(name, role);
    else readRequire(extraction, name, module);
  }
}

function readRequire(extraction: Extraction, pattern: number, module: string): void {
  const { tree } = extraction;
  if (tree.type(pattern) === 'identifier') {
    extraction.addImport(tree.textOf(pattern), '*', module, pattern);
    extraction.setRole(pattern, 'import');
    return;
  }
  for (const part of tree.children(pattern)) {
    if (tree.type(part) === 'shorthand_property_identifier_pattern') {
      extraction.addImport(tree.textOf(part), tree.textOf(part), module, part);
      extraction.setRole(part, 'import');
    } else if (tree.type(part) === 'pair_pattern') {
      const [key, value] = [tree.field(part, 'key'), tree.field(part, 'value')];
      extraction.addImport(tree.textOf(value), tree.textOf(key), module, part);
      extraction.setRole(key, 'import');
      extraction.setRole(value, 'skip');
    }
  }
}

/** `module.exports = { a, b }` exports both. */
export function readAssignment(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  const left = tree.textOf(tree.field(node, 'left'));
  const right = tree.field(node, 'right');
  if (/^(?:module\.)?exports\.\w+$/.test(left)) extraction.exportName(tree.textOf(right));
  if (left !== 'module.exports') return;
  if (tree.type(right) === 'identifier') extraction.exportName(tree.textOf(right));
  for (const part of right === NONE ? [] : tree.children(right)) {
    if (tree.type(part) === 'shorthand_property_identifier') extraction.exportName(tree.textOf(part));
    else if (tree.type(part) === 'pair') extraction.exportName(tree.textOf(tree.field(part, 'value')));
  }
}

const PLAIN_KEY = /^['"`]([\p{L}_$][\p{L}\d_$]*)['"`]$/u;

/** `pool['size']` and `Pool['size']` use a member like `pool.size` does. */
export function readKey(extraction: Extraction, node: number): void {
  const { tree } = extraction;
  let key = tree.nextSibling(tree.firstChild(node));
  while (key !== NONE && tree.nextSibling(key) !== NONE) key = tree.nextSibling(key);
  const [, name] = key === NONE ? [] : (PLAIN_KEY.exec(tree.textOf(key)) ?? []);
  if (name === undefined) return;
  extraction.addUse(tree.start(key) + 1, name, tree.type(node) === 'lookup_type' ? 'type' : 'other', '');
}
