// Retrieval quality: NDCG@10 over the development half of semble's public benchmark, by category and language,
// with an ablation of every signal and weights fitted on four fifths of the repositories and scored on the rest.
// Counts chunks, ten distinct files per answer. `--fit` prints weights fitted on all repositories; `--pooled` asks one
// index of all repositories instead, with the weights for a folder of repositories; an answer then counts only if it is
// in the right repository.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBenchmark, locate } from './retrieval/corpus.mjs';
import { fitWeights } from './retrieval/fit.mjs';
import { meets, ndcg, summarize, targetsOf } from './retrieval/ndcg.mjs';
import { loadSources, root } from './source.mjs';

const MODULES = [
  'src/code/files/walk-tree',
  'src/code/embed/static-embedder',
  'src/code/semantic/semantic-segment-builder',
  'src/code/semantic/indexable-text',
  'src/code/semantic/search-index',
  'src/code/symbols/extract/symbol-reader',
  'src/code/symbols/extract/languages/index',
  'src/code/rank/read-query',
  'src/code/rank/question-weights',
  'src/code/rank/rank',
  'src/code/rank/signal-weights',
  'src/code/rank/thesaurus',
];
const FOLDS = 5;
const TARGETS = { hybrid: 0.9, semantic: 0.84, words: 0.86 };
const POOLED_TARGETS = { hybrid: 0.8 };
const MAX_CONTENDERS = 120;
const PUBLISHED = 'CodeRankEmbed hybrid 0.865, semble 0.850, semble BM25 + ranking 0.838, ck 0.618';

export async function run({ args = process.argv.slice(2) } = {}) {
  const place = locate();
  const product = await loadSources('retrieval', MODULES);
  const model = await product.openStaticEmbedder(join(root, 'model', 'weights'));
  const bySyntax = !args.includes('--structure');
  const syntax = bySyntax ? await product.createSymbolReader(product.symbolLanguages) : undefined;
  console.log(
    `command: npm run bench -- retrieval   (chunks by ${bySyntax ? 'syntax' : 'structure'}; model ${model.name})`,
  );
  if (args.includes('--pooled')) return pooled(product, loadBenchmark(place), model, syntax, args);
  const started = performance.now();
  const samples = [];
  let chunks = 0;
  for (const repository of loadBenchmark(place)) {
    const index = product.joinSegments([await readRepository(product, repository, model, syntax)]);
    chunks += index.chunks;
    for (const query of repository.queries) samples.push(sample(product, model, repository, index, query));
  }
  console.log(
    `${samples.length} queries, ${chunks} chunks, ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
  const weights = args.includes('--fit') ? fitModes(samples, product) : product.WEIGHTS;
  if (args.includes('--fit')) console.log(`fitted on all repositories: ${rounded(weights)}\n`);
  const results = report(samples, weights);
  ablate(samples, weights.hybrid, product, results.hybrid.all);
  crossValidate(samples, product);
  if (args.includes('--misses')) misses(samples, weights.hybrid);
  return results;
}

/** All repositories as folders of one root, with the weights for such roots. */
async function pooled(product, repositories, model, syntax, args) {
  const segments = [];
  for (const one of repositories)
    segments.push(await readRepository(product, one, model, syntax, `${one.name}/${one.prefix}`));
  const index = product.joinSegments(segments);
  console.log(
    `pooled: ${repositories.length} repositories, ${index.files.length} files, ${index.chunks} chunks in one index`,
  );
  const times = [];
  const samples = repositories.flatMap((repository) => {
    const folder = `${repository.name}/`;
    const named = (path) =>
      path.startsWith(folder) ? path.slice(folder.length) : `of another repository: ${path}`;
    return repository.queries.map((query) => {
      const begun = process.cpuUsage();
      const one = sample(product, model, repository, index, query, named);
      const { user, system } = process.cpuUsage(begun);
      times.push((user + system) / 1000);
      return { ...one, modes: mapValues(one.modes, (found, mode) => contenders(found, product, mode)) };
    });
  });
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
  console.log(`CPU time of a question in all three modes: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
  const fitted = args.includes('--fit') ? fitModes(samples, product, product.COLLECTION_WEIGHTS) : undefined;
  if (fitted) console.log(`fitted on all repositories: ${rounded(fitted)}\n`);
  console.log('with the weights for one repository');
  for (const mode of Object.keys(TARGETS))
    console.log(`  ${mode.padEnd(10)} ${figure(score(samples, mode, product.WEIGHTS[mode]).all)}`);
  const results = report(samples, fitted ?? product.COLLECTION_WEIGHTS, POOLED_TARGETS);
  crossValidate(samples, product);
  return results;
}

/** The candidates that other weights might rank on the first page; keeping all would take gigabytes. */
function contenders(candidates, product, mode) {
  const kept = new Set();
  for (const weights of [product.WEIGHTS[mode], product.COLLECTION_WEIGHTS[mode]])
    for (const one of [...candidates].sort(byScore(weights)).slice(0, MAX_CONTENDERS)) kept.add(one);
  return candidates.filter((one) => kept.has(one) || one.target);
}

const mapValues = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));

