// node bench/retrieval/checkout.mjs FOLDER [--mirrors DIR]: checks out the benchmark's repositories at their pinned
// revisions (or the newest commit available if a mirror lacks one), one folder each. A mirror of github.com/OWNER/NAME is a
// git directory DIR/OWNER+NAME/repo; without --mirrors they are cloned.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [folder, flag, mirrors] = process.argv.slice(2);
if (!folder || (flag && flag !== '--mirrors')) {
  console.error('usage: checkout.mjs FOLDER [--mirrors DIR]');
  process.exit(2);
}
const list = join(process.env.PINHOLE_CORPUS ?? '', 'data', 'retrieval', 'repos.json');
if (!existsSync(list)) throw new Error('set PINHOLE_CORPUS to the folder that has data/retrieval/repos.json');

/** Current names of renamed repositories. */
const MOVED = { 'neuecc/MessagePack-CSharp': 'MessagePack-CSharp/MessagePack-CSharp' };

for (const { name, url, revision, benchmark_root: root } of JSON.parse(readFileSync(list, 'utf8'))) {
  const target = join(folder, name);
  if (existsSync(target)) continue;
  const slug = url.replace('https://github.com/', '').replace(/\.git$/, '');
  const scratch = mkdtempSync(join(tmpdir(), 'checkout-'));
  let git = join(mirrors ?? '', (MOVED[slug] ?? slug).replace('/', '+'), 'repo');
  if (!mirrors) {
    git = join(scratch, 'git');
    execFileSync('git', ['clone', '--quiet', '--bare', '--filter=blob:none', url, git], { stdio: 'inherit' });
  }
  // An empty folder would count as a repository without answers.
  if (!existsSync(git)) throw new Error(`${slug} has no mirror in ${mirrors}`);
  mkdirSync(target, { recursive: true });
  const env = { ...process.env, GIT_DIR: git, GIT_WORK_TREE: target, GIT_INDEX_FILE: join(scratch, 'index') };
  const run = (...args) => execFileSync('git', args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  let commit = revision;
  try {
    run('cat-file', '-e', `${revision}^{commit}`);
  } catch {
    commit = 'HEAD';
    console.log(
      `${name}: ${revision.slice(0, 9)} is not at hand, using ${run('log', '-1', '--format=%h of %cs').trim()}`,
    );
  }
  run('read-tree', commit);
  const paths = run('ls-files', '-z', '--', root ?? '.');
  execFileSync('git', ['checkout-index', '-z', '--stdin'], { env, input: paths });
  rmSync(scratch, { recursive: true });
}
