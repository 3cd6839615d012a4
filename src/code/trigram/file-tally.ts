import type { SkipCounts, SkipReason, SourceFile } from '../files/source-tree.ts';

/** Keeps count of the files of an index, so that no answer has to count them. */
export class FileTally {
  pendingBytes = 0;
  readonly #shown = { files: 0, skipped: new Map<SkipReason, number>() };
  readonly #hidden = { files: 0, skipped: new Map<SkipReason, number>() };

  /** Adds or, with -1, removes an indexed file. */
  addEntry(file: Pick<SourceFile, 'hidden'>, skip: SkipReason | undefined, by: 1 | -1): void {
    const side = file.hidden ? this.#hidden : this.#shown;
    if (skip === undefined) side.files += by;
    else side.skipped.set(skip, (side.skipped.get(skip) ?? 0) + by);
  }

  /** Adds or removes a file that is not indexed yet. */
  addPending(file: Pick<SourceFile, 'hidden' | 'size'>, by: 1 | -1): void {
    (file.hidden ? this.#hidden : this.#shown).files += by;
    this.pendingBytes += by * file.size;
  }

  counts(hidden: boolean): { readonly files: number; readonly skipped: SkipCounts } {
    const sides = hidden ? [this.#shown, this.#hidden] : [this.#shown];
    const skipped: Partial<Record<SkipReason, number>> = {};
    for (const side of sides) {
      for (const [reason, count] of side.skipped)
        if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
    }
    return { files: sides.reduce((sum, side) => sum + side.files, 0), skipped };
  }
}
