/** Words longer than this are not put into addresses: a link must not eat the answer it comes with. */
const MOST_CHARACTERS = 200;

/**
 * The address of a view of the page, with what was asked for in its query; without the query when that is long.
 *
 * @example searchView('/code', { q: 'retry', mode: 'regex' }) // '/code?q=retry&mode=regex'
 */
export function searchView(
  path: string,
  query: Readonly<Record<string, string | boolean | undefined>>,
): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false && value !== '') words.set(name, String(value));
  }
  const text = words.toString();
  return text === '' || text.length > MOST_CHARACTERS ? path : `${path}?${text}`;
}
