import { lineBreak } from './settings-format.ts';

/** The next offset after spaces and comments. */
export function afterTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    if (/\s/.test(text[at] ?? '')) at++;
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at);
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at);
    else return at;
  }
}

/** The offset after the comments on the rest of this line; the same offset if there are none. */
export function endOfLineComment(text: string, offset: number): number {
  let end = offset;
  let at = offset;
  for (;;) {
    if (text[at] === ' ' || text[at] === '\t') at++;
    else if (text.startsWith('//', at)) return lineBreak(text, at);
    else if (text.startsWith('/*', at)) {
      const close = endOf(text, '*/', at);
      if (text.slice(at, close).includes('\n')) return end;
      at = close;
      end = at;
    } else return end;
  }
}

function endOf(text: string, mark: string, offset: number): number {
  const at = text.indexOf(mark, offset + 2);
  return at < 0 ? text.length : at + mark.length;
}
