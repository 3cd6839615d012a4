import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A block of commands in a Markdown file. */
export interface CommandBlock {
  readonly line: number;
  readonly script: string;
}

/** The ` ```sh ` blocks of a text; those marked ` ```sh no-run ` cannot run offline and are left out. */
export function commandBlocks(text: string): readonly CommandBlock[] {
  const blocks: CommandBlock[] = [];
  for (const match of text.matchAll(/^```sh[ \t]*(.*)\n([\s\S]*?)^```/gm)) {
    if (match[1]?.trim() === 'no-run') continue;
    blocks.push({ line: text.slice(0, match.index).split('\n').length, script: match[2] ?? '' });
  }
  return blocks;
}

/** Markdown files for users, the generated reference left out. */
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
