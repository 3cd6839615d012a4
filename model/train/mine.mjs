// node mine.mjs GIT_DIRECTORY OUT.txt OVERLAP [--pairs 26000] [--commits 5000]: question and code pairs of one
// repository. OVERLAP comes from overlap.mjs and keeps copies of benchmark files out.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { LANGUAGES, languageOf } from './languages.mjs';
import { mineCode } from './mine-code.mjs';
import { mineCommits } from './mine-commits.mjs';
import { mineMarkdown } from './mine-markdown.mjs';
import { mineTests } from './mine-tests.mjs';
import { copyTest, lineHash } from './overlap.mjs';
import { Pairs } from './pairs.mjs';

/** Code of others, generated code and data; and names of benchmark repositories that others carry along. */
const SKIPS =
  /(^|\/)(vendor|vendored|third_party|third-party|thirdparty|node_modules|dist|deps|external|_vendor|bundled|generated|gen|testdata|fixtures?|locale|locales|migrations|snapshots|__snapshots__|\.yarn|submodules|contrib\/lib)(\/|$)|\.min\.|_pb2?\.|\.pb\.|\.g\.cs$|\.designer\.cs$|\.d\.ts$|\.generated\.|bindata|nlohmann|abseil|fmtlib|(^|\/)fmt\/|libuv|hiredis/i;
const TESTS = /(^|\/|_|\.|-)(tests?|specs?|testing|benchmarks?|examples?)(\/|_|\.|-|$)/i;
const SCRIPT = /^(bin|libexec|plugins|scripts?)\/(?:.*\/)?[^./]+$/;
const MOST_BYTES = 30e6;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: 'string', default: '26000' }, commits: { type: 'string', default: '5000' } },
});
const [git, out, overlap] = positionals;
if (overlap === undefined) {
  console.error('usage: mine.mjs GIT_DIRECTORY OUT.txt OVERLAP [--pairs N] [--commits N]');
  process.exit(2);
}

const run = (...args) =>
  execFileSync('git', ['--git-dir', git, ...args], { maxBuffer: 1 << 29, encoding: 'utf8' });

/** Source files of HEAD in a fixed random order, tests last, up to a number of bytes. */
function sourceFiles() {
  const files = run('ls-tree', '-r', '-l', 'HEAD')
    .split('\n')
    .flatMap((line) => {
      const [, blob, size, path] = /^100\d+ blob ([0-9a-f]+)\s+(\d+)\t(.*)$/.exec(line) ?? [];
      if (
        path === undefined ||
        path[0] === '"' ||
        Number(size) < 200 ||
        Number(size) > 220_000 ||
        SKIPS.test(path)
      )
        return [];
      const language =
        languageOf(path) ?? (/\.mdx?$/i.test(path) ? 'md' : SCRIPT.test(path) ? 'sh' : undefined);
      return language === undefined
        ? []
        : [{ blob, path, language, size: Number(size), order: lineHash(path) % 100_003 }];
    });
  files.sort((a, b) => Number(TESTS.test(a.path)) - Number(TESTS.test(b.path)) || a.order - b.order);
  let bytes = 0;
  return files.filter(({ size }) => {
    bytes += size;
    return bytes < MOST_BYTES;
  });
}

/** The texts of blobs, read in one go. */
function* texts(blobs) {
  const all = execFileSync('git', ['--git-dir', git, 'cat-file', '--batch'], {
    input: `${blobs.join('\n')}\n`,
    maxBuffer: 1 << 29,
  });
  for (let at = 0; at < all.length; ) {
    const end = all.indexOf(10, at);
    const [, kind, size] = all.toString('latin1', at, end).split(' ');
    const length = kind === 'missing' ? -1 : Number(size);
    yield all.toString('utf8', end + 1, end + 1 + Math.max(0, length));
    at = end + 1 + length + 1;
  }
}

const most = Number(values.pairs);
const pairs = new Pairs();
const isCopy = copyTest(overlap);
let copies = 0;
const files = sourceFiles();
const contents = texts(files.map(({ blob }) => blob));
for (const { path, language } of files) {
  const { value: text = '' } = contents.next();
  if (pairs.size >= most * 1.5) break;
  if (language === 'md') mineMarkdown(pairs, text);
  else if (isCopy.whole(text) || isCopy(text.split('\n'), 0.12)) copies++;
  else {
    mineCode(pairs, path, text, language);
    if (TESTS.test(path)) mineTests(pairs, path, text, language);
  }
}
await mineCommits(pairs, git, {
  endings: Object.keys(LANGUAGES),
  skips: SKIPS,
  isCopy,
  commits: Number(values.commits),
});
writeFileSync(out, pairs.write(most));
console.log(`${out}: ${files.length} files, ${copies} copies left out, ${pairs.size} documents`);
