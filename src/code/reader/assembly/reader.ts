// AssemblyScript: `npm run assembly` compiles this to ../reader.wasm.ts. The arithmetic of the network in
// ../definition-reader.ts, four or eight numbers at a time. Matrices are rows of numbers at addresses that the caller
// chooses; inner sizes are multiples of 8, the number of columns is one of 4.

const FLOAT: usize = 4;
const SHORT: usize = 2;
/** Products of numbers of this size and int8, a thousand of them, fit into 32 bits. */
const LARGEST: f32 = 2047;
const LOG2_E: f32 = Mathf.LOG2E;
const LOWEST: f32 = -80;
const EPSILON: f32 = 1e-5;

/** Stores rows of floats as whole numbers, each row with a factor of its own. */
export function quantize(from: usize, rows: usize, size: usize, to: usize, factors: usize): void {
  for (let row: usize = 0; row < rows; row++) {
    const own = from + row * size * FLOAT;
    let most = f32x4.splat(0);
    for (let at: usize = 0; at < size; at += 4)
      most = f32x4.max(most, f32x4.abs(v128.load(own + at * FLOAT)));
    const top: f32 = max<f32>(sum4Max(most), 1e-9);
    store<f32>(factors + row * FLOAT, top / LARGEST);
    const scale = f32x4.splat(LARGEST / top);
    const out = to + row * size * SHORT;
    for (let at: usize = 0; at < size; at += 8) {
      const low = whole(f32x4.mul(v128.load(own + at * FLOAT), scale));
      const high = whole(f32x4.mul(v128.load(own + at * FLOAT + 16), scale));
      v128.store(out + at * SHORT, i16x8.narrow_i32x4_s(low, high));
    }
  }
}

function whole(values: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(values));
}

function sum4Max(values: v128): f32 {
  return max(
    max(f32x4.extract_lane(values, 0), f32x4.extract_lane(values, 1)),
    max(f32x4.extract_lane(values, 2), f32x4.extract_lane(values, 3)),
  );
}

function sum4(values: v128): f32 {
  return (
    f32x4.extract_lane(values, 0) +
    f32x4.extract_lane(values, 1) +
    f32x4.extract_lane(values, 2) +
    f32x4.extract_lane(values, 3)
  );
}

/** The sums of four vectors of whole numbers, as floats. */
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const low = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const high = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return f32x4.convert_i32x4_s(
    i32x4.add(v128.shuffle<i32>(low, high, 0, 1, 4, 5), v128.shuffle<i32>(low, high, 2, 3, 6, 7)),
  );
}

/** `out[row][column] = a[row] · b[column] × both factors + bias[column]`; `bias` may be 0. */
export function multiply(
  a: usize,
  aFactors: usize,
  rows: usize,
  inner: usize,
  b: usize,
  bFactors: usize,
  columns: usize,
  bias: usize,
  out: usize,
): void {
  const step = inner * SHORT;
  for (let column: usize = 0; column < columns; column += 4) {
    const b0 = b + column * step;
    const b1 = b0 + step;
    const b2 = b1 + step;
    const b3 = b2 + step;
    const factors = v128.load(bFactors + column * FLOAT);
    const added = bias === 0 ? f32x4.splat(0) : v128.load(bias + column * FLOAT);
    for (let row: usize = 0; row < rows; row += 2) {
      const next = min(row + 1, rows - 1);
      const a0 = a + row * step;
      const a1 = a + next * step;
      let s00 = i32x4.splat(0);
      let s01 = s00;
      let s02 = s00;
      let s03 = s00;
      let s10 = s00;
      let s11 = s00;
      let s12 = s00;
      let s13 = s00;
      for (let at: usize = 0; at < step; at += 16) {
        const x0 = v128.load(a0 + at);
        const x1 = v128.load(a1 + at);
        const y0 = v128.load(b0 + at);
        s00 = i32x4.add(s00, i32x4.dot_i16x8_s(x0, y0));
        s10 = i32x4.add(s10, i32x4.dot_i16x8_s(x1, y0));
        const y1 = v128.load(b1 + at);
        s01 = i32x4.add(s01, i32x4.dot_i16x8_s(x0, y1));
        s11 = i32x4.add(s11, i32x4.dot_i16x8_s(x1, y1));
        const y2 = v128.load(b2 + at);
        s02 = i32x4.add(s02, i32x4.dot_i16x8_s(x0, y2));
        s12 = i32x4.add(s12, i32x4.dot_i16x8_s(x1, y2));
        const y3 = v128.load(b3 + at);
        s03 = i32x4.add(s03, i32x4.dot_i16x8_s(x0, y3));
        s13 = i32x4.add(s13, i32x4.dot_i16x8_s(x1, y3));
      }
      const first = sums(s00, s01, s02, s03);
      const second = sums(s10, s11, s12, s13);
      const firstFactor = f32x4.splat(load<f32>(aFactors + row * FLOAT));
      const secondFactor = f32x4.splat(load<f32>(aFactors + next * FLOAT));
      v128.store(
        out + (row * columns + column) * FLOAT,
        f32x4.add(f32x4.mul(f32x4.mul(first, factors), firstFactor), added),
      );
      v128.store(
        out + (next * columns + column) * FLOAT,
        f32x4.add(f32x4.mul(f32x4.mul(second, factors), secondFactor), added),
      );
    }
  }
}

