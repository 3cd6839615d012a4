import { basename } from 'node:path';
import type { SourceTree } from '../files/source-tree.ts';
import { buildManifest } from './build-batches.ts';
import { FileQueue } from './file-queue.ts';
import type { SemanticIndexOptions } from './semantic-index.ts';
import type { Manifest } from './semantic-manifest.ts';
import { withMerged } from './semantic-manifest-change.ts';
import { MAX_SEGMENTS } from './small-segments.ts';
import type { StoredIndex } from './stored-index.ts';
import { SYNTAX_WHEN_MERGED } from './syntax-limits.ts';

/** What an index that is being renewed goes on with. */
export interface Meanwhile {
  isClosed(): boolean;
  /** Called before files are read again. */
  begin(): void;
  /** Waits until nothing else is read. */
  end(): Promise<void>;
}

/** Reads files again into segments that replace those in use. Each gives the manifest to use from then on, if any. */
export class IndexRenewal {
  readonly #tree: SourceTree;
  readonly #options: SemanticIndexOptions;
  readonly #stored: StoredIndex;
  readonly #meanwhile: Meanwhile;

  constructor(tree: SourceTree, options: SemanticIndexOptions, stored: StoredIndex, meanwhile: Meanwhile) {
    this.#tree = tree;
    this.#options = options;
    this.#stored = stored;
    this.#meanwhile = meanwhile;
  }

  /** Everything, along syntax. */
  async bySyntax(): Promise<Manifest | undefined> {
    const fresh = await this.#readAgain([...this.#tree.files.numbers()], true);
    return fresh === undefined ? undefined : { ...fresh, syntax: true };
  }

  /** The files of the smallest segments, so that many edits do not leave many segments. */
  async joined(least?: number): Promise<Manifest | undefined> {
    if (this.#stored.manifest.segments.length <= MAX_SEGMENTS) return undefined;
    const { root, files } = this.#tree;
    const small = await this.#options.threads.search.call('smallest', { root, least });
    if (small.files.length === 0) return undefined;
    const current = small.paths.map((path) => files.paths.numberOf(path));
    const syntax = this.#stored.manifest.syntax || small.paths.length <= SYNTAX_WHEN_MERGED;
    const fresh = await this.#readAgain(current, syntax);
    const merged = new Set(small.files.map((file) => basename(file)));
    return fresh === undefined ? undefined : withMerged(this.#stored.manifest, merged, fresh);
  }

  /** New segments with these files, built next to the index in use; undefined if it was closed. */
  async #readAgain(numbers: readonly number[], syntax: boolean): Promise<Manifest | undefined> {
    this.#meanwhile.begin();
    const { files, root } = this.#tree;
    const shown = numbers.filter((number) => files.isShown(number));
    const queue = new FileQueue(files, shown);
    const next = () => (this.#meanwhile.isClosed() ? undefined : queue.next());
    const fresh = await buildManifest(next, { ...this.#options, root, syntax });
    if (this.#meanwhile.isClosed()) return undefined;
    await this.#meanwhile.end();
    return fresh;
  }
}
