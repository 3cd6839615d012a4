/**
 * Whether a text block shows what was printed. In the block, `…` stands for anything within a line, and a
 * line with only `…` for any number of lines. Spaces at the end of a line do not count.
 */
export function shows(block: string, printed: string): boolean {
  const lines = tidy(block).map((line) =>
    line.trim() === '…' ? '(?:.*\\n)*' : `${line.split('…').map(escaped).join('.*')}\\n`,
  );
  return new RegExp(`^${lines.join('')}$`).test(`${tidy(printed).join('\n')}\n`);
}

function tidy(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
