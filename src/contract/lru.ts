export interface LruOptions<Key, Value> {
  /** Entries that are kept at most. */
  readonly most?: number | undefined;
  /** What entries weigh, and how much all may weigh together. */
  readonly weight?: { readonly of: (value: Value) => number; readonly most: number } | undefined;
  /** Called for an entry that is dropped or deleted, not for one that is replaced. */
  readonly dropped?: ((value: Value, key: Key) => void) | undefined;
}

/** A map that drops what was not used for longest, but never what was put in last. */
export class Lru<Key, Value> {
  /** In the order of use, latest last. */
  readonly #entries = new Map<Key, Value>();
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
    let weighs = 0;
    if (weight !== undefined) for (const each of this.#entries.values()) weighs += weight.of(each);
    for (const [oldest, each] of this.#entries) {
      const enough = this.#entries.size <= most && (weight === undefined || weighs <= weight.most);
      if (enough || oldest === key) break;
      weighs -= weight?.of(each) ?? 0;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const value = this.#entries.get(key);
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
  }
}
