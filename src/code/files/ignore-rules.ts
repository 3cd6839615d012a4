import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { PinholeError } from '../../contract/errors.ts';
import { pathOnDisk } from '../../contract/file-name.ts';
import { readWhole, type Whereabouts } from '../../contract/open-file.ts';
import { type GlobMatch, glob } from '../../glob/glob.ts';

/** What the rules say about a path: hide it, show it in spite of other rules, or nothing. */
export type Verdict = 'ignore' | 'keep' | undefined;

interface Rule {
  readonly verdict: 'ignore' | 'keep';
  readonly folderOnly: boolean;
  /** Tests the name only, or the path relative to the file with the rule. */
  readonly by: 'name' | 'path';
  readonly test: (text: string) => boolean;
}

/** The ignore files that apply to the entries of one folder: its own and, through `parent`, those above. */
export interface FolderRules {
  readonly parent: FolderRules | undefined;
  /** Absolute path of the folder. */
  readonly folder: string;
  readonly pinhole: readonly Rule[];
  readonly ripgrep: readonly Rule[];
  readonly ignore: readonly Rule[];
  readonly git: readonly Rule[];
  readonly exclude: readonly Rule[];
  /** The folder is the top of a repository or worktree. */
  readonly hasGit: boolean;
  /** This folder or one above it is. Only then does .gitignore apply, as in ripgrep. */
  readonly inGit: boolean;
  readonly global: readonly Rule[];
}

/** Names of the files whose change can hide or show other files. */
export const IGNORE_FILES: ReadonlySet<string> = new Set([
  '.gitignore',
  '.ignore',
  '.rgignore',
  '.pinholeignore',
]);

/** The rules of a folder whose parent's rules are known. `has` says which ignore files exist. */
export function enterFolder(
  folder: string,
  parent: FolderRules | undefined,
  has: (name: string) => boolean,
): FolderRules {
  const own = (name: string) => (has(name) ? readRules(join(folder, name), 'exact') : []);
  const hasGit = has('.git');
  const rules = {
    pinhole: own('.pinholeignore'),
    ripgrep: own('.rgignore'),
    ignore: own('.ignore'),
    git: own('.gitignore'),
  };
  const isEmpty = !hasGit && Object.values(rules).every(({ length }) => length === 0);
  if (parent !== undefined && isEmpty) return parent;
  return {
    parent,
    folder,
    ...rules,
    exclude: hasGit ? readRules(excludeFile(folder)) : [],
    hasGit,
    inGit: hasGit || (parent?.inGit ?? false),
    global: parent?.global ?? readRules(globalExcludesFile()),
  };
}

/** The rules of a folder, with the ignore files of every folder above it. */
export function rulesAt(folder: string): FolderRules {
  const above = dirname(folder);
  const parent = above === folder ? undefined : rulesAt(above);
  return enterFolder(folder, parent, (name) => exists(join(folder, name)));
}

/** Judges one entry of a folder; the nearest and most specific kind of rule wins, as in ripgrep. */
export function judge(rules: FolderRules, absolute: string, name: string, isFolder: boolean): Verdict {
  for (const kind of ['pinhole', 'ripgrep', 'ignore'] as const) {
    for (let level: FolderRules | undefined = rules; level !== undefined; level = level.parent) {
      const verdict = lastMatch(level[kind], level.folder, absolute, name, isFolder);
      if (verdict !== undefined) return verdict;
    }
  }
  return judgeGit(rules, absolute, name, isFolder);
}

/** The same, by git's own rules only. */
export function judgeGit(rules: FolderRules, absolute: string, name: string, isFolder: boolean): Verdict {
  if (!rules.inGit) return undefined;
  let exclude: Verdict;
  let top = rules;
  for (let level: FolderRules | undefined = rules; level !== undefined; level = level.parent) {
    const verdict = lastMatch(level.git, level.folder, absolute, name, isFolder);
    if (verdict !== undefined) return verdict;
    exclude ??= lastMatch(level.exclude, level.folder, absolute, name, isFolder);
    top = level;
    if (level.hasGit) break;
  }
  return exclude ?? lastMatch(rules.global, top.folder, absolute, name, isFolder);
}

function lastMatch(
  rules: readonly Rule[],
  base: string,
  absolute: string,
  name: string,
  isFolder: boolean,
): Verdict {
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule === undefined || (rule.folderOnly && !isFolder)) continue;
    const text =
      rule.by === 'name' ? name : absolute.slice(base.endsWith('/') ? base.length : base.length + 1);
    if (rule.test(text)) return rule.verdict;
  }
  return undefined;
}

/** The rules in the text of an ignore file, in order. */
function parseRules(text: string): Rule[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => parseRule(line) ?? []);
}

function parseRule(line: string): Rule | undefined {
  let pattern = line.replace(/(?<!\\)[ \t]+$/, '');
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const keep = pattern.startsWith('!');
  if (keep) pattern = pattern.slice(1);
  const folderOnly = pattern.endsWith('/');
  if (folderOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const anchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const test = ruleTest(pattern);
  if (test === undefined) return undefined;
  return {
    verdict: keep ? 'keep' : 'ignore',
    folderOnly,
    by: anchored ? 'path' : 'name',
    test,
  };
}

/** Braces work as in ripgrep, though not in git itself; an invalid glob is not a rule. */
function ruleTest(pattern: string): GlobMatch | undefined {
  try {
    return glob(pattern, { unclosedClass: true });
  } catch (error) {
    if (error instanceof PinholeError) return undefined;
    throw error;
  }
}

/** In a source tree links count as missing, as in git, because a cloned tree may contain links to anywhere. */
function readRules(file: string, where: Whereabouts = 'anywhere'): Rule[] {
  return parseRules(readText(file, where) ?? '');
}

/** The repository's own ignore file: `.git` may be a file that points to the repository's folder. */
export function excludeFile(folder: string): string {
  return join(commonGitFolder(folder), 'info', 'exclude');
}

/** The git folder that all worktrees of a repository share. */
export function commonGitFolder(folder: string): string {
  const git = gitFolder(folder);
  const common = readText(join(git, 'commondir'));
  return common === undefined ? git : resolve(git, common.trim());
}

/** The git folder behind `folder/.git`. */
export function gitFolder(folder: string): string {
  const dotGit = join(folder, '.git');
  const pointer = /^gitdir:\s*(.+)$/m.exec(readText(dotGit) ?? '')?.[1];
  return pointer === undefined ? dotGit : resolve(folder, pointer.trim());
}

/** The user's git settings, which can name an ignore file. */
export function globalConfigFiles(): string[] {
  return [join(homedir(), '.gitconfig'), join(configFolder(), 'git', 'config')];
}

/** git's `core.excludesFile`, or its default place. */
export function globalExcludesFile(): string {
  for (const file of globalConfigFiles()) {
    const named = /^\s*excludesfile\s*=\s*"?([^"\n]+?)"?\s*$/im.exec(readText(file) ?? '')?.[1];
    if (named !== undefined) return named.replace(/^~(?=\/)/, homedir());
  }
  return join(configFolder(), 'git', 'ignore');
}

function configFolder(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
}

/** Nobody writes longer ignore files by hand. */
const MAX_RULES_BYTES = 1 << 20;

function readText(file: string, where: Whereabouts = 'anywhere'): string | undefined {
  try {
    return readWhole(file, where, MAX_RULES_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  return statSync(pathOnDisk(path), { throwIfNoEntry: false }) !== undefined;
}
