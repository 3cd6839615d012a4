import { gitOutput } from '../../contract/run-git.ts';
import { plainPath } from './read-commits.ts';

/** Lines of a file that came with one commit. */
export interface BlamedLines {
  /** Undefined for lines that are not committed yet. */
  readonly hash: string | undefined;
  /** The path of the file in that commit. */
  readonly path: string;
  readonly author: string;
  readonly authoredMs: number;
  readonly subject: string;
  /** History before this commit is not available here. */
  readonly oldest: boolean;
  readonly first: number;
  readonly last: number;
  /** The line number of the first line in that commit. */
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
  let current: RawLine | undefined;
  for (const said of text.split('\n')) {
    const [, hash, origin, number] = HEADER.exec(said) ?? [];
    if (hash !== undefined)
      current = {
        hash: /^0+$/.test(hash) ? undefined : hash,
        ...{
          origin: Number(origin),
          line: Number(number),
          path,
          author: '',
          authoredMs: 0,
          subject: '',
          oldest: false,
        },
      };
    else if (current === undefined) continue;
    else if (said.startsWith('author ')) current.author = said.slice(7);
    else if (said.startsWith('author-time ')) current.authoredMs = Number(said.slice(12)) * 1000;
    else if (said.startsWith('summary ')) current.subject = said.slice(8);
    else if (said === 'boundary') current.oldest = true;
    else if (said.startsWith('filename ')) current.path = plainPath(said.slice(9));
    else if (said.startsWith('\t')) {
      addLine(groups, current, said.slice(1));
      current = undefined;
    }
  }
  return groups;
}

interface RawLine {
  hash: string | undefined;
  origin: number;
  line: number;
  path: string;
  author: string;
  authoredMs: number;
  subject: string;
  oldest: boolean;
}

function addLine(groups: BlamedLines[], { line, ...from }: RawLine, text: string): void {
  const last = groups.at(-1);
  if (last !== undefined && last.hash === from.hash && last.last === line - 1)
    groups[groups.length - 1] = { ...last, last: line };
  else groups.push({ ...from, first: line, last: line, text });
}
