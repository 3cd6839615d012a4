/**
 * The addresses of the page, for the operations that link to it and for the page itself. This file imports nothing, so
 * that both sides can use it.
 */

export type LinkQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path with a query; undefined, false and empty values are left out. */
export function link(path: string, query: LinkQuery = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '' && value !== false) parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}?${text}`;
}

const below = (path: string, ...ids: readonly string[]) =>
  [path, ...ids.map((id) => encodeURIComponent(id))].join('/');

/**
 * Every place on the page that something links to.
 *
 * @example pageLinks.session('5e55a001', { turn: 2 }) // '/sessions/5e55a001?turn=2'
 */
export const pageLinks = {
  home: '/',
  cockpit: '/cockpit',
  activity: (query?: LinkQuery) => link('/activity', query),
  job: (id: string) => below('/activity', id),
  code: (query?: LinkQuery) => link('/code', query),
  disk: '/disk',
  /** A folder or file by its path, whether it is indexed or not. */
  path: (path: string, query?: LinkQuery) => link('/disk', { path, ...query }),
  index: (index: string, query?: LinkQuery) => link(below('/disk', index), query),
  node: (index: string, node: string, query?: LinkQuery) => link(below('/disk', index, node), query),
  selection: (id: string) => below('/disk/selections', id),
  query: (id: string) => below('/disk/queries', id),
  plan: (id: string) => below('/disk/plans', id),
  sql: (query?: string) => link('/sql', { q: query }),
  settings: '/settings',
  sessions: (query?: LinkQuery) => link('/sessions', query),
  session: (id: string, query?: LinkQuery) => link(below('/sessions', id), query),
  sessionSearch: (query?: LinkQuery) => link('/sessions/search', query),
  fileHistory: (path?: string) => link('/sessions/files', { path }),
  usage: '/sessions/usage',
  /** Without a second session, one can be chosen. */
  comparison: (a: string, b?: string) => link('/sessions/compare', { a, b }),
} as const;

/** A longer query would take too much of the answer that the link comes with. */
const MAX_QUERY_LENGTH = 200;

/** The link without its query when that is long: for answers, which have a budget. */
export function shortLink(address: string): string {
  const [path = '', query = ''] = address.split('?');
  return query.length > MAX_QUERY_LENGTH ? path : address;
}
