/**
 * Keeps the rows with the highest values; of equal values the lowest row. A heap with the weakest on top, so
 * that most rows cost one comparison.
 */
export class Top {
  readonly #most: number;
  readonly #values: number[] = [];
  readonly #rows: number[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  add(value: number, row: number): void {
    const values = this.#values;
    if (values.length < this.#most) {
      values.push(value);
      this.#rows.push(row);
      this.#up(values.length - 1);
    } else if (value > (values[0] ?? 0)) {
      values[0] = value;
      this.#rows[0] = row;
      this.#down(0);
    }
  }

  /** Best first. */
  sorted(): { value: number; row: number }[] {
    return this.#values
      .map((value, i) => ({ value, row: this.#rows[i] ?? 0 }))
      .sort((a, b) => b.value - a.value || a.row - b.row);
  }

  #weaker(a: number, b: number): boolean {
    const difference = (this.#values[a] ?? 0) - (this.#values[b] ?? 0);
    return difference < 0 || (difference === 0 && (this.#rows[a] ?? 0) > (this.#rows[b] ?? 0));
  }

  #up(from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#weaker(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  #down(from: number): void {
    let at = from;
    for (;;) {
      let weakest = at;
      for (const below of [2 * at + 1, 2 * at + 2]) {
        if (below < this.#values.length && this.#weaker(below, weakest)) weakest = below;
      }
      if (weakest === at) return;
      this.#swap(at, weakest);
      at = weakest;
    }
  }

  #swap(a: number, b: number): void {
    const value = this.#values[a] ?? 0;
    const row = this.#rows[a] ?? 0;
    this.#values[a] = this.#values[b] ?? 0;
    this.#rows[a] = this.#rows[b] ?? 0;
    this.#values[b] = value;
    this.#rows[b] = row;
  }
}
