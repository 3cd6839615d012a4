import { bold, cyan, dim, green, magenta, red, yellow } from './colours.ts';
import type { CommandFacts } from './command-facts.ts';
import { terminal } from './terminal.ts';

type Rule = readonly [RegExp, (text: string) => string];

/** What is coloured in every answer: hints step back, ids of sessions can be found again. */
const COMMON: readonly Rule[] = [
  [/^(?:next|more|skipped): .*$/, dim],
  [/(?<=^\s*)[0-9a-f]{8}(?= )/, yellow],
];

/** Colours by the first word of a command. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  code: [
    [/^(?!\d+ )[^\s:][^:]*$/, magenta],
    [/^[^\s:]+(?=:\d+)/, magenta],
    [/^\s*\d+(?=:? )/, green],
  ],
  symbol: [[/^\S+:\d+(?:-\d+)?/, magenta]],
  outline: [[/^\S+\.\w+$/, magenta]],
  sessions: [[/\b\d+ (?:failed|rejected|interrupted)\b|\b(?:failed|cancelled)\b/, red]],
  disk: [
    [/^[ns][0-9a-z]+(?= )/, dim],
    [/\d[\d.]* (?:[kMGTP]i?)?B\b/, cyan],
    [/[█▏▎▍▌▋▊▉]+/, green],
  ],
};

/** Their tables begin with a line of lower-case words that names the columns. */
const HEADED = new Set(['usage', 'stats', 'audit', 'file_history']);

/** An answer as a terminal shows it, and as it is in a pipe. */
export function paintedText(text: string, operation: Pick<CommandFacts, 'name' | 'command'>): string {
  const shown = terminal();
  if (shown === undefined) return text;
  const [subject = ''] = operation.command?.words.split(' ') ?? [];
  const rules = [...COMMON, ...(RULES[subject] ?? [])];
  const lines = text.split('\n').map((line) => {
    const hint = /^(?:next|more): /.test(line);
    return operation.command?.glance === true && !hint ? cut(line, shown.columns) : line;
  });
  return lines
    .map((line, i) =>
      i === 0 && HEADED.has(operation.name) && /^[a-z ]+$/.test(line) ? bold(line) : painted(line, rules),
    )
    .join('\n');
}

/** Colours the first match of every rule; where two overlap, the earlier rule counts. */
function painted(line: string, rules: readonly Rule[]): string {
  const spans: { from: number; to: number; paint: Rule[1] }[] = [];
  for (const [pattern, paint] of rules) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const [from, to] = [match.index, match.index + match[0].length];
    if (spans.every((span) => to <= span.from || from >= span.to)) spans.push({ from, to, paint });
  }
  // From the end, so that the places before stay where they are.
  return spans
    .sort((a, b) => b.from - a.from)
    .reduce(
      (text, { from, to, paint }) => text.slice(0, from) + paint(text.slice(from, to)) + text.slice(to),
      line,
    );
}

/** At most `columns` characters. */
function cut(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, columns - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
