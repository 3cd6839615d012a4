// Finding what an issue is about: the files and places that the accepted patch changed, over SWE-bench Lite's dev
// split, with an ablation of every signal and weights fitted on the other repositories.
// Candidates are Python files outside tests. File Acc@k: all files of the patch are among the first k distinct files.
// Places: every hunk overlaps one of the first ten chunks. `--sample=40` takes about 40 of the issues, `--fit` prints
// weights, `--misses` shows what was not found; PINHOLE_BENCH_CACHE names a folder that keeps indexes between runs.
import { join } from 'node:path';
import { byAge, createHistory } from './localization/history.mjs';
import { loadIssues, locate } from './localization/issues.mjs';
import { fitWeights } from './retrieval/fit.mjs';
import { loadSources, root } from './source.mjs';

const MODULES = [
  'src/code/embed/static-embedder',
  'src/code/semantic/semantic-segment-builder',
  'src/code/semantic/semantic-segment-writer',
  'src/code/semantic/semantic-segment-reader',
  'src/code/semantic/indexable-text',
  'src/code/semantic/search-index',
  'src/code/semantic/semantic-searcher',
  'src/code/symbols/extract/symbol-reader',
  'src/code/rank/file-roles',
  'src/code/rank/rank',
  'src/code/rank/signal-weights',
];
const PLACES = 10;
const PUBLISHED =
  'BM25 38.7 / 61.7, CodeRankEmbed 52.6 / 84.7, SweRankEmbed-Small 66.4 / 90.9 (274 issues of all twelve repositories)';

export async function run({ args = process.argv.slice(2) } = {}) {
  const product = await loadSources('localization', MODULES);
  const model = await product.openStaticEmbedder(join(root, 'model', 'weights'));
  const readSymbols = await product.createSymbolReader(['python']);
  const issues = sampled(loadIssues(locate()), args);
  console.log(`command: npm run bench -- localization   (${issues.length} issues; model ${model.name})`);
  const samples = [];
  for (const repository of new Set(issues.map((one) => one.repository))) {
    const own = issues.filter((one) => one.repository === repository);
    const { git } = own[0];
    const cache = process.env.PINHOLE_BENCH_CACHE;
    const indexAt = createHistory(product, { git, model, readSymbols, cache });
    for (const issue of byAge(git, own)) {
      const index = await indexAt(issue.commit);
      samples.push(await sample(product, model, issue, index));
    }
  }
  const times = samples.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(0);
  console.log(`CPU time of a query: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
  const weights = args.includes('--fit') ? fitted(samples, product) : product.REPORT_WEIGHTS.hybrid;
  if (args.includes('--fit')) console.log(`fitted on all: ${JSON.stringify(weights, rounded)}\n`);
  report(samples, weights);
  ablate(samples, weights);
  crossValidate(samples, product);
  if (args.includes('--misses')) misses(samples, weights);
}

function sampled(issues, args) {
  const wanted = Number(args.find((one) => one.startsWith('--sample='))?.slice('--sample='.length) ?? 0);
  const every = wanted === 0 ? 1 : Math.max(1, Math.floor(issues.length / wanted));
  return issues.filter((_, at) => at % every === 0);
}

/** An issue with its candidates and their signals, and the chunks of the real answer. */
async function sample(product, model, { name, repository, text, places }, index) {
  const wanted = [...new Set(places.map(({ path }) => path))];
  const started = process.cpuUsage();
  const { query, vector, titleVector } = await product.fromText(index, text, model);
  const accept = (file) => (index.files.at(file).roles & product.ROLE.test) === 0;
  const options = { mode: 'hybrid', vector, titleVector, accept };
  const ranked = product.rank(index, query, options);
  const { user, system } = process.cpuUsage(started);
  const chunks = ranked
    .slice(0, PLACES)
    .map(({ file, chunk }) => ({ path: index.files.path(file), ...product.linesOf(index, chunk) }));
  const candidates = product.gather(index, query, options).map(({ file, signals }) => {
    const path = index.files.path(file);
    return { path, signals, target: wanted.includes(path) };
  });
  const found = places.every(({ path, from, to }) =>
    chunks.some((one) => one.path === path && one.line_start <= to && one.line_end >= from),
  );
  return {
    name,
    repository,
    wanted,
    candidates,
    found,
    isReport: query.report !== undefined,
    ms: (user + system) / 1000,
  };
}

/** The rank of the last wanted file, from 0; infinite if one is not a candidate. */
function rankOf({ candidates, wanted }, weights) {
  const names = Object.keys(weights);
  const scores = new Map(
    candidates.map(({ path, signals }) => [
      path,
      names.reduce((sum, one) => sum + weights[one] * signals[one], 0),
    ]),
  );
  return Math.max(
    ...wanted.map((path) => {
      const own = scores.get(path);
      return own === undefined ? Infinity : [...scores.values()].filter((score) => score > own).length;
    }),
  );
}

const percent = (count, of) => ((100 * count) / Math.max(1, of)).toFixed(1);
const accuracy = (ranks, k) => percent(ranks.filter((rank) => rank < k).length, ranks.length);
const line = (ranks) =>
  `Acc@1 ${accuracy(ranks, 1)}  Acc@5 ${accuracy(ranks, 5)}  Acc@10 ${accuracy(ranks, 10)}`;

function report(samples, weights) {
  console.log(`published: ${PUBLISHED}`);
  const row = (label, own) =>
    console.log(
      `${label.padEnd(24)} ${String(own.length).padStart(3)}  ${line(own.map((one) => rankOf(one, weights)))}  places ${percent(own.filter((one) => one.found).length, own.length)}`,
    );
  row('all', samples);
  for (const name of new Set(samples.map(({ repository }) => repository)))
    row(
      name,
      samples.filter(({ repository }) => repository === name),
    );
}

function ablate(samples, weights) {
  console.log('\nwithout one signal, weights not fitted again');
  for (const name of Object.keys(weights)) {
    const left = Object.fromEntries(Object.entries(weights).filter(([other]) => other !== name));
    console.log(`  ${name.padEnd(16)} ${line(samples.map((one) => rankOf(one, left)))}`);
  }
}

function fitted(samples, { REPORT_WEIGHTS }) {
  const flat = Object.fromEntries(
    Object.entries(REPORT_WEIGHTS.hybrid).map(([name, value]) => [name, Math.sign(value)]),
  );
  return fitWeights(samples, Object.keys(flat), flat);
}

function crossValidate(samples, product) {
  console.log('\neach repository with weights fitted on the others');
  const ranks = [];
  for (const name of new Set(samples.map(({ repository }) => repository))) {
    const weights = fitted(
      samples.filter(({ repository }) => repository !== name),
      product,
    );
    const own = samples.filter(({ repository }) => repository === name).map((one) => rankOf(one, weights));
    console.log(`  ${name.padEnd(24)} ${line(own)}`);
    ranks.push(...own);
  }
  console.log(`  ${'all'.padEnd(24)} ${line(ranks)}`);
}

function misses(samples, weights) {
  console.log('\nnot first');
  for (const one of samples) {
    const rank = rankOf(one, weights);
    if (rank > 0) console.log(`  ${one.name} ${rank + 1} ${one.wanted.join(', ')}`);
  }
}

const rounded = (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);
