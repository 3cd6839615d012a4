import { grown } from './path-table.ts';

/** A value for each number of a path, 0 where none was set. */
export class NumberColumn {
  #values = new Float64Array(0);

  get(number: number): number {
    return this.#values[number] ?? 0;
  }

  set(number: number, value: number): void {
    if (number >= this.#values.length) {
      if (value === 0) return;
      const larger = new Float64Array(Math.max(number + 1, grown(this.#values.length)));
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[number] = value;
  }
}
