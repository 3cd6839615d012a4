import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { float32At, float64At, int8At } from '../../contract/at.ts';
import { foldDiacritics, splitWords } from '../words/split-words.ts';
import { createVocabulary, type Vocabulary } from './vocabulary.ts';

/** The content of a model folder's `meta.json`. */
interface ModelMeta {
  readonly name: string;
  readonly rows: number;
  readonly dimensions: number;
  /** How many times the words of the path count in the vector of a chunk. */
  readonly pathWeight: number;
}

/** Weights are scaled to integers of this total: 127 times it fits 32 bits, so sums are exact and fast. */
const WEIGHT_TOTAL = 16_000_000;
/** Dimensions summed at once, each in its own variable. */
const LANES = 8;

/** The words of a file's path that go into its vectors: its stem and the last three folders. */
export function pathText(path: string): string {
  return path
    .replace(/\.[A-Za-z0-9]+$/, '')
    .split('/')
    .slice(-4)
    .join(' ');
}

/**
 * A table of token vectors; a text is the weighted sum of its tokens, at unit length. In the loops over tokens `?? 0`
 * only pleases the compiler: an accessor that checks the index makes embedding 30 % slower.
 */
export class StaticModel {
  readonly name: string;
  readonly dimensions: number;
  readonly #pathWeight: number;
  readonly #vocabulary: Vocabulary;
  readonly #table: Int8Array;
  readonly #scale: Float32Array;
  readonly #queryWeight: Float32Array;
  readonly #questionMap: Float32Array;
  readonly #count: Int32Array;
  readonly #offset: Int32Array;
  readonly #share: Float64Array;
  readonly #weight: Int32Array;

  /**
   * `data`: int8 rows, then one float32 scale per row, then one float32 query weight per row, little endian.
   * `questionMap`: a float32 matrix, row by row.
   */
  constructor(meta: ModelMeta, words: readonly string[], data: Uint8Array, questionMap: Uint8Array) {
    const { rows, dimensions } = meta;
    this.name = meta.name;
    this.dimensions = dimensions;
    this.#pathWeight = meta.pathWeight;
    this.#vocabulary = createVocabulary(words);
    if (this.#vocabulary.size !== rows || data.byteLength !== rows * (dimensions + 8)) {
      throw new Error('model: vocabulary, table and meta.json disagree');
    }
    if (questionMap.byteLength !== 4 * dimensions * dimensions) {
      throw new Error('model: question-map.bin and meta.json disagree');
    }
    this.#questionMap = new Float32Array(Uint8Array.from(questionMap).buffer);
    this.#table = new Int8Array(data.buffer, data.byteOffset, rows * dimensions);
    const floats = new Float32Array(
      data.buffer.slice(data.byteOffset + rows * dimensions, data.byteOffset + data.byteLength),
    );
    this.#scale = floats.subarray(0, rows);
    this.#queryWeight = floats.subarray(rows);
    this.#count = new Int32Array(rows);
    this.#offset = new Int32Array(rows);
    this.#share = new Float64Array(rows);
    this.#weight = new Int32Array(rows);
  }

  /** Reads a folder with `meta.json`, `vocab.txt`, `model.int8.bin` and `question-map.bin`. */
  static async load(folder: string): Promise<StaticModel> {
    const [meta, words, data, questionMap] = await Promise.all([
      readFile(join(folder, 'meta.json'), 'utf8'),
      readFile(join(folder, 'vocab.txt'), 'utf8'),
      readFile(join(folder, 'model.int8.bin')),
      readFile(join(folder, 'question-map.bin')),
    ]);
    return new StaticModel(parseMeta(meta), words.trimEnd().split('\n'), data, questionMap);
  }

  /** The ids of a text, in a buffer that the next call overwrites. */
  encode(text: string): Int32Array {
    return this.#vocabulary.encode(text);
  }

  /** The row of a token; times its scale it is the vector. */
  row(id: number): Int8Array {
    return this.#table.subarray(id * this.dimensions, (id + 1) * this.dimensions);
  }

