import { cutText, toJson } from './bytes.ts';

type Json = unknown;
type Holder = Record<string, Json> | Json[];
interface Leaf {
  readonly holder: Holder;
  readonly key: string;
  readonly size: number;
}

/** Strings are not cut below this; after that lists and then fields go. */
const MIN_CUT_CHARACTERS = 48;

/**
 * A copy of `value` that satisfies `fits`: longest strings are cut first, then lists lose their ends, then the
 * largest fields go. Always ends, at worst with an empty object.
 */
export function shrink<T>(value: T, overBy: (candidate: T) => number): T {
  const copy: T = structuredClone(value);
  for (let over = overBy(copy); over > 0; over = overBy(copy)) {
    if (!isHolder(copy) || !(cutLongestString(copy, over) || cutLongestList(copy) || dropLargestField(copy)))
      break;
  }
  return copy;
}

function cutLongestString(root: Holder, over: number): boolean {
  const leaf = largest(root, (value) => (typeof value === 'string' ? value.length : 0));
  if (leaf === undefined || leaf.size <= MIN_CUT_CHARACTERS) return false;
  const text = String(get(leaf));
  const size = Buffer.byteLength(text);
  // Escapes make a string longer in JSON than in bytes; a few rounds get there.
  set(leaf, cutText(text, Math.max(MIN_CUT_CHARACTERS, Math.min(size - 1, size - over))));
  return String(get(leaf)).length < text.length;
}

function cutLongestList(root: Holder): boolean {
  const leaf = largest(root, (value) =>
    Array.isArray(value) && value.length > 0 ? toJson(value).length : 0,
  );
  const list = leaf && get(leaf);
  if (leaf === undefined || !Array.isArray(list)) return false;
  set(leaf, list.slice(0, Math.floor(list.length / 2)));
  return true;
}

function dropLargestField(root: Holder): boolean {
  const leaf = largest(root, (value) => toJson(value).length);
  if (leaf === undefined) return false;
  if (Array.isArray(leaf.holder)) leaf.holder.splice(Number(leaf.key), 1);
  else delete leaf.holder[leaf.key];
  return true;
}

function largest(root: Holder, sizeOf: (value: Json) => number): Leaf | undefined {
  let best: Leaf | undefined;
  const visit = (holder: Holder) => {
    for (const [key, value] of Object.entries(holder)) {
      const size = sizeOf(value);
      if (size > (best?.size ?? 0)) best = { holder, key, size };
      if (isHolder(value)) visit(value);
    }
  };
  visit(root);
  return best;
}

function isHolder(value: Json): value is Holder {
  return typeof value === 'object' && value !== null;
}

function get({ holder, key }: Leaf): Json {
  return Array.isArray(holder) ? holder[Number(key)] : holder[key];
}

function set({ holder, key }: Leaf, value: Json): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}
