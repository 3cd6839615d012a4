// node reference.mjs WEIGHTS VECTORS.json: writes the vectors of the texts in VECTORS.json again, by the plain sum that
// training uses, so that a test can hold the fast runtime to them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVocabulary, words } from './words.mjs';

const [weights, file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: reference.mjs WEIGHTS VECTORS.json');
  process.exit(2);
}
const { rows, dimensions, pathWeight } = JSON.parse(readFileSync(join(weights, 'meta.json'), 'utf8'));
const vocabulary = createVocabulary(readFileSync(join(weights, 'vocab.txt'), 'utf8').trimEnd().split('\n'));
const data = readFileSync(join(weights, 'model.int8.bin'));
const float = (at) => data.readFloatLE(rows * dimensions + 4 * at);

/** Adds the rows of a text's words to a vector; questions have their own weights. */
function add(vector, text, times, asked = false) {
  for (const id of vocabulary.encode(words(text).join(' '))) {
    const weight = times * float(id) * (asked ? float(rows + id) : 1);
    for (let at = 0; at < dimensions; at++) vector[at] += weight * data.readInt8(id * dimensions + at);
  }
  return vector;
}

const packed = (vector) => Buffer.from(Float32Array.from(vector).buffer).toString('base64');
const empty = () => new Array(dimensions).fill(0);
const { documents, questions } = JSON.parse(readFileSync(file, 'utf8'));
const path = (name) =>
  name
    .replace(/\.[A-Za-z0-9]+$/, '')
    .split('/')
    .slice(-4)
    .join(' ');
const note =
  'Made by model/train/reference.mjs. Vectors are float32 in base64, little endian, up to a factor.';
const result = {
  note,
  documents: documents.map((one) => ({
    ...one,
    vector: packed(add(add(empty(), one.text, 1), path(one.path), pathWeight)),
  })),
  questions: questions.map((one) => ({ ...one, vector: packed(add(empty(), one.text, 1, true)) })),
};
writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
