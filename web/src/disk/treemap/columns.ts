import { shownText } from '../../ui/shown-text.ts';
import type { TreemapData } from '../types.ts';

/** This kind and those below it are the small entries of a folder, taken together. */
export const REST = -2;

/** A tree as columns; the children of a node are next to each other, largest first. */
export interface TreeColumns {
  readonly count: number;
  readonly parents: Int32Array;
  readonly sizes: Float64Array;
  /**
   * -1 for a folder, otherwise the extension's number. The small entries of a folder taken together are -2, or
   * -3 - n if most of them have the extension n.
   */
  readonly kinds: Int16Array;
  readonly times: Float64Array;
  /** The position of the first child, and the number of children. */
  readonly firstChild: Int32Array;
  readonly childCount: Int32Array;
  readonly name: (at: number) => string;
}

/** Turns an answer into columns. */
export function toColumns(data: TreemapData): TreeColumns {
  return withChildren({
    count: data.ids.length,
    parents: Int32Array.from(data.parents),
    sizes: Float64Array.from(data.sizes),
    kinds: Int16Array.from(data.kinds),
    times: Float64Array.from(data.times),
    name: (at) => shownText(data.names[at] ?? ''),
  });
}

/** Finds the children of each node. */
export function withChildren(columns: Omit<TreeColumns, 'firstChild' | 'childCount'>): TreeColumns {
  const { count, parents } = columns;
  const firstChild = new Int32Array(count).fill(-1);
  const childCount = new Int32Array(count);
  for (let at = 1; at < count; at++) {
    const parent = parents[at] ?? 0;
    if (firstChild[parent] === -1) firstChild[parent] = at;
    childCount[parent] = (childCount[parent] ?? 0) + 1;
  }
  return { ...columns, firstChild, childCount };
}
