export interface LruOptions<Key, Value> {
  /** Entries that are kept at most. */
  readonly most?: number | undefined;
  /** What entries weigh when they are used, and how much all may weigh together. */
  readonly weight?: { readonly of: (value: Value) => number; readonly most: number } | undefined;
  /** Called for an entry that is dropped or deleted, not for one that is replaced. */
  readonly dropped?: ((value: Value, key: Key) => void) | undefined;
}

/** A map that drops what was not used for longest, but never what was put in last. */
export class Lru<Key, Value> {
  /** In the order of use, latest last. */
  readonly #entries = new Map<Key, Value>();
  readonly #weights = new Map<Key, number>();
  #weighs = 0;
  readonly #options: LruOptions<Key, Value>;

  constructor(options: LruOptions<Key, Value>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The value, which counts as used now. */
  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#put(key, value);
    return value;
  }

  /** The value, without using it. */
  peek(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#put(key, value);
    const { most = Number.POSITIVE_INFINITY, weight } = this.#options;
    for (const oldest of this.#entries.keys()) {
      const enough = this.#entries.size <= most && (weight === undefined || this.#weighs <= weight.most);
      if (enough || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
    this.#weigh(key, undefined);
    if (this.#entries.delete(key) && value !== undefined) this.#options.dropped?.(value, key);
  }

  clear(): void {
    for (const key of [...this.#entries.keys()]) this.delete(key);
  }

  /** Least lately used first. */
  keys(): IterableIterator<Key> {
    return this.#entries.keys();
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  [Symbol.iterator](): IterableIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  #put(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const { weight } = this.#options;
    if (weight !== undefined) this.#weigh(key, weight.of(value));
  }

  /** Adding up all weights for each new entry would cost more than most entries. */
  #weigh(key: Key, weight: number | undefined): void {
    this.#weighs += (weight ?? 0) - (this.#weights.get(key) ?? 0);
    if (weight === undefined) this.#weights.delete(key);
    else this.#weights.set(key, weight);
  }
}
