import { printable } from '../../contract/bytes.ts';

/** A line of code as text: tabs stay, because escaped they would take more room and say less. */
export function codeLine(line: string): string {
  return printable(line).replaceAll('\n', '\\n');
}

/** The same lines without the indentation that all of them have. */
export function withoutSharedIndent(lines: readonly string[]): string[] {
  let shared: string | undefined;
  for (const line of lines) {
    if (line.trim() === '') continue;
    const indent = line.slice(0, line.length - line.trimStart().length);
    shared = shared === undefined ? indent : commonStart(shared, indent);
  }
  const { length } = shared ?? '';
  return lines.map((line) => line.slice(length));
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}
