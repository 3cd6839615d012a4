// node make-weights.mjs WORK --benchmark FOLDER: makes the weights again, from cloning the public repositories to the
// trained networks, on a machine with a GPU, torch and git. What is there already in WORK is not made again.
//
//   --benchmark FOLDER   checkouts of the benchmark's repositories (bench/retrieval/checkout.mjs), which stay out
//   --steps a,b          only some of: clone, mine, table, map, candidates, reader; without `table` and `map` the reader
//                        learns with the vectors that are shipped
//   --mirrors FOLDER     git directories OWNER+NAME/repo to use instead of cloning
//   --corpus, --questions   other lists than those of model/
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const model = join(dirname(fileURLToPath(import.meta.url)), '..');
const weights = join(model, 'weights');
const STEPS = ['clone', 'mine', 'table', 'map', 'candidates', 'reader'];
/** Phrases are answered by files, so they teach neither network. */
const NOT_ABOUT_FUNCTIONS = /^phrases/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    benchmark: { type: 'string' },
    steps: { type: 'string', default: STEPS.join(',') },
    mirrors: { type: 'string' },
    corpus: { type: 'string', default: join(model, 'CORPUS.md') },
    questions: { type: 'string', default: join(model, 'questions') },
  },
});
const [work] = positionals;
const steps = values.steps.split(',');
const unknown = steps.filter((step) => !STEPS.includes(step));
if (work === undefined || unknown.length > 0 || (steps.includes('mine') && values.benchmark === undefined)) {
  console.error(`usage: make-weights.mjs WORK --benchmark FOLDER [--steps ${STEPS.join(',')}]`);
  process.exit(2);
}
const at = (...names) => resolve(work, ...names);
const own = (script) => join(model, 'train', script);
const show = (program, ...args) => {
  console.log([program, ...args].join(' '));
  execFileSync(program, args, { stdio: 'inherit' });
};
const python = (...args) => show(process.env.PYTHON ?? 'python3', ...args);
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });

/** The repositories of the table, with their commits: those before the second list of CORPUS.md. */
function corpus() {
  const [table = ''] = readFileSync(values.corpus, 'utf8').split('\n## ');
  return new Map(
    [...table.matchAll(/^\| ([\w.-]+\/[\w.-]+) \| ([0-9a-f]{12,}) \|/gm)].map(([, name, commit]) => [
      name,
      commit,
    ]),
  );
}

/** The repositories of the questions, with their commits. */
function asked() {
  return new Map(Object.entries(JSON.parse(readFileSync(join(values.questions, 'commits.json'), 'utf8'))));
}

function gitOf(name) {
  return values.mirrors === undefined
    ? at('git', name.replace('/', '+'))
    : resolve(values.mirrors, name.replace('/', '+'), 'repo');
}

/** Makes a file or folder under another name first, so that one that is there is complete. */
function once(target, make) {
  if (existsSync(target)) return;
  const partial = `${target}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  make(partial);
  renameSync(partial, target);
}

const DO = {
  clone() {
    const missing = values.mirrors === undefined ? [...asked(), ...corpus()] : [];
    for (const [name, commit] of new Map(missing)) {
      once(gitOf(name), (folder) => {
        show('git', 'clone', '--quiet', '--bare', `https://github.com/${name}`, folder);
        const whole = git('--git-dir', folder, 'rev-parse', `${commit}^{commit}`).trim();
        git('--git-dir', folder, 'update-ref', '--no-deref', 'HEAD', whole);
      });
    }
    for (const [name, commit] of asked()) {
      once(at('checkouts', name), (folder) => {
        mkdirSync(folder, { recursive: true });
        const env = {
          ...process.env,
          GIT_DIR: gitOf(name),
          GIT_WORK_TREE: folder,
          GIT_INDEX_FILE: at('index'),
        };
        execFileSync('git', ['read-tree', commit], { env });
        execFileSync('git', ['checkout-index', '--all', '--quiet'], { env, cwd: folder });
      });
    }
  },
  mine() {
    once(at('overlap.bin'), (file) => show('node', own('overlap.mjs'), values.benchmark, file));
    for (const name of corpus().keys()) {
      once(at('pairs', `${name.replace('/', '+')}.txt`), (file) =>
        show('node', own('mine.mjs'), gitOf(name), file, at('overlap.bin')),
      );
    }
  },
  table() {
    show('node', own('encode.mjs'), at('pairs'), at('table-data'));
    python(own('train.py'), at('table-data'), weights);
  },
  map() {
    show('node', own('question-map.mjs'), join(values.questions, 'training.jsonl'), at('checkouts'), weights);
    show('node', own('reference.mjs'), weights, join(model, 'reference-vectors.json'));
  },
  candidates() {
    const lists = readdirSync(values.questions)
      .filter((name) => name.endsWith('.jsonl') && !NOT_ABOUT_FUNCTIONS.test(name))
      .map((name) => join(values.questions, name));
    show('node', own('reader-candidates.mjs'), at('candidates'), at('checkouts'), ...lists);
  },
  reader() {
    const vocabulary = join(weights, 'vocab.txt');
    show(
      'node',
      own('encode.mjs'),
      at('pairs'),
      at('reader-data'),
      '--vocabulary',
      vocabulary,
      '--share',
      '0.2',
    );
    python(own('train-reader.py'), 'pack', at('candidates'), at('reader-data'));
    python(own('train-reader.py'), 'train', at('reader-data'), weights);
  },
};
for (const step of STEPS) if (steps.includes(step)) DO[step]();