  scale(id: number): number {
    return float32At(this.#scale, id);
  }

  /** The unnormalized sum for a path; computed once per file and passed to `embedChunk`. */
  pathSum(path: string): Float32Array {
    return this.#sum(pathText(path));
  }

  /** The vector of a piece of a file. */
  embedChunk(text: string, pathSum?: Float32Array): Float32Array {
    const sum = this.#sum(text);
    if (pathSum !== undefined) {
      for (let at = 0; at < sum.length; at++) {
        sum[at] = float32At(sum, at) + this.#pathWeight * float32At(pathSum, at);
      }
    }
    return toUnit(sum);
  }

  /** The vector of a question, turned towards the code that answers it. */
  embedQuestion(text: string, weigh?: (word: string) => number): Float32Array {
    const words = this.embedQuery(text, weigh);
    const turned = new Float32Array(this.dimensions);
    for (let row = 0; row < turned.length; row++) {
      const from = row * this.dimensions;
      let sum = 0;
      for (let at = 0; at < words.length; at++) {
        sum += float32At(this.#questionMap, from + at) * float32At(words, at);
      }
      turned[row] = sum;
    }
    return toUnit(turned);
  }

  /** The vector of a few words; `weigh` says how much each of them counts. */
  embedQuery(text: string, weigh: (word: string) => number = () => 1): Float32Array {
    const out = new Float32Array(this.dimensions);
    for (const word of splitWords(foldDiacritics(text))) {
      const times = weigh(word);
      for (const id of this.#vocabulary.encode(word)) this.#addRow(id, times, out);
    }
    return toUnit(out);
  }

  #addRow(id: number, times: number, out: Float32Array): void {
    const weight = times * float32At(this.#scale, id) * float32At(this.#queryWeight, id);
    const row = id * this.dimensions;
    for (let at = 0; at < this.dimensions; at++) {
      out[at] = float32At(out, at) + weight * int8At(this.#table, row + at);
    }
  }

  /** Counts tokens, then adds their rows with integer weights. */
  #sum(text: string): Float32Array {
    const distinct = this.#collect(this.#vocabulary.encode(text));
    const out = new Float32Array(this.dimensions);
    let total = 0;
    for (let at = 0; at < distinct; at++) total += float64At(this.#share, at);
    if (total === 0) return out;
    const scale = WEIGHT_TOTAL / total;
    for (let at = 0; at < distinct; at++) this.#weight[at] = Math.round(float64At(this.#share, at) * scale);
    this.#addRows(distinct, out, 1 / scale);
    return out;
  }

  /** Fills offset and share with the distinct tokens; returns their number. */
  #collect(ids: Int32Array): number {
    const count = this.#count;
    let distinct = 0;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0;
      const seen = count[id] ?? 0;
      if (seen === 0) this.#offset[distinct++] = id;
      count[id] = seen + 1;
    }
    for (let at = 0; at < distinct; at++) {
      const id = this.#offset[at] ?? 0;
      this.#share[at] = (this.#scale[id] ?? 0) * (count[id] ?? 0);
      this.#offset[at] = id * this.dimensions;
      count[id] = 0;
    }
    return distinct;
  }

  #addRows(distinct: number, out: Float32Array, scale: number): void {
    const table = this.#table;
    const offset = this.#offset;
    const weight = this.#weight;
    for (let lane = 0; lane < this.dimensions; lane += LANES) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      let e = 0;
      let f = 0;
      let g = 0;
      let h = 0;
      for (let at = 0; at < distinct; at++) {
        const row = (offset[at] ?? 0) + lane;
        const times = weight[at] ?? 0;
        a = (a + Math.imul(times, table[row] ?? 0)) | 0;
        b = (b + Math.imul(times, table[row + 1] ?? 0)) | 0;
        c = (c + Math.imul(times, table[row + 2] ?? 0)) | 0;
        d = (d + Math.imul(times, table[row + 3] ?? 0)) | 0;
        e = (e + Math.imul(times, table[row + 4] ?? 0)) | 0;
        f = (f + Math.imul(times, table[row + 5] ?? 0)) | 0;
        g = (g + Math.imul(times, table[row + 6] ?? 0)) | 0;
        h = (h + Math.imul(times, table[row + 7] ?? 0)) | 0;
      }
      out[lane] = a * scale;
      out[lane + 1] = b * scale;
      out[lane + 2] = c * scale;
      out[lane + 3] = d * scale;
      out[lane + 4] = e * scale;
      out[lane + 5] = f * scale;
      out[lane + 6] = g * scale;
      out[lane + 7] = h * scale;
    }
  }
}

/** Scales a vector to length one, in place; a zero vector stays as it is. */
export function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0) return vector;
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at++) vector[at] = float32At(vector, at) * scale;
  return vector;
}

/** Parses `meta.json` of a model folder. */
export function parseMeta(text: string): ModelMeta {
  const raw: unknown = JSON.parse(text);
  if (typeof raw === 'object' && raw !== null && 'name' in raw && 'rows' in raw && 'dimensions' in raw) {
    const { name, rows, dimensions } = raw;
    const pathWeight = 'pathWeight' in raw && typeof raw.pathWeight === 'number' ? raw.pathWeight : 0;
    if (typeof name === 'string' && typeof rows === 'number' && typeof dimensions === 'number') {
      return { name, rows, dimensions, pathWeight };
    }
  }
  throw new Error('model: meta.json lacks name, rows or dimensions');
}