async function readRepository(product, { folder }, model, syntax, below = '') {
  const builder = new product.SegmentBuilder(model, syntax);
  const paths = [];
  product.walk(folder, { file: ({ path }) => paths.push(path), folder() {}, skipped() {}, unreadable() {} });
  for (const path of paths.filter((one) => !/(^|\/)\./.test(one)).sort()) {
    const read = product.indexableText(path, readFileSync(join(folder, path)));
    if ('text' in read)
      await builder.add({ path: below + path, text: read.text, hash: '', size: 0, mtimeMs: 0 });
  }
  return builder.finish();
}

/** A query with its candidates and their signals for each mode; ranking then only depends on the weights. */
function sample(product, model, { name, language, prefix }, index, query, named = (path) => prefix + path) {
  const read = product.readQuery(query.query);
  const weigh = product.questionWeights(index);
  const vector = model.question(query.query, weigh);
  const embed = (text) => model.phrase(text, weigh);
  const { terms: alike, text } =
    read.kind === 'symbol' ? { terms: [], text: '' } : product.alikeWords(query.query);
  const alikeVector = text === '' ? undefined : model.question(text, weigh);
  const targets = targetsOf(query);
  const modes = {};
  for (const mode of ['hybrid', 'semantic', 'words']) {
    modes[mode] = product
      .gather(index, read, { mode, vector, alike, alikeVector, embed })
      .map(({ file, chunks, signals }) => {
        const [best] = chunks;
        const result = { path: named(index.files.path(file)), ...product.linesOf(index, best.chunk) };
        return { signals, result, target: targets.some((target) => meets(result, target)) };
      });
  }
  return { repository: name, language, category: query.category, query, modes };
}

const answer = (candidates, weights) =>
  [...candidates]
    .sort(byScore(weights))
    .slice(0, 10)
    .map(({ result }) => result);

/** Compares candidates: higher weighted signals first. */
function byScore(weights) {
  const names = Object.keys(weights);
  const scores = new Map();
  const score = (one) => {
    if (!scores.has(one))
      scores.set(
        one,
        names.reduce((sum, name) => sum + weights[name] * one.signals[name], 0),
      );
    return scores.get(one);
  };
  return (a, b) => score(b) - score(a);
}

const score = (samples, mode, weights) =>
  summarize(samples.map((one) => ({ ...one, ndcg: ndcg(answer(one.modes[mode], weights), one.query) })));

const figure = (value) => value.toFixed(4);
const categories = ({ category }) =>
  Object.entries(category)
    .map(([name, value]) => `${name} ${figure(value)}`)
    .join('  ');

