import { type FlatTree, NONE } from './flat-tree.ts';
import type { DefinitionRule } from './language-rules.ts';

const DECLARES = /(?:declaration|definition|spec|statement|assignment|declarator|element|parameter)$/;
const PART = /^(?:pointer|array|function|parenthesized|init|attributed|reference)_declarator$/;
const PATTERN = /(?:pattern|list|tuple|declarator)$/;

/** The declaration or statement around a name that declares by itself. */
export function declaring(tree: FlatTree, node: number): number {
  for (let around = tree.parent(node); around !== NONE; around = tree.parent(around)) {
    const type = tree.type(around);
    if (DECLARES.test(type) && !PART.test(type)) return around;
    if (!PATTERN.test(type)) break;
  }
  return node;
}

export const ENUMERATOR: DefinitionRule = { kind: 'constant' };
export const FIELD: DefinitionRule = { kind: 'field', whole: declaring, body: ['value', 'default_value'] };
export const TYPE_NAME: DefinitionRule = { kind: 'type', whole: declaring };
/** A variable of a file or class that comes from a pattern. */
export const VARIABLE: DefinitionRule = {
  kind: (tree, node) =>
    /^const/.test(tree.type(declaring(tree, node))) || tree.type(node) === 'constant'
      ? 'constant'
      : 'variable',
  variable: true,
  whole: declaring,
  body: ['value', 'right'],
  prototype: (tree, node) => tree.text.startsWith('extern ', tree.start(declaring(tree, node))),
};
