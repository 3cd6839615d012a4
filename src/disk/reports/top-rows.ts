import { at } from '../../contract/at.ts';
/**
 * Keeps the rows with the highest values; of equal values, those with the lowest rows. It is a heap with the weakest
 * on top, so most rows cost one comparison.
 */
export class TopRows {
  readonly #limit: number;
  readonly #values: number[] = [];
  readonly #rows: number[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(value: number, row: number): void {
    const values = this.#values;
    if (values.length < this.#limit) {
      values.push(value);
      this.#rows.push(row);
      this.#up(values.length - 1);
    } else if (value > at(values, 0)) {
      values[0] = value;
      this.#rows[0] = row;
      this.#down(0);
    }
  }

  /** Best first. */
  sorted(): { value: number; row: number }[] {
    return this.#values
      .map((value, i) => ({ value, row: at(this.#rows, i) }))
      .sort((a, b) => b.value - a.value || a.row - b.row);
  }

  #weaker(a: number, b: number): boolean {
    const difference = at(this.#values, a) - at(this.#values, b);
    return difference < 0 || (difference === 0 && at(this.#rows, a) > at(this.#rows, b));
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
        if (below < this.#values.length && this.#weaker(below, weakest)) weakest = below;
      }
      if (weakest === place) return;
      this.#swap(place, weakest);
      place = weakest;
    }
  }

  #swap(a: number, b: number): void {
    const value = at(this.#values, a);
    const row = at(this.#rows, a);
    this.#values[a] = at(this.#values, b);
    this.#rows[a] = at(this.#rows, b);
    this.#values[b] = value;
    this.#rows[b] = row;
  }
}
