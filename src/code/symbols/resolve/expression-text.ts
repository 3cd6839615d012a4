import { closing, quoteEnd, splitType } from './type-text.ts';

/* How expressions of TypeScript are put together, as far as following them needs it. */

/** `a` and `b : c` of `a ? b : c`; undefined for other expressions. */
export function conditional(
  expression: string,
): { readonly condition: string; readonly branches: string } | undefined {
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at] ?? '';
    if (character === "'" || character === '"' || character === '`') at = quoteEnd(expression, at);
    else if ('([{'.includes(character)) at = closing(expression, at);
    else if (expression.startsWith('=>', at)) return undefined;
    else if (expression.startsWith('??', at) || expression.startsWith('?.', at)) at++;
    else if (character === '?')
      return { condition: expression.slice(0, at).trim(), branches: expression.slice(at + 1) };
  }
  return undefined;
}

/** `a.b` of `Object.assign(a, c).b`, and the same for other functions that give back their first argument. */
export function unwrapped(expression: string): string {
  const lead = /^Object\.(?:assign|freeze|seal)\(/.exec(expression)?.[0];
  if (lead === undefined) return expression;
  const end = closing(expression, lead.length - 1);
  const [first = ''] = splitType(expression.slice(lead.length, end), ',');
  return `(${first})${expression.slice(end + 1)}`;
}

/** The type that a cast at its end gives an expression: `B` of `a as unknown as B`; undefined without such a cast. */
export function castOf(expression: string): string | undefined {
  if (!/\s(?:as|satisfies)\s/.test(expression)) return undefined;
  let from = -1;
  for (let at = 0; at < expression.length; at++) {
    const character = expression[at] ?? '';
    if (character === "'" || character === '"' || character === '`') at = quoteEnd(expression, at);
    else if ('([{'.includes(character)) at = closing(expression, at);
    // After these the cast applies only to a part.
    else if (/[?|&=+]/.test(character) && from === -1) return undefined;
    else if (/\s/.test(character)) {
      const word = /^\s+(?:as|satisfies)\s+(?!const\b)/.exec(expression.slice(at, at + 200))?.[0];
      if (word !== undefined) {
        from = at + word.length;
        at = from - 1;
      }
    }
  }
  return from === -1 ? undefined : expression.slice(from);
}
