/**
 * Smart case as in ripgrep: ignore case if the pattern has letters of its own and none is upper
 * case. Letters of escapes such as `\W` are not the pattern's own.
 */
export function smartCase(pattern: string, fixed: boolean): boolean {
  const own = fixed
    ? pattern
    : pattern.replace(/\\(?:[pP](?:\{[^}]*\}|.)|[xuU]\{[^}]*\}|b\{[^}]*\}|.)/gu, '\\');
  const text = fixed ? own : own.replace(/\(\?P?<[^>]*>|\(\?[a-zA-Z-]*[:)]|\[:\^?\w+:\]|\{[\d, ]*\}/g, '');
  return /[^\\.+*?()|[\]{}^$]/u.test(text) && !/\p{Lu}/u.test(text);
}