function report(samples, weights, targets = TARGETS) {
  const results = {};
  console.log(`NDCG@10, mean over repositories (published on this half: ${PUBLISHED})`);
  for (const mode of Object.keys(TARGETS)) {
    const target = targets[mode] === undefined ? '' : `  (target ${targets[mode].toFixed(3)})`;
    results[mode] = score(samples, mode, weights[mode]);
    console.log(`${mode.padEnd(10)} ${figure(results[mode].all)}${target}  ${categories(results[mode])}`);
  }
  console.log('\nhybrid by language');
  for (const [name, value] of Object.entries(results.hybrid.language))
    console.log(`  ${name.padEnd(12)} ${figure(value)}`);
  return results;
}

function ablate(samples, weights, { SEMANTIC_SIGNALS, WORD_SIGNALS }, all) {
  console.log('\nhybrid without one signal, weights not fitted again');
  const without = (label, drop) => {
    const left = Object.fromEntries(Object.entries(weights).filter(([name]) => !drop(name)));
    const { all: value } = score(samples, 'hybrid', left);
    console.log(
      `  ${label.padEnd(16)} ${figure(value)}  ${(value - all >= 0 ? '+' : '') + figure(value - all)}`,
    );
  };
  for (const name of Object.keys(weights)) without(name, (other) => other === name);
  without('all meaning', (name) => SEMANTIC_SIGNALS.has(name));
  without('all words', (name) => WORD_SIGNALS.has(name));
}

/** The signals a mode may use. */
function signalsOf(mode, { SIGNALS, SEMANTIC_SIGNALS, WORD_SIGNALS }) {
  return SIGNALS.filter(
    (name) =>
      !(mode === 'semantic' && WORD_SIGNALS.has(name)) && !(mode === 'words' && SEMANTIC_SIGNALS.has(name)),
  );
}

const asSamples = (samples, mode) =>
  samples.map(({ repository, modes }) => ({ repository, candidates: modes[mode] }));

function fitModes(samples, product, start = product.WEIGHTS) {
  return Object.fromEntries(
    Object.keys(TARGETS).map((mode) => [
      mode,
      fitWeights(asSamples(samples, mode), signalsOf(mode, product), start[mode]),
    ]),
  );
}

function crossValidate(samples, product) {
  console.log(`\n${FOLDS} folds by repository: fitted on the others, scored on the fold`);
  const repositories = [...new Set(samples.map(({ repository }) => repository))];
  for (const mode of Object.keys(TARGETS)) {
    const rows = [];
    for (let fold = 0; fold < FOLDS; fold++) {
      const held = new Set(repositories.filter((_, at) => at % FOLDS === fold));
      const training = samples.filter(({ repository }) => !held.has(repository));
      // Starts from flat weights, so that nothing of the held-out fold leaks in.
      const flat = Object.fromEntries(
        signalsOf(mode, product).map((name) => [name, Math.sign(product.WEIGHTS[mode][name] ?? 0)]),
      );
      const weights = fitWeights(asSamples(training, mode), signalsOf(mode, product), flat);
      for (const one of samples.filter(({ repository }) => held.has(repository))) {
        rows.push({ ...one, ndcg: ndcg(answer(one.modes[mode], weights), one.query) });
      }
    }
    const summary = summarize(rows);
    console.log(`  ${mode.padEnd(10)} ${figure(summary.all)}  ${categories(summary)}`);
  }
}

function misses(samples, weights) {
  const rows = samples.map((one) => {
    const results = answer(one.modes.hybrid, weights);
    return { one, results, value: ndcg(results, one.query) };
  });
  console.log('\nworst answers');
  for (const { one, results, value } of rows.sort((a, b) => a.value - b.value).slice(0, 40)) {
    const wanted = targetsOf(one.query)
      .map(({ path }) => path)
      .join(', ');
    console.log(
      `${value.toFixed(2)} ${one.repository}: ${one.query.query} | ${wanted} | ${results
        .slice(0, 3)
        .map(({ path }) => path)
        .join(', ')}`,
    );
  }
}

const rounded = (weights) =>
  JSON.stringify(weights, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value));
