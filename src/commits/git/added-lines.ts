import { gitOutput } from '../../contract/run-git.ts';
import { plainPath } from './read-commits.ts';

/** A line that a commit added to a file, with its line number. */
export interface AddedLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

const DIFF = ['diff-tree', '--root', '-r', '-p', '-U0', '--no-ext-diff', '--no-textconv', '--no-color'];
const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

export async function addedLines(
  root: string,
  hash: string,
  signal: AbortSignal,
): Promise<readonly AddedLine[]> {
  const text = await gitOutput(root, [...DIFF, '--no-prefix', '-M', hash, '--'], signal);
  const added: AddedLine[] = [];
  let path = '';
  let line = 0;
  // Lines left in the hunk, so that a line `+++ x` in a file is not mistaken for a header.
  let left = { removed: 0, added: 0 };
  for (const said of text?.split('\n') ?? []) {
    const hunk = HUNK.exec(said);
    if (left.removed > 0 && said.startsWith('-')) left = { ...left, removed: left.removed - 1 };
    else if (left.added > 0 && said.startsWith('+')) {
      added.push({ path, line: line++, text: said.slice(1) });
      left = { ...left, added: left.added - 1 };
    } else if (said.startsWith('+++ ')) path = plainPath(said.slice(4));
    else if (hunk !== null) {
      const [, removed = '1', start = '0', count = '1'] = hunk;
      line = Number(start);
      left = { removed: Number(removed), added: Number(count) };
    }
  }
  return added;
}
