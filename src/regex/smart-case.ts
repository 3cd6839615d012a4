/**
 * Smart case as in ripgrep: ignore case if the pattern has letters of its own and none is upper
 * case. The letter of an escape such as `\W` is not the pattern's own; a character that is written
 * as a number, such as `\x{e4}`, is.
 */
export function smartCase(pattern: string, fixed: boolean): boolean {
  const text = fixed ? pattern : ownText(pattern);
  return /[^\\.+*?()|[\]{}^$]/u.test(text) && !/\p{Lu}/u.test(text);
}

const ESCAPES =
  /\\(?:[xuU]\{(?<braced>[0-9a-fA-F]+)\}|x(?<two>[0-9a-fA-F]{2})|u(?<four>[0-9a-fA-F]{4})|U(?<eight>[0-9a-fA-F]{8})|[pP](?:\{[^}]*\}|.)|b\{[^}]*\}|.)/gu;

function ownText(pattern: string): string {
  return pattern
    .replace(ESCAPES, (...match) => {
      const { braced, two, four, eight }: Readonly<Record<string, string | undefined>> = match.at(-1);
      const code = Number.parseInt(braced ?? two ?? four ?? eight ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : '\\';
    })
    .replace(/\(\?P?<[^>]*>|\(\?[a-zA-Z-]*[:)]|\[:\^?\w+:\]|\{[\d, ]*\}/g, '');
}
