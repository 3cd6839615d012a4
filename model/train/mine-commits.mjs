// Pairs from history: the subject of a commit and the largest hunks it added or changed.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { declaredName } from './declarations.mjs';
import { languageOf } from './languages.mjs';
import { pathWords } from './pairs.mjs';
import { words } from './words.mjs';

const MARK = { commit: '\x01', field: '\x02', end: '\x03' };
const NOISE =
  /^(merge|bump|release|version|v?\d+\.\d+|revert|update (dep|change|version|readme)|typo|lint|format|prettier|cleanup|wip|backport|changelog|chore|run )/i;
const TRAILER = /^(signed-off|co-authored|reviewed|closes?|fix(es)?|refs?|see|change-id|bug)\b/i;
const MAX_FILES = 12;
const HUNK_LINES = 34;

/** Reads at most `commits` commits of a git directory, for at most `ms` milliseconds. */
export async function mineCommits(pairs, git, { endings, skips, isCopy, commits = 5000, ms = 45_000 }) {
  const format = `--format=${MARK.commit}%s${MARK.field}%an${MARK.field}%b${MARK.end}`;
  const log = [
    'log',
    '--no-merges',
    '--no-renames',
    '-p',
    '-U4',
    '--diff-filter=AM',
    '-n',
    String(commits),
    format,
    'HEAD',
  ];
  const child = spawn('git', ['--git-dir', git, ...log, '--', ...endings.map((ending) => `*.${ending}`)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = setTimeout(() => child.kill(), ms);
  let message;
  let commit;
  const finish = () => {
    if (commit !== undefined) addCommit(pairs, commit, { skips, isCopy });
    commit = undefined;
  };
  for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.startsWith(MARK.commit)) {
      finish();
      message = '';
    }
    if (message !== undefined) {
      message += `${line}\n`;
      if (!line.includes(MARK.end)) continue;
      const [subject = '', author = '', body = ''] = message.slice(1).split(MARK.field);
      commit = { subject, author, body: body.split(MARK.end)[0] ?? '', files: 0, path: '', hunks: [] };
      message = undefined;
    } else if (commit !== undefined) readDiffLine(commit, line);
  }
  finish();
  clearTimeout(timer);
}

function readDiffLine(commit, line) {
  if (line.startsWith('diff --git ')) {
    commit.files++;
    commit.path = / b\/(.*)$/.exec(line)?.[1] ?? '';
    commit.open = undefined;
  } else if (line.startsWith('@@')) {
    commit.open = { path: commit.path, lines: [/^@@[^@]*@@ ?(.*)$/.exec(line)?.[1] ?? ''], added: 0 };
    commit.hunks.push(commit.open);
  } else if (commit.open !== undefined && commit.open.lines.length < 60 && /^[+ ]/.test(line)) {
    commit.open.lines.push(line.slice(1));
    if (line[0] === '+') commit.open.added++;
  }
}

function addCommit(pairs, { subject, author, body, files, hunks }, { skips, isCopy }) {
  if (files > MAX_FILES || /\b(bot|dependabot|renovate|greenkeeper)\b/i.test(author)) return;
  const asked = subjectOf(subject, body);
  if (asked === undefined) return;
  pairs.file++;
  const seen = new Set();
  for (const { path, lines, added } of hunks.sort((a, b) => b.added - a.added)) {
    if (added < 2 || skips.test(path) || seen.has(path) || isCopy(lines, 0.3)) continue;
    seen.add(path);
    const document = pairs.document(pathWords(path), lines.slice(0, HUNK_LINES + 1).join('\n'));
    pairs.ask(document, 'g', asked);
    for (const changed of changedFunction(pairs, path, lines[0])) pairs.ask(changed, 'f', asked);
    if (seen.size >= 2) return;
  }
}

/** The function that a hunk is in, as it is now; git names it after the numbers of the lines. */
function changedFunction(pairs, path, header) {
  const language = languageOf(path);
  const name = language && declaredName(header.trim(), language)?.split(/[.:]+/).pop();
  const own = pathWords(path);
  return name ? pairs.defined(name).filter((document) => document.path === own) : [];
}

/** What a commit says it does, with the first sentence of its body where the subject is short. */
function subjectOf(subject, body) {
  const plain = subject
    .replace(/\(#\d+\)|#\d+|\[[^\]]{1,20}\]|^\s*[A-Z]{2,}-\d+:?/g, ' ')
    .replace(/^\s*(?:[a-z]+(?:\([^)]*\))?!?|Fixe?s?|Merge|Refs?):\s+/, ' ')
    .replace(/^Fixed\s+-*\s*/, 'Fix ')
    .trim();
  if (NOISE.test(plain) || words(plain).length < 3) return undefined;
  const [sentence = ''] = body
    .split('\n')
    .filter((line) => !TRAILER.test(line.trim()))
    .join(' ')
    .replace(/https?:\S+/g, ' ')
    .trim()
    .split(/(?<=[.!?])\s/);
  return words(plain).length < 6 && sentence.length <= 160 ? `${plain} ${sentence}` : plain;
}
