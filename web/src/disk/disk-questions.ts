import { addressOf } from '../data/request.ts';
import type { Place } from '../frame/router.ts';
import { filterOf } from './filter-words.ts';
import type { FolderScope } from './types.ts';

export const TABS = [
  ['map', 'Map'],
  ['largest', 'Largest'],
  ['types', 'Types'],
  ['age', 'Age'],
  ['duplicates', 'Duplicates'],
  ['growth', 'Growth'],
  ['again', 'Can be made again'],
] as const;
export type Tab = (typeof TABS)[number][0];

/** The root of every index. */
export const ROOT_NODE = 'n1';

export function tabOf({ query }: Place): Tab {
  return TABS.find(([id]) => id === query.get('tab'))?.[0] ?? 'map';
}

/** What a tab asks about; an address without a node means the root of its index. */
type Asked = Pick<FolderScope, 'index' | 'node' | 'filter'>;

export const treemapInput = ({ index, node, filter }: Asked) => ({ index_id: index, under: node, filter });

export const entriesInput = ({ index, node, filter }: Asked) => ({
  index_id: index,
  parent: node,
  filter,
  limit: 500,
});

export const ORDERS = [
  ['disk_size', 'Largest'],
  ['age', 'Oldest'],
] as const;

export function largestInput({ index, node, filter }: Asked, { query }: Place) {
  const by = ORDERS.find(([id]) => id === query.get('order'))?.[0] ?? 'disk_size';
  return { index_id: index, under: node, filter, by, limit: 200 };
}

export const typesInput = ({ index, node, filter }: Asked) => ({
  index_id: index,
  under: node,
  filter,
  limit: 200,
});

export const AGES = [
  ['', 'Any age'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', 'A year'],
] as const;

export function untouchedFor({ query }: Place): (typeof AGES)[number][0] {
  return AGES.find(([id]) => id === query.get('untouched'))?.[0] ?? '';
}

export function madeAgainInput({ index, node, filter }: Asked, place: Place) {
  const untouched = untouchedFor(place);
  const tests = [
    { regenerable: true },
    ...(untouched === '' ? [] : [{ modified: `>${untouched}` }]),
    ...(filter === undefined ? [] : [filter]),
  ];
  return { index_id: index, under: node, filter: { all: tests }, limit: 1000 };
}

/** What the open tab of an index asks for. */
export function tabQuestions(index: string, node: string | undefined, place: Place): readonly string[] {
  const asked = { index, node, filter: filterOf(place.query.get('f') ?? '') };
  switch (tabOf(place)) {
    case 'map':
      return [addressOf('disk_treemap', treemapInput(asked)), addressOf('disk_tree', entriesInput(asked))];
    case 'largest':
      return [addressOf('disk_largest', largestInput(asked, place))];
    case 'types':
      return [addressOf('disk_extensions', typesInput(asked))];
    case 'age':
      return [addressOf('disk_ages', treemapInput(asked))];
    case 'again':
      return [addressOf('disk_find', madeAgainInput(asked, place))];
    default:
      return [];
  }
}
