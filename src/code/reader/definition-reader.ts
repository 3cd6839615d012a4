import { at, float32At, float64At, uint16At } from '../../contract/at.ts';
import { comparisons, type Distinct } from './nearest-words.ts';
import { type Arithmetic, NetworkMemory } from './network-memory.ts';
import { partsOf, type ReadDefinition, type ReadQuestion, type TokenRows } from './read-tokens.ts';
import type { ReaderWeights, Tensor } from './reader-weights.ts';
import { READ_DEFINITIONS, readingOrder } from './reading-order.ts';
import { weighFeatures } from './weigh-features.ts';

/** A matrix of whole numbers in the memory of the network, with a factor for each row. */
interface Matrix {
  readonly at: number;
  readonly factors: number;
  readonly rows: number;
  readonly size: number;
}

interface Layer {
  readonly before: readonly [gain: number, shift: number];
  readonly after: readonly [gain: number, shift: number];
  readonly qkv: Linear;
  readonly out: Linear;
  readonly wide: Linear;
  readonly narrow: Linear;
}

interface Linear {
  readonly matrix: Matrix;
  readonly bias: number;
}

const [FLOAT, SHORT] = [4, 2];
/** Rows of the table have about this length when the network reads them. */
const ROW_LENGTH = 4;
/** The numbers of rows that the arithmetic works on at once. */
const COLUMNS_AT_ONCE = 4;
/** The part of a token's place and similarity that is no part of a definition: the question. */
const QUESTION_PART = 0;

/**
 * A small network that reads a question and a definition together and says how well they fit. Its first input is
 * the table of vectors that searches use; `model/README.md` says how it was trained.
 */
export class DefinitionReader {
  readonly #weights: ReaderWeights;
  readonly #table: TokenRows;
  readonly #memory = new NetworkMemory();
  readonly #do: Arithmetic;
  readonly #project: Linear;
  readonly #layers: readonly Layer[];

