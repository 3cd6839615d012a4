// node bench/many/material.mjs FOLDER [COUNT]: makes COUNT repositories (default 1,000) below FOLDER from mirrors,
// without the network. PINHOLE_MIRRORS names a folder of git directories OWNER+NAME/repo.
// The newest revisions of all mirrors come first, large ones included; then older revisions of the smaller ones, in
// turn. Every older revision gets its own names, so that few files are the same in two repositories. Each repository
// is a real one: `.git` has an index and borrows the mirror's objects.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** A mirror whose newest revision is larger yields only one repository. */
const MAX_REPEATED_BYTES = 12e6;
/** So does one whose files are smaller on average: mostly fixtures. */
const MIN_MEAN_BYTES = 2_000;
/** Larger files are left as they are: they are mostly data. */
const MAX_RENAMED_BYTES = 1 << 20;
/** One in this many names is changed. */
const RENAMED_SHARE = 4;
const DEFAULT_COUNT = 1000;
const MAX_BUFFER = 1 << 28;

const COMPOUND_NAME = /\b[a-z]+(?:[A-Z]|_[a-z])\w{3,}\b/g;

const git = (folder, ...args) =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: MAX_BUFFER });

/** Mirrors with the size of their newest revision, small ones first. */
function mirrorsIn(folder) {
  return readdirSync(folder)
    .map((name) => ({ name, git: join(folder, name, 'repo') }))
    .filter((one) => existsSync(join(one.git, 'HEAD')))
    .map((one) => ({ ...one, ...headSize(one.git) }))
    .sort((a, b) => a.bytes - b.bytes || a.name.localeCompare(b.name));
}

function headSize(folder) {
  const sizes = git(folder, 'ls-tree', '-r', '-l', 'HEAD')
    .trim()
    .split('\n')
    .map((line) => Number(line.split(/\s+/)[3]) || 0);
  return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
}

/** What to check out: the mirror and revision of each repository. */
function plan(mirrors, count) {
  const repeated = mirrors.filter(
    ({ bytes, files }) => bytes <= MAX_REPEATED_BYTES && bytes / files >= MIN_MEAN_BYTES,
  );
  const rounds = Math.ceil((count - mirrors.length) / repeated.length);
  const histories = new Map(
    repeated.map((mirror) => [
      mirror,
      git(mirror.git, 'rev-list', '--first-parent', 'HEAD').trim().split('\n'),
    ]),
  );
  const list = mirrors.map((mirror) => ({
    mirror,
    revision: git(mirror.git, 'rev-parse', 'HEAD').trim(),
    newest: true,
  }));
  for (let round = 1; round <= rounds; round++)
    for (const mirror of repeated) {
      const history = histories.get(mirror);
      // The newer half: early revisions are nearly empty.
      list.push({ mirror, revision: history[Math.floor((round * history.length) / 2 / (rounds + 1))] });
    }
  return list.slice(0, count);
}

function checkOut(folder, { mirror, revision }) {
  const target = realGit(mirror.git);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '-q');
  mkdirSync(join(folder, '.git', 'objects', 'info'), { recursive: true });
  writeFileSync(join(folder, '.git', 'objects', 'info', 'alternates'), `${join(target, 'objects')}\n`);
  git(
    folder,
    '-c',
    'core.symlinks=false',
    '-c',
    'advice.detachedHead=false',
    'checkout',
    '-q',
    '--detach',
    revision,
  );
}

const realGit = (path) => execFileSync('realpath', [path], { encoding: 'utf8' }).trim();

/** Gives compound names in all text files an ending that is specific to this repository. */
function renameNames(folder, number) {
  const ending = `Q${number.toString(36)}`;
  let bytes = 0;
  const pending = [folder];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.name === '.git') continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else if (entry.isFile()) bytes += renameInFile(path, ending, number);
    }
  }
  return bytes;
}

function renameInFile(path, ending, number) {
  const { size } = statSync(path);
  if (number === 0 || size > MAX_RENAMED_BYTES) return size;
  const text = readFileSync(path, 'latin1');
  if (text.includes('\0')) return size;
  const renamed = text.replace(COMPOUND_NAME, (name) =>
    (name.length * 7 + name.charCodeAt(2) + number) % RENAMED_SHARE === 0 ? name + ending : name,
  );
  if (renamed !== text) writeFileSync(path, renamed, 'latin1');
  return renamed.length;
}

const [folder, count = DEFAULT_COUNT] = process.argv.slice(2);
const mirrors = process.env.PINHOLE_MIRRORS;
if (!folder || !mirrors) {
  console.error('usage: PINHOLE_MIRRORS=DIR material.mjs FOLDER [COUNT]');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const done = join(folder, '..', 'material.log');
let total = 0;
for (const [number, one] of plan(mirrorsIn(mirrors), Number(count)).entries()) {
  const [owner, name] = one.mirror.name.split('+');
  const target = join(folder, owner, `${name}-${one.revision.slice(0, 9)}`);
  if (existsSync(join(target, '.git', 'HEAD'))) continue;
  checkOut(target, one);
  total += renameNames(target, one.newest ? 0 : number);
  appendFileSync(done, `${target}\t${total}\n`);
}
console.log(`${count} repositories, ${(total / 1e9).toFixed(2)} GB in ${folder}`);
