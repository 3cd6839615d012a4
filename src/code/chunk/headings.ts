import type { Declaration } from './chunk.ts';

const ATX = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const UNDERLINE = /^([=\-~^"*+#])\1{2,}\s*$/;
const FENCE = /^\s*(?:```|~~~)/;
const MAX_NAME_LENGTH = 80;

/** Headings of Markdown and reStructuredText; a section continues to the next heading of its level or above. */
export function headings(lines: readonly string[]): Declaration[] {
  const marks = headingLines(lines);
  return marks.map(({ line, name, depth }, at) => {
    const next = marks.find((other, place) => place > at && other.depth <= depth);
    return {
      name: name.slice(0, MAX_NAME_LENGTH),
      kind: 'section',
      line,
      from: line,
      to: next?.line ?? lines.length,
      level: depth,
    };
  });
}

interface Heading {
  readonly line: number;
  readonly name: string;
  readonly depth: number;
}

function headingLines(lines: readonly string[]): Heading[] {
  const found: Heading[] = [];
  const underlines: string[] = [];
  let fenced = false;
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) fenced = !fenced;
    if (fenced) continue;
    const atx = ATX.exec(line);
    if (atx !== null) {
      found.push({ line: at, name: atx[2] ?? '', depth: (atx[1] ?? '').length - 1 });
      continue;
    }
    const title = lines[at + 1] === undefined ? null : UNDERLINE.exec(lines[at + 1] ?? '');
    if (title === null || !/\w/.test(line) || line.startsWith(' ')) continue;
    const mark = title[1] ?? '';
    if (!underlines.includes(mark)) underlines.push(mark);
    found.push({ line: at, name: line.trim(), depth: underlines.indexOf(mark) });
  }
  return found;
}
