import {
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const WORDS =
  'index main util helper test config data cache model view client server node core lib api parse render build asset chunk page post user image thumb report vendor locale schema types'.split(
    ' ',
  );
const EXTENSIONS = [
  'ts',
  'js',
  'json',
  'md',
  'txt',
  'png',
  'jpg',
  'log',
  'map',
  'c',
  'h',
  'o',
  'py',
  'so',
  'html',
  'css',
  'svg',
  '',
];
const FLAT = 50_000;
const CONTENT = Buffer.alloc(1 << 20, 97);

/** Pseudo-random numbers, the same in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Makes a tree of `files` files in four equal parts, with one twelfth as many folders, up to 22 deep, and one flat
 * folder of 50,000. Most files are empty, the others small, some old; there are hard links, a loop and a sparse file.
 * `a/q1` is a quarter of it, `a` a half.
 */
export function makeTree(root, files) {
  const parts = ['a/q1', 'a/q2', 'q3', 'q4'];
  for (const [i, part] of parts.entries()) {
    const base = join(root, part);
    mkdirSync(base, { recursive: true });
    makePart(base, Math.floor(files / 4), random(i + 1), i === 0 ? Math.min(FLAT, Math.floor(files / 8)) : 0);
  }
  const special = join(root, 'q4/special');
  mkdirSync(special);
  put(join(special, 'original'), 500_000);
  for (let i = 0; i < 10; i++) linkSync(join(special, 'original'), join(special, `same${i}`));
  symlinkSync(root, join(special, 'loop'));
  symlinkSync('/nonexistent', join(special, 'dangling'));
  const hole = openSync(join(special, 'hole'), 'w');
  ftruncateSync(hole, 10 * 2 ** 30);
  closeSync(hole);
  return join(root, 'a/q1/flat');
}

function makePart(base, files, next, flat) {
  const folders = [{ path: base, depth: 0 }];
  while (folders.length < files / 12) {
    const recent = next() < 0.25;
    const pick = recent ? folders.length - 1 - Math.floor(next() * 40) : Math.floor(next() * folders.length);
    const { path, depth } = folders[Math.max(0, pick)];
    if (depth >= 20) continue;
    const folder = { path: join(path, `${word(next)}-${folders.length.toString(36)}`), depth: depth + 1 };
    mkdirSync(folder.path);
    folders.push(folder);
  }
  let made = 0;
  const file = (folder) => {
    const extension = EXTENSIONS[Math.floor(next() * next() * EXTENSIONS.length)];
    const path = join(folder, `${word(next)}_${made.toString(36)}${extension === '' ? '' : `.${extension}`}`);
    put(path, next() < 0.22 ? Math.floor(next() ** 3 * 8000) + 1 : 0);
    if (next() < 0.3) {
      const time = 1_500_000_000 + Math.floor(next() * 250_000_000);
      utimesSync(path, time, time);
    }
    made++;
  };
  if (flat > 0) mkdirSync(join(base, 'flat'));
  for (let i = 0; i < flat; i++) file(join(base, 'flat'));
  while (made < files) {
    const { path } = folders[Math.floor(next() * folders.length)];
    for (let i = Math.floor(-Math.log(1 - next()) * 8); i >= 0 && made < files; i--) file(path);
  }
}

function word(next) {
  return WORDS[Math.floor(next() * WORDS.length)];
}

function put(path, bytes) {
  const file = openSync(path, 'w');
  if (bytes > 0) writeSync(file, CONTENT, 0, bytes);
  closeSync(file);
}
