import { eachTerm } from './terms.ts';

/** The terms in a line that were asked for. */
export function termsInLine(line: string, asked: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  eachTerm(line, (term) => {
    if (asked.has(term)) found.add(term);
  });
  return found;
}
