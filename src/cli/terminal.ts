import type { Terminal } from '../contract/caller.ts';
import { showsColours } from './colours.ts';

const DEFAULT_COLUMNS = 80;
/** Longer lines are hard to read even where there is room. */
const MAX_COLUMNS = 120;

/** The terminal behind stdout, or undefined if stdout is a pipe or a file. */
export function terminal(stream: NodeJS.WriteStream = process.stdout): Terminal | undefined {
  if (stream.isTTY !== true) return undefined;
  return {
    columns: stream.columns || DEFAULT_COLUMNS,
    unicode: showsUnicode(),
    colours: showsColours(stream),
  };
}

/** How wide help may be: as the terminal, but readable; in a pipe as most terminals are. */
export function textWidth(): number {
  return Math.min(terminal()?.columns ?? DEFAULT_COLUMNS, MAX_COLUMNS);
}

/** Whether the locale has a character set with block characters; the first variable that is set decides. */
export function showsUnicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  const locale = LC_ALL || LC_CTYPE || LANG;
  return locale === undefined || !/^(?:C|POSIX)$/.test(locale);
}

/** Text in lines of at most `width` characters; words that are longer have their own. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const MAX_FIRST_COLUMN = 34;
const MIN_SECOND_COLUMN = 28;

/** Two columns, the second wrapped; a first cell that is too wide has its own line. */
export function twoColumns(rows: readonly (readonly [string, string])[], width = textWidth()): string {
  const most = Math.max(10, Math.min(MAX_FIRST_COLUMN, width - MIN_SECOND_COLUMN));
  const first = Math.min(most, Math.max(0, ...rows.map(([cell]) => cell.length)));
  const indent = ' '.repeat(first + 2);
  return rows
    .flatMap(([cell, text]) => {
      const lines = wrapped(text, Math.max(MIN_SECOND_COLUMN, width - indent.length));
      const own = cell.length > first;
      return [
        ...(own ? [cell] : []),
        ...lines.map((line, i) => (i === 0 && !own ? cell.padEnd(first + 2) : indent) + line),
      ];
    })
    .map((line) => line.trimEnd())
    .join('\n');
}
