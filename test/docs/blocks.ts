import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of commands in a Markdown file. */
export interface CommandBlock {
  readonly line: number;
  readonly script: string;
  /** The ` ```text ` block that follows: what the page says these commands print. */
  readonly shown?: { readonly line: number; readonly text: string };
}

/**
 * The ` ```sh ` blocks of a text, each with the ` ```text ` block that follows it, if any. Blocks marked
 * ` ```sh no-run ` cannot run offline and are left out. Those with another mark need something more, such as a
 * database (` ```sh team `); they are returned only for that mark.
 */
export function commandBlocks(text: string, wanted = ''): readonly CommandBlock[] {
  const blocks: CommandBlock[] = [];
  let ran = false;
  let other = false;
  for (const match of text.matchAll(/^```([a-z]*)[ \t]*(.*)\n([\s\S]*?)^```/gm)) {
    const [, language, mark = '', content = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    if (language === 'text' && !other) {
      const commands = ran ? blocks.pop() : undefined;
      if (commands === undefined)
        throw new Error(`line ${line}: a text block must follow the sh block whose output it shows`);
      blocks.push({ ...commands, shown: { line, text: content } });
    }
    ran = language === 'sh' && mark.trim() === wanted;
    other = language === 'sh' && !ran && mark.trim() !== 'no-run';
    if (ran) blocks.push({ line, script: content });
  }
  return blocks;
}

/** Markdown files for users, without the generated reference. */
export function userDocs(): readonly string[] {
  const inDocs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('api') && !path.startsWith('decisions'))
    .map((path) => join('docs', path));
  const atRoot = readdirSync('.').filter((path) => path === 'README.md');
  return [...atRoot, ...inDocs].sort();
}

export function read(path: string): string {
  return readFileSync(path, 'utf8');
}
