/** What is built, in the order in which it is needed. */
export type BuildKind = 'exact' | 'meaning' | 'symbols';

const ORDER: readonly BuildKind[] = ['exact', 'meaning', 'symbols'];
/** Trees with more files than this are read by one thread at a time. */
const LARGE_FILES = 100_000;

/** A tree, as far as its size matters. */
export interface SizedTree {
  readonly files: { readonly size: number };
}

/** Whether builders of this tree take turns. */
export function isLarge({ files }: SizedTree): boolean {
  return files.size > LARGE_FILES;
}

/** Lets a kind that is needed more go first; call it between two steps of a long build. */
export type GiveWay = () => Promise<void>;

interface Waiting {
  readonly kind: BuildKind;
  readonly start: () => void;
}

/**
 * Lets one builder of large trees run at a time: all kinds together would take three times the memory. Builders of small
 * trees, and those that a search waits for, do not ask.
 */
export class BuildGate {
  #busy = false;
  readonly #waiting: Waiting[] = [];
  readonly #resting = new Set<() => void>();

  /** Calls this before each step of a build, so that what nothing uses then is freed. Returns how to stop that. */
  beforeSteps(rest: () => void): () => void {
    this.#resting.add(rest);
    return () => this.#resting.delete(rest);
  }

  async run<T>(kind: BuildKind, work: (giveWay: GiveWay) => Promise<T>): Promise<T> {
    if (this.#busy) await this.#turn(kind);
    this.#busy = true;
    this.#rest();
    try {
      return await work(async () => {
        this.#rest();
        if (!this.#waiting.some((other) => ORDER.indexOf(other.kind) < ORDER.indexOf(kind))) return;
        const turn = this.#turn(kind);
        this.#next();
        await turn;
      });
    } finally {
      this.#next();
    }
  }

  #rest(): void {
    for (const rest of this.#resting) rest();
  }

  #turn(kind: BuildKind): Promise<void> {
    return new Promise((start) => this.#waiting.push({ kind, start }));
  }

  /** The first of the kind that is needed most. The gate stays closed for others until it has started. */
  #next(): void {
    const kind = ORDER.find((one) => this.#waiting.some((waiting) => waiting.kind === one));
    const place = this.#waiting.findIndex((waiting) => waiting.kind === kind);
    const [next] = place === -1 ? [] : this.#waiting.splice(place, 1);
    if (next === undefined) this.#busy = false;
    else next.start();
  }
}

/** The gate of this process, because its memory is what all builders share. */
export const buildGate = new BuildGate();
