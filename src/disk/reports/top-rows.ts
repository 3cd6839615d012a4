import { float64At, uint32At } from '../../contract/at.ts';

/**
 * Keeps the rows with the highest values; of equal values, those with the lowest rows. It is a heap with the weakest
 * on top, so most rows cost one comparison.
 */
export class TopRows {
  readonly #values: Float64Array;
  readonly #rows: Uint32Array;
  #count = 0;

  constructor(limit: number) {
    this.#values = new Float64Array(limit);
    this.#rows = new Uint32Array(limit);
  }

  add(value: number, row: number): void {
    if (this.#count < this.#values.length) {
      this.#put(this.#count, value, row);
      this.#up(this.#count++);
    } else if (value > float64At(this.#values, 0)) {
      this.#put(0, value, row);
      this.#down(0);
    }
  }

  /** Best first. */
  sorted(): { value: number; row: number }[] {
    return Array.from(this.#rows.subarray(0, this.#count), (row, i) => ({
      value: float64At(this.#values, i),
      row,
    })).sort((a, b) => b.value - a.value || a.row - b.row);
  }

  #weaker(a: number, b: number): boolean {
    const difference = float64At(this.#values, a) - float64At(this.#values, b);
    return difference < 0 || (difference === 0 && uint32At(this.#rows, a) > uint32At(this.#rows, b));
  }

  #up(from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!this.#weaker(place, above)) return;
      this.#swap(place, above);
      place = above;
    }
  }

  #down(from: number): void {
    let place = from;
    for (;;) {
      let weakest = place;
      for (const below of [2 * place + 1, 2 * place + 2]) {
        if (below < this.#count && this.#weaker(below, weakest)) weakest = below;
      }
      if (weakest === place) return;
      this.#swap(place, weakest);
      place = weakest;
    }
  }

  #swap(a: number, b: number): void {
    const value = float64At(this.#values, a);
    const row = uint32At(this.#rows, a);
    this.#put(a, float64At(this.#values, b), uint32At(this.#rows, b));
    this.#put(b, value, row);
  }

  #put(place: number, value: number, row: number): void {
    this.#values[place] = value;
    this.#rows[place] = row;
  }
}
