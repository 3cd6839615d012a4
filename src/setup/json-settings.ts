import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isObject } from '../contract/guards.ts';
import { insertProperty, valueText } from './json-insert.ts';
import { removeProperty } from './json-remove.ts';
import {
  applyEdits,
  type Entry,
  type EntryPath,
  placeOf,
  type SettingsFormat,
  UnusableSettings,
} from './settings-format.ts';

/** JSON settings; `comments` allows comments and trailing commas, as the client that reads them does. */
export function jsonSettings({ comments }: { readonly comments: boolean }): SettingsFormat {
  const tree = (text: string): Node => {
    const errors: ParseError[] = [];
    const root = parseTree(text.trim() === '' ? '{}' : text, errors, {
      allowTrailingComma: comments,
      disallowComments: !comments,
    });
    const [first] = errors;
    if (first !== undefined || root === undefined) {
      const what = first === undefined ? 'it is empty' : words(printParseErrorCode(first.error));
      throw new UnusableSettings(`it is not valid JSON (${what} at ${placeOf(text, first?.offset ?? 0)})`);
    }
    if (root.type !== 'object') throw new UnusableSettings('it is not a JSON object');
    return root;
  };
  return {
    parse(text) {
      const value: unknown = getNodeValue(tree(text));
      return isObject(value) ? value : {};
    },
    set(text, [container = '', name = ''], entry) {
      const whole = text.trim() === '' ? '{}\n' : text;
      const root = tree(whole);
      const holder = property(root, container);
      if (holder === undefined)
        return applyEdits(whole, insertProperty(whole, root, container, { [name]: entry }));
      if (holder.type !== 'object') throw new UnusableSettings(`"${container}" is not an object`);
      const own = property(holder, name);
      if (own === undefined) return applyEdits(whole, insertProperty(whole, holder, name, entry));
      if (own.type !== 'object') throw new UnusableSettings(`"${container}.${name}" is not an object`);
      return updateEntry(whole, (current) => followed(tree(current), [container, name]), entry);
    },
    remove(text, path) {
      if (text.trim() === '') return text;
      const [container = ''] = path;
      const name = path.at(-1) ?? '';
      const holder = at(tree(text), path.slice(0, -1));
      if (holder === undefined || property(holder, name) === undefined) return text;
      const without = applyEdits(text, removeProperty(text, holder, name));
      // An empty list of servers can go, unless there are comments in it. A deeper one belongs to the client.
      const root = tree(without);
      const left = property(root, container);
      if (path.length > 2 || left === undefined || left.children?.length || inside(without, left) !== '')
        return without;
      const bare = applyEdits(without, removeProperty(without, root, container));
      const rest = tree(bare);
      return inside(bare, rest) === ''
        ? applyEdits(bare, [{ offset: rest.offset, length: rest.length, text: '{}' }])
        : bare;
    },
  };
}

/** Applies edits one by one, each to the tree of the text so far. */
function updateEntry(text: string, find: (text: string) => Node, entry: Entry): string {
  let current = text;
  for (const [key, value] of Object.entries(entry)) {
    const node = find(current);
    const old = property(node, key);
    if (old === undefined) current = applyEdits(current, insertProperty(current, node, key, value));
    else if (!isDeepStrictEqual(getNodeValue(old), value))
      current = applyEdits(current, [{ offset: old.offset, length: old.length, text: valueText(value) }]);
  }
  return current;
}

function at(root: Node, path: EntryPath): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => node && property(node, key), root);
}

function followed(root: Node, path: EntryPath): Node {
  const found = at(root, path);
  if (found === undefined) throw new UnusableSettings('it could not be edited');
  return found;
}

function property(object: Node, key: string): Node | undefined {
  return object.children?.find((child) => child.children?.[0]?.value === key)?.children?.[1];
}

function inside(text: string, object: Node): string {
  return text.slice(object.offset + 1, object.offset + object.length - 1).trim();
}

/** `PropertyNameExpected` as `property name expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
