import { at } from '../../contract/at.ts';
import type { Declaration } from './chunk.ts';
import { declaredIn } from './declaration-line.ts';
import { type FlatDeclaration, nest } from './nest-declarations.ts';

const LEADING_LINE =
  /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:define|include|if|endif|else))|--|;|@|\[[A-Z]\w*|"""|'''|%)/;
const MAX_LEADING_LINES = 30;
const CLOSING_LINE = /^\s*(?:[)\]}>;,]|end\b|else\b|fi\b|done\b|esac\b)/;
const TAB_COLUMNS = 4;

/** Columns of whitespace before the text, or undefined for a blank line. */
function indentOf(line: string): number | undefined {
  let columns = 0;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at];
    if (letter === ' ') columns++;
    else if (letter === '\t') columns += TAB_COLUMNS;
    else return letter === '\r' ? undefined : columns;
  }
  return undefined;
}

/** The declarations of a text by the shape and indentation of its lines, for languages without a grammar. */
export function outline(lines: readonly string[], language: string | undefined): Declaration[] {
  const indents = lines.map(indentOf);
  const found: FlatDeclaration[] = [];
  for (const [at, line] of lines.entries()) {
    const indent = indents[at];
    const declared = indent === undefined ? undefined : declaredIn(line, language);
    if (indent === undefined || declared === undefined) continue;
    found.push({
      ...declared,
      line: at,
      from: leadStart(lines, at),
      to: blockEnd(lines, indents, at, indent),
    });
  }
  return nest(found);
}

/** The first of the comment and decorator lines right above a line. */
export function leadStart(lines: readonly string[], line: number): number {
  let from = line;
  while (from > 0 && line - from < MAX_LEADING_LINES && LEADING_LINE.test(at(lines, from - 1))) from--;
  return from;
}

/** One after the last line of the block that begins at `line`: everything deeper, and the line that closes it. */
function blockEnd(
  lines: readonly string[],
  indents: readonly (number | undefined)[],
  line: number,
  indent: number,
): number {
  let end = line + 1;
  for (let next = line + 1; next < lines.length; next++) {
    const own = indents[next];
    if (own === undefined) continue;
    if (own > indent || (own === indent && CLOSING_LINE.test(at(lines, next)))) end = next + 1;
    else if (!(own === indent && /^\s*\{/.test(at(lines, next)))) break;
    else end = next + 1;
  }
  return end;
}