  constructor(weights: ReaderWeights, table: TokenRows) {
    this.#weights = weights;
    this.#table = table;
    this.#do = this.#memory.arithmetic;
    this.#project = this.#linear('p');
    this.#layers = Array.from({ length: weights.shape.layers }, (_, layer) => ({
      before: [this.#floats(`bl.${layer}.n1.weight`), this.#floats(`bl.${layer}.n1.bias`)],
      after: [this.#floats(`bl.${layer}.n2.weight`), this.#floats(`bl.${layer}.n2.bias`)],
      qkv: this.#linear(`bl.${layer}.qkv`),
      out: this.#linear(`bl.${layer}.o`),
      wide: this.#linear(`bl.${layer}.f1`),
      narrow: this.#linear(`bl.${layer}.f2`),
    }));
  }

  /**
   * How well each definition answers a question; only the scores of one call can be compared. The first definitions are
   * read, and others that facts and nearest words choose; what is not read follows in the order of that choice.
   */
  scores(question: ReadQuestion, definitions: readonly ReadDefinition[]): Float64Array {
    const nearest = this.nearestWords(question, definitions);
    const scores = weighFeatures(this.#weights, 'choice', definitions, nearest);
    const order = readingOrder(scores);
    const chosen = order.slice(0, READ_DEFINITIONS);
    const texts = chosen.map((number) => at(definitions, number));
    const near = chosen.map((number) => at(nearest, number));
    const facts = weighFeatures(this.#weights, 'feats', texts, near);
    const read = this.read(question, texts).map((score, place) => score + float64At(facts, place));
    const others = order.slice(READ_DEFINITIONS);
    const shift = others[0] === undefined ? 0 : Math.min(...read) - float64At(scores, others[0]);
    for (const number of others) scores[number] = float64At(scores, number) + shift;
    for (const [place, number] of chosen.entries()) scores[number] = float64At(read, place);
    return scores;
  }

  /** How near the words of the question are to those of each definition: ten numbers, which `comparisons` explains. */
  nearestWords(question: ReadQuestion, definitions: readonly ReadDefinition[]): number[][] {
    return this.#memory.during(() => {
      const distinct = this.#distinct(question, definitions);
      const asked = this.#asked(question);
      const similar = this.#similarities(asked, distinct);
      const alike = this.#similarities(question.alike, distinct);
      return comparisons(question, definitions, { distinct, similar, alike, asked });
    });
  }

  /** What the network says of each definition. */
  read(question: ReadQuestion, definitions: readonly ReadDefinition[]): Float64Array {
    return this.#memory.during(() => {
      const distinct = this.#distinct(question, definitions);
      const asked = this.#asked(question);
      const similar = this.#similarities(asked, distinct);
      const embedded = this.#embedded(distinct);
      return Float64Array.from(definitions, (definition) =>
        this.#readOne(question, asked, definition, distinct, similar, embedded),
      );
    });
  }

  #asked({ ids }: ReadQuestion): readonly number[] {
    return ids.slice(0, this.#weights.shape.question);
  }

  /** The rows of all tokens that occur, once each. */
  #distinct(question: ReadQuestion, definitions: readonly ReadDefinition[]): Distinct & { matrix: Matrix } {
    const places = new Map<number, number>();
    const note = (id: number): void => {
      if (!places.has(id)) places.set(id, places.size);
    };
    question.ids.forEach(note);
    question.alike.forEach(note);
    for (const { tokens } of definitions) tokens.forEach(note);
    const { dimensions } = this.#table;
    const rows = Math.ceil(places.size / COLUMNS_AT_ONCE) * COLUMNS_AT_ONCE;
    const matrix = {
      at: this.#memory.take(rows * dimensions * SHORT),
      factors: this.#memory.take(rows * FLOAT),
      rows,
      size: dimensions,
    };
    const whole = this.#memory.shorts(matrix.at, rows * dimensions).fill(0);
    const factors = this.#memory.floats(matrix.factors, rows).fill(0);
    const logNorms = new Float64Array(places.size);
    for (const [id, place] of places) {
      const row = this.#table.row(id);
      whole.set(row, place * dimensions);
      let squares = 0;
      for (const value of row) squares += value * value;
      const length = Math.sqrt(squares);
      factors[place] = length === 0 ? 0 : 1 / length;
      logNorms[place] = Math.log(Math.max(1e-4, length * this.#table.scale(id)));
    }
    return { places, logNorms, matrix };
  }

  /** The cosine of each of these tokens with each distinct one. */
  #similarities(ids: readonly number[], { places, matrix }: Distinct & { matrix: Matrix }): Float32Array {
    const { size, rows } = matrix;
    const own = this.#memory.take(ids.length * size * SHORT);
    const factors = this.#memory.take(ids.length * FLOAT);
    const out = this.#memory.take(ids.length * rows * FLOAT);
    const all = this.#memory.shorts(matrix.at, rows * size);
    const chosen = this.#memory.shorts(own, ids.length * size);
    const known = this.#memory.floats(matrix.factors, rows);
    const chosenFactors = this.#memory.floats(factors, ids.length);
    for (const [number, id] of ids.entries()) {
      const place = places.get(id) ?? 0;
      chosen.set(all.subarray(place * size, (place + 1) * size), number * size);
      chosenFactors[number] = float32At(known, place);
    }
    if (ids.length > 0)
      this.#do.multiply(own, factors, ids.length, size, matrix.at, matrix.factors, rows, 0, out);
    return this.#memory.floats(out, ids.length * rows).slice();
  }

  /** What the network sees of each distinct token, apart from where it stands. */
  #embedded({ matrix }: { matrix: Matrix }): Float32Array {
    const { size } = this.#weights.shape;
    const factors = this.#memory.take(matrix.rows * FLOAT);
    const out = this.#memory.take(matrix.rows * size * FLOAT);
    const scaled = this.#memory.floats(matrix.factors, matrix.rows).map((factor) => ROW_LENGTH * factor);
    this.#memory.floats(factors, matrix.rows).set(scaled);
    const { matrix: weights, bias } = this.#project;
    const { size: inner } = matrix;
    this.#do.multiply(matrix.at, factors, matrix.rows, inner, weights.at, weights.factors, size, bias, out);
    return this.#memory.floats(out, matrix.rows * size).slice();
  }

  /** Reads one definition with the question. */
  #readOne(
    question: ReadQuestion,
    asked: readonly number[],
    definition: ReadDefinition,
    distinct: Distinct & { matrix: Matrix },
    similar: Float32Array,
    embedded: Float32Array,
  ): number {
    const { size } = this.#weights.shape;
    const mark = this.#memory.mark();
    const count = 1 + asked.length + definition.tokens.length;
    const input = this.#memory.take(count * size * FLOAT);
    const values = this.#memory.floats(input, count * size);
    const named = (name: string): Float32Array => this.#weights.tensor(name).values;
    const [part, place] = [named('seg.weight'), named('pos.weight')];
    const [extra, extraBias] = [named('fe.weight'), named('fe.bias')];
    values.set(named('cls'));
    let row = 1;
    const put = (id: number, segment: number, position: number, nearest: number, rarity: number): void => {
      const token = distinct.places.get(id) ?? 0;
      const norm = float64At(distinct.logNorms, token);
      const [to, from] = [row++ * size, token * size];
      for (let lane = 0; lane < size; lane++) {
        values[to + lane] =
          float32At(embedded, from + lane) +
          float32At(part, segment * size + lane) +
          float32At(place, position * size + lane) +
          float32At(extraBias, lane) +
          nearest * float32At(extra, 3 * lane) +
          norm * float32At(extra, 3 * lane + 1) +
          rarity * float32At(extra, 3 * lane + 2);
      }
    };
    const { rows } = distinct.matrix;
    const of = (number: number, id: number): number =>
      float32At(similar, number * rows + (distinct.places.get(id) ?? 0));
    for (const [number, id] of asked.entries()) {
      let nearest = 0;
      for (const other of definition.tokens) nearest = Math.max(nearest, of(number, other));
      put(id, QUESTION_PART, number, nearest, question.weights[number] ?? 0);
    }
    for (const [segment, [from, to]] of partsOf(definition).entries()) {
      for (let token = from; token < to; token++) {
        const id = uint16At(definition.tokens, token);
        let nearest = 0;
        for (let number = 0; number < asked.length; number++) nearest = Math.max(nearest, of(number, id));
        put(id, segment + 1, token - from, nearest, 0);
      }
    }
    const score = this.#network(input, count);
    this.#memory.free(mark);
    return score;
  }

  #network(input: number, count: number): number {
    const { size, heads } = this.#weights.shape;
    const wide = this.#layers[0]?.wide.matrix.rows ?? 0;
    const normal = this.#memory.take(count * size * FLOAT);
    const whole = this.#memory.take(count * wide * SHORT);
    const factors = this.#memory.take(count * FLOAT);
    const large = this.#memory.take(count * Math.max(wide, 3 * size) * FLOAT);
    const scores = this.#memory.take((count + COLUMNS_AT_ONCE) * FLOAT);
    const apply = (from: number, rows: number, { matrix, bias }: Linear, out: number): void => {
      this.#do.quantize(from, rows, matrix.size, whole, factors);
      const { at: weights, factors: own, size: inner, rows: columns } = matrix;
      this.#do.multiply(whole, factors, rows, inner, weights, own, columns, bias, out);
    };
    for (const [number, layer] of this.#layers.entries()) {
      // Of the last layer, only what the first row says is used.
      const rows = number === this.#layers.length - 1 ? 1 : count;
      this.#do.normalize(input, count, size, ...layer.before, normal);
      apply(normal, count, layer.qkv, large);
      this.#do.attend(large, count, rows, heads, size, scores, normal);
      apply(normal, rows, layer.out, large);
      this.#do.add(input, large, rows * size);
      this.#do.normalize(input, rows, size, ...layer.after, normal);
      apply(normal, rows, layer.wide, large);
      this.#do.activate(large, rows * wide);
      apply(large, rows, layer.narrow, normal);
      this.#do.add(input, normal, rows * size);
    }
    const [gain, shift] = [this.#weights.tensor('n.weight'), this.#weights.tensor('n.bias')];
    const said = unit(this.#memory.floats(input, size));
    const head = this.#weights.tensor('h.weight').values;
    let sum = float32At(this.#weights.tensor('h.bias').values, 0);
    for (let lane = 0; lane < size; lane++) {
      const value = float32At(said, lane) * float32At(gain.values, lane) + float32At(shift.values, lane);
      sum += value * float32At(head, lane);
    }
    return sum;
  }

  #linear(name: string): Linear {
    return {
      matrix: this.#matrix(this.#weights.tensor(`${name}.weight`)),
      bias: this.#floats(`${name}.bias`),
    };
  }

  #matrix({ rows, size, whole, values }: Tensor): Matrix {
    if (whole === undefined) throw new Error('model: a matrix of reader.bin is not made of whole numbers');
    const matrix = { at: this.#memory.take(rows * size * SHORT), factors: this.#memory.take(rows * FLOAT) };
    this.#memory.shorts(matrix.at, rows * size).set(whole);
    this.#memory.floats(matrix.factors, rows).set(values);
    return { ...matrix, rows, size };
  }

  #floats(name: string): number {
    const { values } = this.#weights.tensor(name);
    const place = this.#memory.take(values.length * FLOAT);
    this.#memory.floats(place, values.length).set(values);
    return place;
  }
}

/** Brought to mean 0 and variance 1. */
function unit(values: Float32Array): Float32Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return values.map((value) => (value - mean) / Math.sqrt(variance + 1e-5));
}
