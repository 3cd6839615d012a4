import { float64At, uint8At } from '../../contract/at.ts';
import { grown, PathTable } from './path-table.ts';
import type { SourceFile, SourceFiles } from './source-tree.ts';

/** size, mtime, ctime, inode. */
const NUMBERS = 4;
const LISTED = 1;
const HIDDEN = 2;
const LINKED = 4;

/** What a tree keeps of a file besides its path. */
export type FileState = Omit<SourceFile, 'path'>;

/** The files of a tree in columns: as objects in a map, those of a large tree would take ten times the memory. */
export class ListedFiles implements SourceFiles {
  readonly paths = new PathTable();
  #size = 0;
  #numbers = new Float64Array(0);
  #flags = new Uint8Array(0);

  get size(): number {
    return this.#size;
  }

  has(path: string): boolean {
    return this.isListed(this.paths.numberOf(path));
  }

  get(path: string): SourceFile | undefined {
    return this.at(this.paths.numberOf(path));
  }

  *keys(): Generator<string, undefined> {
    for (const number of this.numbers()) yield this.paths.path(number);
  }

  *values(): Generator<SourceFile, undefined> {
    for (const number of this.numbers()) yield this.#row(number);
  }

  *numbers(): Generator<number, undefined> {
    for (let number = 0; number < this.#flags.length; number++) if (this.isListed(number)) yield number;
  }

  isListed(number: number): boolean {
    return ((this.#flags[number] ?? 0) & LISTED) !== 0;
  }

  isShown(number: number): boolean {
    return this.#flags[number] === LISTED;
  }

  at(number: number): SourceFile | undefined {
    return this.isListed(number) ? this.#row(number) : undefined;
  }

  sizeAt(number: number): number {
    return float64At(this.#numbers, NUMBERS * number);
  }

  mtimeAt(number: number): number {
    return float64At(this.#numbers, NUMBERS * number + 1);
  }

  ctimeAt(number: number): number {
    return float64At(this.#numbers, NUMBERS * number + 2);
  }

  /** Whether a file is listed and in this state. */
  isAt(number: number, { size, mtimeMs, ctimeMs, ino, ...kind }: FileState): boolean {
    const at = NUMBERS * number;
    return (
      this.#flags[number] === flagsOf(kind) &&
      this.#numbers[at] === size &&
      this.#numbers[at + 1] === mtimeMs &&
      this.#numbers[at + 2] === ctimeMs &&
      this.#numbers[at + 3] === ino
    );
  }

  set(number: number, { size, mtimeMs, ctimeMs, ino, ...kind }: FileState): void {
    this.#reserve(number);
    if (!this.isListed(number)) this.#size++;
    const at = NUMBERS * number;
    this.#numbers[at] = size;
    this.#numbers[at + 1] = mtimeMs;
    this.#numbers[at + 2] = ctimeMs;
    this.#numbers[at + 3] = ino;
    this.#flags[number] = flagsOf(kind);
  }

  delete(number: number): void {
    if (!this.isListed(number)) return;
    this.#flags[number] = 0;
    this.#size--;
  }

  #row(number: number): SourceFile {
    const at = NUMBERS * number;
    const flags = uint8At(this.#flags, number);
    return {
      path: this.paths.path(number),
      size: float64At(this.#numbers, at),
      mtimeMs: float64At(this.#numbers, at + 1),
      ctimeMs: float64At(this.#numbers, at + 2),
      ino: float64At(this.#numbers, at + 3),
      hidden: (flags & HIDDEN) !== 0,
      linked: (flags & LINKED) !== 0,
    };
  }

  #reserve(number: number): void {
    if (number < this.#flags.length) return;
    // All paths that are known will probably get a row.
    const rows = Math.max(this.paths.length, grown(this.#flags.length));
    const numbers = new Float64Array(NUMBERS * rows);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const flags = new Uint8Array(rows);
    flags.set(this.#flags);
    this.#flags = flags;
  }
}

function flagsOf({ hidden, linked }: Pick<FileState, 'hidden' | 'linked'>): number {
  return LISTED | (hidden ? HIDDEN : 0) | (linked ? LINKED : 0);
}
