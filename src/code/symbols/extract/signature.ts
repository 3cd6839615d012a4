import { type FlatTree, NONE } from './flat-tree.ts';
import type { DefinitionRule } from './language-rules.ts';

const MAX_SIGNATURE_LENGTH = 200;
const DEFAULT_BODY: readonly string[] = ['body'];
/** A head may be long; more than this is never shown. */
const MAX_HEAD_LENGTH = 1000;
/** The value of a constant says more than its type; a longer one is left out. */
const MAX_VALUE_LENGTH = 60;
/** Annotations stand among the modifiers. */
const ANNOTATIONS = /^(?:@(?!interface\b)[\w.]+(?:\((?:[^()"]|"[^"]*")*\))? )+/;
const VALUE_FIELDS: readonly string[] = ['value', 'right'];

/** The head of a definition on one line, without its body; `whole` is the node of all its lines. */
export function signatureOf(
  tree: FlatTree,
  node: number,
  rule: DefinitionRule,
  name: number,
  whole: number,
): string {
  const shared = tree.lineAt(tree.start(whole)) !== tree.lineAt(tree.start(name)) && whole !== node;
  const start = headStart(tree, shared ? node : whole, name);
  const body =
    typeof rule.body === 'function'
      ? rule.body(tree, node)
      : bodyOf(tree, tree.isLeaf(node) ? whole : node, rule.body, name);
  const end = Math.max(
    Math.min(body === NONE ? tree.end(whole) : tree.start(body), start + MAX_HEAD_LENGTH),
    isInside(tree, node, name) ? tree.end(name) : start,
  );
  const head = tree.text.slice(start, end).replace(/\s+/g, ' ').trim().replace(ANNOTATIONS, '');
  return shorten(head.replace(/\s*(?:[{=:;,]|=>|:=)$/, ''));
}

function bodyOf(tree: FlatTree, node: number, parts: readonly string[] = DEFAULT_BODY, name: number): number {
  for (let child = tree.firstChild(node); child !== NONE; child = tree.nextSibling(child)) {
    if (isInside(tree, node, name) && tree.start(child) < tree.end(name)) continue;
    const field = tree.fieldName(child);
    if (!parts.includes(field) && !parts.includes(tree.type(child))) continue;
    if (VALUE_FIELDS.includes(field) && isShort(tree.textOf(child))) continue;
    return child;
  }
  return NONE;
}

/** A keyword as the name has no node, and the whole definition is given instead. */
function isInside(tree: FlatTree, node: number, name: number): boolean {
  return name !== node || tree.isLeaf(node);
}

function isShort(text: string): boolean {
  return text.length <= MAX_VALUE_LENGTH && !text.includes('\n');
}

/** Decorators, attributes and comments before the name are not part of the head. */
function headStart(tree: FlatTree, node: number, name: number): number {
  let start = tree.start(node);
  for (let child = tree.firstChild(node); child !== NONE; child = tree.nextSibling(child)) {
    if (tree.start(child) >= tree.start(name)) break;
    if (!/decorator|attribute_|annotation|comment/.test(tree.type(child))) break;
    start = nextWord(tree.text, tree.end(child));
  }
  return start;
}

function nextWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at++;
  return at;
}

function shorten(text: string): string {
  return text.length <= MAX_SIGNATURE_LENGTH ? text : `${text.slice(0, MAX_SIGNATURE_LENGTH - 1)}…`;
}
