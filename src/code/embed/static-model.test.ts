import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support.ts';
import { weightsFolder } from './static-embedder.ts';
import { StaticModel } from './static-model.ts';

interface Reference {
  readonly documents: readonly { path: string; text: string; vector: string }[];
  readonly questions: readonly { text: string; vector: string }[];
}

const reference: Reference = JSON.parse(
  readFileSync(join(dirname(weightsFolder()), 'reference-vectors.json'), 'utf8'),
);
const model = await StaticModel.load(weightsFolder());

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    dot += (a[i] ?? 0) * (b[i] ?? 0);
    aa += (a[i] ?? 0) ** 2;
    bb += (b[i] ?? 0) ** 2;
  }
  return aa === 0 && bb === 0 ? 1 : dot / Math.sqrt(aa * bb);
}

function unpack(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64');
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(4 * at));
}

describe('the static model', () => {
  it.each(reference.documents)(
    'reproduces the reference vector of a document at "$path"',
    ({ path, text, vector }) => {
      const own = model.embedChunk(text, path === '' ? undefined : model.pathSum(path));
      expect(cosine(own, unpack(vector))).toBeGreaterThan(0.9999);
    },
  );

  it.each(reference.questions)('reproduces the reference vector of "$text"', ({ text, vector }) => {
    expect(cosine(model.embedQuery(text), unpack(vector))).toBeGreaterThan(0.9999);
  });

  it('puts a question nearer to the code it describes than to other code', () => {
    const question = model.embedQuestion('retry a failed request with exponential backoff');
    const right = model.embedChunk(
      'async function retry(request) { await sleep(backoff *= 2); return send(request); }',
    );
    const wrong = model.embedChunk('function renderTable(rows) { return rows.map(row => cell(row.color)); }');
    expect(cosine(question, right)).toBeGreaterThan(cosine(question, wrong) + 0.2);
  });

  it('turns a question by its map, and leaves words as they are', async () => {
    const folder = temporaryFolder();
    cpSync(weightsFolder(), folder, { recursive: true });
    const { dimensions } = model;
    const swapped = new Float32Array(dimensions * dimensions);
    for (let at = 0; at < dimensions; at++) swapped[at * dimensions + ((at + 1) % dimensions)] = 1;
    writeFileSync(join(folder, 'question-map.bin'), Buffer.from(swapped.buffer));
    const turning = await StaticModel.load(folder);
    const words = turning.embedQuery('close idle connections');
    expect(words).toEqual(model.embedQuery('close idle connections'));
    const question = turning.embedQuestion('close idle connections');
    expect(question[0]).toBeCloseTo(words[1] ?? 0, 5);
    expect(question.at(-1)).toBeCloseTo(words[0] ?? 0, 5);
    writeFileSync(join(folder, 'question-map.bin'), Buffer.alloc(8));
    await expect(StaticModel.load(folder)).rejects.toThrow('question-map.bin and meta.json disagree');
  });

  it('reads letters with marks as plain ones and gives nothing for nothing', () => {
    expect(cosine(model.embedQuery('naïve café'), model.embedQuery('naive cafe'))).toBeCloseTo(1, 5);
    expect(model.embedQuery('').every((value) => value === 0)).toBe(true);
    expect(model.embedChunk('日本語').every((value) => value === 0)).toBe(true);
  });

  it('lets the words of a question weigh', () => {
    const plain = model.embedQuery('socket pool');
    const only = model.embedQuery('socket pool', (word) => (word === 'pool' ? 1 : 0));
    expect(cosine(only, model.embedQuery('pool'))).toBeCloseTo(1, 5);
    expect(cosine(only, plain)).toBeLessThan(0.99);
  });
});
