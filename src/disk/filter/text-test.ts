import { glob } from '../scan/glob.ts';
import { nameOf } from '../tree/nodes.ts';
import { folderPaths } from '../tree/paths.ts';
import type { Tree } from '../tree/tree.ts';
import { compileRegex, type TextTest } from './schema.ts';

export type RowTest = (row: number) => boolean;

/** A test of names, with the shortest way to each answer: bytes where they suffice, text where they do not. */
export function nameTest(tree: Tree, test: TextTest): { test: RowTest; plan: string } {
  const { pattern } = test;
  if (test.type === 'glob' && pattern === '*') return { test: () => true, plan: 'any name' };
  if (test.type === 'glob' && !test.ignoreCase) {
    const [, before = '', literal = '', after = ''] = /^(\*?)([^*?[\]{}\\]+)(\*?)$/.exec(pattern) ?? [];
    if (literal !== '') {
      const bytes = Buffer.from(literal);
      if (after === '') return { test: endTest(tree, bytes, before === ''), plan: `name bytes ${pattern}` };
      if (before === '') return { test: startTest(tree, bytes), plan: `name bytes ${pattern}` };
      const rows = rowsWith(tree, bytes);
      return { test: (row) => rows[row] === 1, plan: `names holding '${literal}'` };
    }
  }
  const fits = textMatcher(test);
  const literal = test.ignoreCase ? '' : test.type === 'regex' ? regexLiteral(pattern) : globLiteral(pattern);
  if (literal.length < 2)
    return { test: (row) => fits(nameOf(tree, row)), plan: `every name by ${test.type}` };
  const rows = rowsWith(tree, Buffer.from(literal));
  return {
    test: (row) => rows[row] === 1 && fits(nameOf(tree, row)),
    plan: `names holding '${literal}', then ${test.type}`,
  };
}

/**
 * A test of paths below the root. Where the last part of a glob stands for one name, the folders before it are
 * matched once for each folder and not for each file.
 */
export function pathTest(tree: Tree, test: TextTest): RowTest {
  const above = folderPaths(tree);
  const skip = tree.meta.root === '/' ? 1 : tree.meta.root.length + 1;
  const [, front, last] = /^((?:[^{}\\]*\/)?)([^/{}\\]*)$/.exec(test.pattern) ?? [];
  if (test.type === 'glob' && front !== undefined && last !== undefined && !last.includes('**')) {
    const name = nameTest(tree, { ...test, pattern: last }).test;
    const folderFits = textMatcher({ ...test, pattern: front });
    let known = -1;
    let fitting = false;
    return (row) => {
      if (row === 0 || !name(row)) return false;
      const folder = tree.parent[row] ?? 0;
      if (folder !== known) {
        known = folder;
        fitting = folderFits(folder === 0 ? '' : `${above(folder).slice(skip)}/`);
      }
      return fitting;
    };
  }
  const fits = textMatcher(test);
  // What every fitting path begins with: whole folders are left out by it.
  const start = test.type === 'glob' && !test.ignoreCase ? (/^[^*?[{\\]*/.exec(test.pattern)?.[0] ?? '') : '';
  let known = -1;
  let folderPath = '';
  return (row) => {
    if (row === 0) return fits('');
    const folder = tree.parent[row] ?? 0;
    if (folder !== known) {
      known = folder;
      folderPath = folder === 0 ? '' : `${above(folder).slice(skip)}/`;
    }
    if (!folderPath.startsWith(start) && !start.startsWith(folderPath)) return false;
    return fits(folderPath + nameOf(tree, row));
  };
}

/** The pattern as a test of text. */
export function textMatcher(test: TextTest): (text: string) => boolean {
  if (test.type === 'glob') return glob(test.pattern, { ignoreCase: test.ignoreCase });
  const regex = compileRegex(test);
  return (text) => regex.test(text);
}

function endTest({ names, nameAt }: Tree, bytes: Buffer, whole: boolean): RowTest {
  return (row) => {
    const start = nameAt[row] ?? 0;
    const end = nameAt[row + 1] ?? 0;
    const from = end - bytes.length;
    if (whole ? from !== start : from < start) return false;
    for (let i = bytes.length - 1; i >= 0; i--) if (names[from + i] !== bytes[i]) return false;
    return true;
  };
}

function startTest({ names, nameAt }: Tree, bytes: Buffer): RowTest {
  return (row) => {
    const start = nameAt[row] ?? 0;
    if ((nameAt[row + 1] ?? 0) - start < bytes.length) return false;
    for (let i = 0; i < bytes.length; i++) if (names[start + i] !== bytes[i]) return false;
    return true;
  };
}

/** Marks the rows whose names hold the bytes, by one search through all names. */
function rowsWith({ names, nameAt, id }: Tree, bytes: Buffer): Uint8Array {
  const rows = new Uint8Array(id.length);
  let row = 0;
  let at = names.indexOf(bytes);
  while (at >= 0) {
    // Hits come in order: gallop ahead from the last row to the one that holds this byte.
    let step = 1;
    while ((nameAt[row + step] ?? Number.POSITIVE_INFINITY) <= at) {
      row += step;
      step *= 2;
    }
    let high = Math.min(row + step, id.length);
    while (high - row > 1) {
      const middle = (row + high) >>> 1;
      if ((nameAt[middle] ?? 0) <= at) row = middle;
      else high = middle;
    }
    const end = nameAt[row + 1] ?? 0;
    if (at + bytes.length <= end) {
      rows[row] = 1;
      at = names.indexOf(bytes, end);
    } else at = names.indexOf(bytes, at + 1);
  }
  return rows;
}

/** The longest run of plain characters in a glob. */
function globLiteral(pattern: string): string {
  if (/[{}\\[\]]/.test(pattern)) return '';
  return longest(pattern.split(/[*?]+/));
}

/**
 * The longest text that every match of a regular expression must hold, or ''. Only what is certain counts:
 * plain characters outside of groups and classes that nothing makes optional.
 */
export function regexLiteral(pattern: string): string {
  const runs: string[] = [];
  let run = '';
  const cut = () => {
    runs.push(run);
    run = '';
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === '|') return '';
    if (char === '(') {
      // A group may be optional, and `(?i)` changes everything after it.
      if (pattern.startsWith('(?', at) && !pattern.startsWith('(?:', at)) return '';
      at = closing(pattern, at);
      cut();
    } else if (char === '[') {
      at = classEnd(pattern, at);
      cut();
    } else if (char === '?' || char === '*' || char === '{') {
      run = run.slice(0, -1);
      cut();
      if (char === '{') at = Math.max(at, pattern.indexOf('}', at));
    } else if (char === '\\') {
      const next = pattern.charAt(++at);
      if (/[\w]/.test(next)) cut();
      else run += next;
      if (/[pPxQ]/.test(next)) return '';
    } else if ('.^$+'.includes(char)) cut();
    else run += char;
  }
  cut();
  return longest(runs);
}

function closing(pattern: string, open: number): number {
  let depth = 0;
  for (let at = open; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '[') at = classEnd(pattern, at);
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return pattern.length;
}

function classEnd(pattern: string, open: number): number {
  for (let at = open + 2; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === ']') return at;
  }
  return pattern.length;
}

function longest(runs: readonly string[]): string {
  return runs.reduce((best, run) => (run.length > best.length ? run : best), '');
}
