// node question-map.mjs QUESTIONS.jsonl REPOSITORIES WEIGHTS: learns a matrix that turns the vector of a question towards
// the code that answers it, and writes WEIGHTS/question-map.bin. REPOSITORIES has a checkout OWNER/NAME of each
// repository of the questions (model/questions/commits.json names the commits); those that are missing are left out.
// Five passes over 5,000 questions take two minutes on one core.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSources } from '../../bench/source.mjs';
import { identity, learn, places, towards } from './map-learning.mjs';

const PASSES = 5;
/** How far the way from the identity to what was learned is gone: the ranking around it was fitted without a matrix. */
const SHARE = 0.6;
const { chunkText, indexableText, isProse, languageOf, ROLE, rolesOf, StaticModel } = await loadSources(
  'question-map',
  [
    'src/code/chunk/chunker',
    'src/code/embed/static-model',
    'src/code/languages',
    'src/code/rank/file-roles',
    'src/code/semantic/indexable-text',
  ],
);

const [list, repositories, weights] = process.argv.slice(2);
if (weights === undefined) {
  console.error('usage: question-map.mjs QUESTIONS.jsonl REPOSITORIES WEIGHTS');
  process.exit(2);
}
const mapFile = join(weights, 'question-map.bin');
// The model does not load without one.
const { dimensions } = JSON.parse(readFileSync(join(weights, 'meta.json'), 'utf8'));
const map = identity(dimensions);
writeFileSync(mapFile, Buffer.from(map.buffer));
const model = await StaticModel.load(weights);
const questions = readFileSync(list, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

/** Source files below a folder, without tests and generated ones. */
function* sourceFiles(folder, below = '') {
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'vendor') continue;
    if (entry.isDirectory()) yield* sourceFiles(folder, path);
    else if (entry.isFile() && languageOf(path) !== undefined && !isProse(path)) yield path;
  }
}

/** The chunks of a repository with their vectors. */
function chunksOf(folder) {
  const chunks = [];
  for (const path of sourceFiles(folder)) {
    const read = indexableText(path, readFileSync(join(folder, path)));
    if ('skipped' in read) continue;
    if ((rolesOf(path, languageOf(path), read.text) & (ROLE.test | ROLE.generated | ROLE.config)) !== 0)
      continue;
    const lines = read.text.split('\n');
    const pathSum = model.pathSum(path);
    for (const { lineStart, lineEnd } of chunkText(read.text, languageOf(path), lines)) {
      const vector = model.embedChunk(lines.slice(lineStart - 1, lineEnd).join('\n'), pathSum);
      chunks.push({ path, lineStart, lineEnd, vector });
    }
  }
  return chunks;
}

/** A question, the chunks of its repository, and which of them have the wanted function. */
function tasksOf(repository, asked) {
  const chunks = chunksOf(join(repositories, repository));
  const vectors = chunks.map(({ vector }) => vector);
  return asked.flatMap(({ path, start, end, question }) => {
    const right = new Set();
    for (const [number, chunk] of chunks.entries())
      if (chunk.path === path && chunk.lineStart <= end && chunk.lineEnd >= start) right.add(number);
    return right.size === 0 ? [] : [{ question: model.embedQuery(question), vectors, right }];
  });
}

const tasks = [];
for (const repository of new Set(questions.map(({ repo }) => repo))) {
  if (!existsSync(join(repositories, repository))) {
    console.log(`${repository}: no checkout`);
    continue;
  }
  const asked = questions.filter(({ repo }) => repo === repository);
  tasks.push(...tasksOf(repository, asked));
}

const said = (map) => {
  const ranks = places(map, tasks);
  const mean = ranks.reduce((sum, rank) => sum + 1 / (rank + 1), 0) / ranks.length;
  return `first ${ranks.filter((rank) => rank === 0).length}, mean of 1 / place ${mean.toFixed(3)}`;
};
console.log(`${tasks.length} questions; before: ${said(map)}`);
learn(map, tasks, PASSES);
towards(map, dimensions, SHARE);
console.log(`after: ${said(map)}`);
writeFileSync(mapFile, Buffer.from(map.buffer));
