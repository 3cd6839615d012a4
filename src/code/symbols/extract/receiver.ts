import type { CompiledRules } from './compiled-rules.ts';
import { type FlatTree, NONE } from './flat-tree.ts';

const MAX_RECEIVER_LENGTH = 80;
/** `Vec<T>` before `::new`, and Haskell modules. */
const GENERIC = /^(?:generic_type|generic_name|template_type|generic_type_with_turbofish|module)$/;
/** `!a` before `.f()`, if a grammar binds the operator first, as Kotlin's does. */
const SIGNED = 'unary_expression';

/** What comes before the dot, if it is one name; undefined if nothing does. */
export function receiverOf(
  tree: FlatTree,
  { members, nodes }: CompiledRules,
  member: number,
): string | undefined {
  const fields = members[tree.typeId(member)];
  if (fields === undefined) return undefined;
  for (let each = tree.firstChild(member); each !== NONE; each = tree.nextSibling(each)) {
    if (tree.fieldId(each) !== fields[0]) continue;
    const child = tree.type(each) === SIGNED ? tree.firstChild(each) : each;
    const isName = tree.isLeaf(child) || nodes[tree.typeId(child)]?.identifier !== undefined;
    const name = isName ? child : GENERIC.test(tree.type(child)) ? tree.firstChild(child) : NONE;
    if (name === NONE || tree.end(name) - tree.start(name) > MAX_RECEIVER_LENGTH) return '';
    return tree.textOf(name).replace(/^\$/, '');
  }
  return undefined;
}

/** What comes before the dot in text without syntax; undefined without a dot. */
export function receiverInText(tree: FlatTree, node: number): string | undefined {
  const start = tree.start(node);
  const before = tree.text.slice(Math.max(0, start - MAX_RECEIVER_LENGTH), start);
  return /(?:\.|::|->)\s*$/.test(before) ? (/(\w+)(?:\.|::|->)\s*$/.exec(before)?.[1] ?? '') : undefined;
}
