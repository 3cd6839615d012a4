import { gitOutput } from '../../contract/run-git.ts';

/** Lines of a file that came with one commit. */
export interface BlamedLines {
  /** Undefined for lines that are not committed yet. */
  readonly hash: string | undefined;
  readonly author: string;
  readonly authoredMs: number;
  readonly subject: string;
  readonly first: number;
  readonly last: number;
  /** The number of the first line in its commit. */
  readonly origin: number;
  /** The text of the first line. */
  readonly text: string;
}

const HEADER = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/;

/** Which commits the lines of a file come from; undefined if git does not know the file. */
export async function blameLines(
  root: string,
  path: string,
  line: number | undefined,
  signal: AbortSignal,
): Promise<readonly BlamedLines[] | undefined> {
  const range = line === undefined ? [] : ['-L', `${line},${line}`];
  const text = await gitOutput(root, ['blame', '--line-porcelain', ...range, '--', path], signal);
  if (text === undefined) return undefined;
  const groups: BlamedLines[] = [];
  let current:
    | { hash: string; origin: number; line: number; author: string; ms: number; subject: string }
    | undefined;
  for (const said of text.split('\n')) {
    const [, hash, origin, number] = HEADER.exec(said) ?? [];
    if (hash !== undefined)
      current = { hash, origin: Number(origin), line: Number(number), author: '', ms: 0, subject: '' };
    else if (current === undefined) continue;
    else if (said.startsWith('author ')) current.author = said.slice(7);
    else if (said.startsWith('author-time ')) current.ms = Number(said.slice(12)) * 1000;
    else if (said.startsWith('summary ')) current.subject = said.slice(8);
    else if (said.startsWith('\t')) {
      addLine(
        groups,
        { ...current, hash: /^0+$/.test(current.hash) ? undefined : current.hash },
        said.slice(1),
      );
      current = undefined;
    }
  }
  return groups;
}

function addLine(
  groups: BlamedLines[],
  {
    hash,
    origin,
    line,
    author,
    ms,
    subject,
  }: { hash: string | undefined; origin: number; line: number; author: string; ms: number; subject: string },
  text: string,
): void {
  const last = groups.at(-1);
  if (last !== undefined && last.hash === hash && last.last === line - 1)
    groups[groups.length - 1] = { ...last, last: line };
  else groups.push({ hash, author, authoredMs: ms, subject, origin, first: line, last: line, text });
}
