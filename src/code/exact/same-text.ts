import { closeSync, readSync } from 'node:fs';
import { type OpenFile, openFile } from '../../contract/open-file.ts';
import { MAX_FILE_BYTES, textOf } from '../files/file-content.ts';
import { type RipgrepMessage, textBytes } from './ripgrep-files.ts';
import type { TextParts } from './secret-line.ts';

/**
 * ripgrep opens files by path, and follows links that were put there in the meantime. So each line that it reports is
 * compared with the file at the path, opened without following links, and a file with a different line is left out.
 * Secrets around a line are also looked for in the text of that same file, by ripgrep's byte offsets.
 */
export class SameText implements TextParts {
  readonly first = 0;
  readonly #root: string;
  #open: OpenFile | undefined;
  /** Bytes before the text: a byte order mark. */
  #lead = 0;
  /** The text, if the file is in another encoding. */
  #converted: Buffer | undefined;
  #same = false;

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether every line that ripgrep has reported of the current file so far is in it. */
  get holds(): boolean {
    return this.#same;
  }

  /** Takes ripgrep's messages in order. */
  take({ type, data }: RipgrepMessage): void {
    if (type === 'begin') this.#begin(textBytes(data.path).toString('utf8').replace(/^\.\//, ''));
    else if (type === 'match' || type === 'context')
      this.#same &&= this.#has(data.absolute_offset ?? 0, textBytes(data.lines));
    else if (type === 'end') this.close();
  }

  read(from: number, to: number): Buffer {
    return this.#converted?.subarray(from, to) ?? this.#readFile(from + this.#lead, to - from);
  }

  close(): void {
    if (this.#open !== undefined) closeSync(this.#open.fd);
    this.#open = undefined;
    this.#converted = undefined;
  }

  #begin(path: string): void {
    this.close();
    this.#same = false;
    try {
      this.#open = openFile(`${this.#root}/${path}`, 'exact');
      const { offset, converted } = textOf(this.#readFile(0, 4));
      this.#lead = offset;
      if (converted) this.#converted = textOf(this.#readFile(0, this.#convertible)).bytes;
      this.#same = true;
    } catch {
      // Deleted, or no longer a plain file.
    }
  }

  get #convertible(): number {
    const size = this.#open?.stats.size ?? 0;
    return size > MAX_FILE_BYTES ? 0 : size;
  }

  #has(offset: number, line: Buffer): boolean {
    return this.read(offset, offset + line.length).equals(line);
  }

  #readFile(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    const fd = this.#open?.fd;
    let done = 0;
    while (fd !== undefined && done < length) {
      const count = readSync(fd, bytes, done, length - done, from + done);
      if (count === 0) break;
      done += count;
    }
    return bytes.subarray(0, done);
  }
}
