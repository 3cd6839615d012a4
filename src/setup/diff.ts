const CONTEXT_LINES = 2;

/** The changed lines with a few around them, marked with `+`, `-` or spaces; empty if nothing changed. */
export function lineDiff(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const old = linesOf(before);
  const fresh = linesOf(after);
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head++;
  let tail = 0;
  while (
    tail < Math.min(old.length, fresh.length) - head &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  )
    tail++;
  return [
    ...old.slice(Math.max(0, head - CONTEXT_LINES), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+ ${line}`),
    ...old.slice(old.length - tail, old.length - tail + CONTEXT_LINES).map((line) => `  ${line}`),
  ];
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
