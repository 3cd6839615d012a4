/* How types and expressions of TypeScript are written: enough of it to follow `a.b().c` without a compiler. */

const OPENS = '([{<';
const [QUOTE, DOUBLE_QUOTE, BACKTICK] = [0x27, 0x22, 0x60] as const;
const [LESS, EQUALS, GREATER] = [0x3c, 0x3d, 0x3e] as const;
const [ROUND, SQUARE, CURLY] = [0x28, 0x5b, 0x7b] as const;
const [ROUND_END, SQUARE_END, CURLY_END] = [0x29, 0x5d, 0x7d] as const;

/** Where the bracket that opens at `at` closes; the end of the text if it does not. Arrows close nothing. */
export function closing(text: string, at: number): number {
  // A stack of what is open; whether the innermost is `<` decides what `>` means.
  const open: number[] = [];
  for (let index = at; index < text.length; index++) {
    const code = text.charCodeAt(index);
    switch (code) {
      case QUOTE:
      case DOUBLE_QUOTE:
      case BACKTICK:
        index = quoteEnd(text, index);
        break;
      case LESS:
        if (index === at || isGeneric(text, index)) open.push(code);
        break;
      case ROUND:
      case SQUARE:
      case CURLY:
        open.push(code);
        continue;
      case GREATER:
        if (text.charCodeAt(index - 1) !== EQUALS && open.at(-1) === LESS) open.pop();
        break;
      case ROUND_END:
      case SQUARE_END:
      case CURLY_END:
        // The supposed type arguments were a comparison.
        while (open.at(-1) === LESS && open.length > 1) open.pop();
        open.pop();
        break;
      default:
        continue;
    }
    if (open.length === 0) return index;
  }
  return text.length;
}

/** Whether `<` at a place opens type arguments; long ones begin on the next line. */
function isGeneric(text: string, at: number): boolean {
  return /[\w$]/.test(text[at - 1] ?? '') && !/[ =<]/.test(text[at + 1] ?? ' ');
}

/** Where the string that opens at a place ends. */
export function quoteEnd(text: string, at: number): number {
  const quote = text[at];
  for (let index = at + 1; index < text.length; index++) {
    if (text[index] === '\\') index++;
    else if (text[index] === quote) return index;
    else if (text[index] === '\n' && quote !== '`') return index;
  }
  return text.length;
}

/** Where the bracket around a place opens, looking back; -1 if there is none. */
export function opening(text: string, at: number, least: number): number {
  let depth = 0;
  for (let index = at - 1; index >= least; index--) {
    const character = text[index] ?? '';
    if (character === ')' || character === ']' || character === '}') depth++;
    else if (character === '(' || character === '[' || character === '{') {
      if (depth === 0) return index;
      depth--;
    }
  }
  return -1;
}

/**
 * The start of the expression around a place, looking back to what takes its value: `=`, `=>`, `return`, a bracket, a
 * comma or the colon of a property; -1 if there is none. The branches of `a ? b : c` belong to the whole.
 */
export function expressionStart(text: string, at: number, least: number): number {
  /** Colons that belong to a property unless a `?` comes before them, innermost last. */
  const colons: number[] = [];
  for (let index = at - 1; index >= least; index--) {
    const character = text[index] ?? '';
    const before = text[index - 1] ?? '';
    const next = text[index + 1] ?? '';
    if (')]}'.includes(character)) {
      index = opening(text, index, least);
      if (index === -1) return -1;
    } else if ('([{,'.includes(character)) return (colons.at(-1) ?? index) + 1;
    else if (character === ';') return -1;
    else if (character === ':') colons.push(index);
    else if (character === '?' && next !== '.' && next !== '?' && before !== '?' && next !== ':')
      colons.pop();
    else if (character === '>' && before === '=') return index + 1;
    else if (character === '=' && next !== '=' && next !== '>' && !/[=!<>]/.test(before)) return index + 1;
    else if (
      character === 'n' &&
      !/[\w$]/.test(next) &&
      /(?:^|[^\w$.])return$/.test(text.slice(Math.max(0, index - 6), index + 1))
    )
      return index + 1;
  }
  return -1;
}

/** The type that is written from a place on, up to what ends it. */
export function typeAt(text: string, from: number): string {
  let at = skipSpace(text, from);
  const start = at;
  let afterWord = false;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === "'" || character === '"' || character === '`') at = quoteEnd(text, at);
    else if (character === '=' && text[at + 1] === '>') {
      at = skipSpace(text, at + 2);
      afterWord = false;
      continue;
    } else if (';,)]}='.includes(character)) break;
    else if (character === '{' && afterWord) break;
    else if (OPENS.includes(character)) at = closing(text, at);
    else if (character === '\n' && afterWord && !/^(?:[|&?:]|=>|extends\b)/.test(startsNext(text, at))) break;
    if (!/\s/.test(character)) afterWord = !'|&?:'.includes(character);
    at++;
  }
  return text.slice(start, at).trim();
}