/** Brings each row to mean 0 and variance 1, then scales and shifts it. */
export function normalize(from: usize, rows: usize, size: usize, gain: usize, shift: usize, to: usize): void {
  const count = f32(size);
  for (let row: usize = 0; row < rows; row++) {
    const own = from + row * size * FLOAT;
    const out = to + row * size * FLOAT;
    let total = f32x4.splat(0);
    for (let at: usize = 0; at < size; at += 4) total = f32x4.add(total, v128.load(own + at * FLOAT));
    const mean = f32x4.splat(sum4(total) / count);
    let squares = f32x4.splat(0);
    for (let at: usize = 0; at < size; at += 4) {
      const apart = f32x4.sub(v128.load(own + at * FLOAT), mean);
      squares = f32x4.add(squares, f32x4.mul(apart, apart));
    }
    const scale = f32x4.splat(<f32>1 / sqrt<f32>(sum4(squares) / count + EPSILON));
    for (let at: usize = 0; at < size; at += 4) {
      const unit = f32x4.mul(f32x4.sub(v128.load(own + at * FLOAT), mean), scale);
      v128.store(
        out + at * FLOAT,
        f32x4.add(f32x4.mul(unit, v128.load(gain + at * FLOAT)), v128.load(shift + at * FLOAT)),
      );
    }
  }
}

function exponential(values: v128): v128 {
  const power = f32x4.mul(f32x4.max(values, f32x4.splat(LOWEST)), f32x4.splat(LOG2_E));
  const floor = f32x4.floor(power);
  const rest = f32x4.sub(power, floor);
  let result = f32x4.add(f32x4.splat(0.0096181), f32x4.mul(rest, f32x4.splat(0.0013333)));
  result = f32x4.add(f32x4.splat(0.0555041), f32x4.mul(rest, result));
  result = f32x4.add(f32x4.splat(0.2402265), f32x4.mul(rest, result));
  result = f32x4.add(f32x4.splat(Mathf.LN2), f32x4.mul(rest, result));
  result = f32x4.add(f32x4.splat(1), f32x4.mul(rest, result));
  const exponent = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(floor), i32x4.splat(127)), 23);
  return f32x4.mul(result, exponent);
}

/** GELU in place, by the approximation with tanh. */
export function activate(values: usize, count: usize): void {
  for (let at: usize = 0; at < count; at += 4) {
    const x = v128.load(values + at * FLOAT);
    const cube = f32x4.mul(f32x4.mul(x, x), f32x4.mul(x, f32x4.splat(0.044715)));
    const inner = f32x4.mul(f32x4.add(x, cube), f32x4.splat(-1.5957691216057308));
    const clipped = f32x4.min(inner, f32x4.splat(-LOWEST));
    v128.store(values + at * FLOAT, f32x4.div(x, f32x4.add(f32x4.splat(1), exponential(clipped))));
  }
}

export function add(to: usize, from: usize, count: usize): void {
  for (let at: usize = 0; at < count; at += 4)
    v128.store(to + at * FLOAT, f32x4.add(v128.load(to + at * FLOAT), v128.load(from + at * FLOAT)));
}

/**
 * Attention of the first `queries` tokens to all: `qkv` has a row of queries, keys and values for each token, `scores`
 * room for one number a token.
 */
export function attend(
  qkv: usize,
  tokens: usize,
  queries: usize,
  heads: usize,
  size: usize,
  scores: usize,
  out: usize,
): void {
  const head = size / heads;
  const step = 3 * size * FLOAT;
  const scale: f32 = <f32>1 / sqrt<f32>(f32(head));
  for (let part: usize = 0; part < heads; part++) {
    const own = part * head * FLOAT;
    for (let row: usize = 0; row < queries; row++) {
      const query = qkv + row * step + own;
      let top: f32 = <f32>-1e30;
      for (let token: usize = 0; token < tokens; token++) {
        const key = qkv + token * step + size * FLOAT + own;
        let sum = f32x4.splat(0);
        for (let at: usize = 0; at < head; at += 4)
          sum = f32x4.add(sum, f32x4.mul(v128.load(query + at * FLOAT), v128.load(key + at * FLOAT)));
        const score: f32 = sum4(sum) * scale;
        store<f32>(scores + token * FLOAT, score);
        top = max<f32>(top, score);
      }
      let total: f32 = 0;
      for (let token: usize = 0; token < tokens; token += 4) {
        const place = scores + token * FLOAT;
        const odds = exponential(f32x4.sub(v128.load(place), f32x4.splat(top)));
        v128.store(place, odds);
        for (let lane: usize = 0; lane < min<usize>(4, tokens - token); lane++)
          total += load<f32>(place + lane * FLOAT);
      }
      const target = out + row * size * FLOAT + own;
      for (let at: usize = 0; at < head; at += 4) v128.store(target + at * FLOAT, f32x4.splat(0));
      for (let token: usize = 0; token < tokens; token++) {
        const value = qkv + token * step + 2 * size * FLOAT + own;
        const share = f32x4.splat(load<f32>(scores + token * FLOAT) / total);
        for (let at: usize = 0; at < head; at += 4) {
          const place = target + at * FLOAT;
          v128.store(place, f32x4.add(v128.load(place), f32x4.mul(v128.load(value + at * FLOAT), share)));
        }
      }
    }
  }
}