/** The expression that is written from a place on. */
export function expressionAt(text: string, from: number): string {
  const start = skipSpace(text, from);
  // The type parameters of an arrow function.
  let at = text[start] === '<' ? closing(text, start) : start;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (character === "'" || character === '"' || character === '`') at = quoteEnd(text, at);
    else if ('([{'.includes(character)) at = closing(text, at);
    else if (character === '<' && /[\w$]/.test(text[at - 1] ?? '')) at = typeArgumentsEnd(text, at);
    else if (';,)]}'.includes(character)) break;
    else if (character === '\n' && !/^(?:[.?:|&+]|=>)/.test(startsNext(text, at)) && at > start) break;
    at++;
  }
  return text.slice(start, at).trim();
}

/** Where the type arguments of a call end; the same place if `<` only compares. */
function typeArgumentsEnd(text: string, at: number): number {
  const end = closing(text, at);
  return text[end] === '>' && text[end + 1] === '(' ? end : at;
}

/** The beginning of the next line that is not empty. */
function startsNext(text: string, at: number): string {
  const next = skipSpace(text, at);
  return text.slice(next, next + 8);
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}

/** The expression before the dot at or before a place: `this.#pool` in `this.#pool.acquire`; '' if there is none. */
export function receiverBefore(text: string, memberAt: number): string {
  let at = skipSpaceBack(text, memberAt);
  if (text[at - 1] !== '.' || text[at - 2] === '.') return '';
  at--;
  if (text[at - 1] === '?' || text[at - 1] === '!') at--;
  return expressionBefore(text, at);
}

/** The expression that ends at a place. */
export function expressionBefore(text: string, end: number): string {
  let at = end;
  for (;;) {
    at = skipSpaceBack(text, at);
    if (text[at - 1] === '!') at--;
    const last = text[at - 1] ?? '';
    if (last === ')' || last === ']') {
      const open = opening(text, at - 1, Math.max(0, at - 4000));
      if (open === -1) return '';
      at = open;
      if (text[at - 1] === '>') at = angleBack(text, at - 1);
      if (/[\w$)\]!]/.test(text[at - 1] ?? '')) continue;
    } else {
      if (last === '>' && at === end) at = angleBack(text, at - 1);
      const word = /[\w$#]+$/.exec(text.slice(Math.max(0, at - 80), at))?.[0] ?? '';
      if (word === '') return '';
      at -= word.length;
    }
    const before = skipSpaceBack(text, at);
    if (text[before - 1] === '.' && text[before - 2] !== '.') {
      at = before - 1;
      if (text[at - 1] === '?' || text[at - 1] === '!') at--;
      continue;
    }
    const made = /\bnew\s+$/.exec(text.slice(Math.max(0, at - 12), at));
    return text.slice(at - (made?.[0].length ?? 0), end).trim();
  }
}

function angleBack(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index > Math.max(0, at - 300); index--) {
    if (text[index] === '>') depth++;
    else if (text[index] === '<' && --depth === 0) return index;
  }
  return at + 1;
}

export function skipSpaceBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}

/** Shorter texts are split faster than looked up. */
const SHORTEST_KEPT = 24;
const MAX_KEPT = 4_000;
/** The parts of long types, by what separates them: one question meets the same types again and again. */
const kept = new Map<string, Map<string, readonly string[]>>();

/** Forgets the parts of types, whose texts belong to files. */
export function forgetParts(): void {
  kept.clear();
}

/** The parts of a type at its outermost level: `A | B<C>` has two. */
export function splitType(text: string, by: string): readonly string[] {
  if (text.length < SHORTEST_KEPT) return split(text, by);
  const known = kept.get(by) ?? new Map<string, readonly string[]>();
  if (known.size >= MAX_KEPT) known.clear();
  kept.set(by, known);
  let parts = known.get(text);
  if (parts === undefined) {
    parts = split(text, by);
    known.set(text, parts);
  }
  return parts;
}

function split(text: string, by: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === "'" || character === '"') at = quoteEnd(text, at);
    else if (OPENS.includes(character)) at = closing(text, at);
    else if (by.includes(character) && text[at + 1] !== '>') {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts.filter((part) => part !== '');
}
