import { createHash } from 'node:crypto';
import { at, float32At, uint32At } from '../../contract/at.ts';
import type { Chunk } from '../chunk/chunk.ts';
import { chunkText } from '../chunk/chunker.ts';
import type { Embedder } from '../embed/embedder.ts';
import { toUnit } from '../embed/static-model.ts';
import { VectorWriter } from '../embed/vector-writer.ts';
import { languageOf } from '../languages.ts';
import { rolesOf } from '../rank/file-roles.ts';
import type { SymbolReader } from '../symbols/extract/symbol-reader.ts';
import { memoryNumbers, type NumberSource } from '../words/byte-source.ts';
import { packTexts } from '../words/packed-texts.ts';
import { eachTerm, identifierTerms, WHOLE_MARK, wholeName } from '../words/terms.ts';
import { BODY, commentLines, SIGNATURE, SYMBOL } from '../words/word-fields.ts';
import { PREFIX, WordIndexBuilder } from '../words/word-index.ts';
import { FileTable } from './file-table.ts';
import type { ChunkLabel, IndexedFile, Segment } from './semantic-segment.ts';

/** A file to add to a segment. */
export interface FileText {
  readonly path: string;
  readonly text: string;
  readonly hash: string;
  readonly size: number;
  readonly mtimeMs: number;
}

const PATH_FOLDERS = 3;

/** Builds a segment from files, one by one. */
export class SegmentBuilder {
  readonly #embedder: Embedder;
  readonly #readSymbols: SymbolReader | undefined;
  readonly #words = new WordIndexBuilder();
  readonly #files: IndexedFile[] = [];
  readonly #labels: string[] = [];
  readonly #lineStart: number[] = [];
  readonly #lineEnd: number[] = [];
  readonly #length: number[] = [];
  readonly #definedAt: number[] = [0];
  readonly #runAt: number[] = [0];
  readonly #runTerms: number[] = [];
  readonly #chunkVectors: VectorWriter;
  readonly #fileVectors: VectorWriter;
  readonly #pathVectors: VectorWriter;

  constructor(embedder: Embedder, readSymbols?: SymbolReader) {
    this.#embedder = embedder;
    this.#readSymbols = readSymbols;
    this.#chunkVectors = new VectorWriter(embedder.dimensions);
    this.#fileVectors = new VectorWriter(embedder.dimensions);
    this.#pathVectors = new VectorWriter(embedder.dimensions);
  }

  get chunks(): number {
    return this.#labels.length;
  }

  async add({ path, text, hash, size, mtimeMs }: FileText): Promise<void> {
    const language = languageOf(path);
    const lines = text.split('\n');
    const symbols = language === undefined ? undefined : this.#readSymbols?.(text, path, language);
    const chunks = chunkText(text, language, lines, symbols);
    const starts = lineStarts(lines);
    const texts = chunks.map(({ lineStart, lineEnd }) =>
      text.slice(starts[lineStart - 1], uint32At(starts, lineEnd) - 1),
    );
    const vectors = await this.#embedder.passages(path, texts);
    const chunkFrom = this.#labels.length;
    const comments = commentLines(lines, language);
    for (const chunk of chunks) this.#addChunk(chunk, lines, comments);
    this.#addVectors(path, vectors);
    this.#addPath(path);
    const roles = rolesOf(path, language, text);
    const chunkTo = this.#labels.length;
    this.#files.push({ path, hash, size, mtimeMs, language, lines: lines.length, roles, chunkFrom, chunkTo });
  }

  finish(): Segment {
    const words = this.#words.finish();
    const numbers = (list: readonly number[]): NumberSource => memoryNumbers(Uint32Array.from(list));
    return {
      model: this.#embedder.name,
      files: new FileTable(this.#files),
      lineStart: numbers(this.#lineStart),
      lineEnd: numbers(this.#lineEnd),
      length: numbers(this.#length),
      labels: packTexts(this.#labels),
      words,
      definedAt: numbers(this.#definedAt),
      runAt: numbers(this.#runAt),
      runTerms: memoryNumbers(Uint32Array.from(this.#runTerms, (id) => uint32At(words.numbers, id))),
      chunkVectors: this.#chunkVectors.finish(),
      fileVectors: this.#fileVectors.finish(),
      pathVectors: this.#pathVectors.finish(),
    };
  }

  #addChunk(chunk: Chunk, lines: readonly string[], comments: Uint8Array): void {
    const words = this.#words;
    const { lineStart, lineEnd, kind, symbol, breadcrumb, defines } = chunk;
    const number = this.#labels.length;
    for (let line = lineStart - 1; line < lineEnd; line++) {
      words.countText(at(lines, line), comments[line] === 1);
    }
    for (const name of defines) this.#addDefined(name);
    for (const name of breadcrumb) {
      for (const term of identifierTerms(name)) words.count(words.id(term), SIGNATURE);
    }
    this.#length.push(words.flush(number));
    for (const name of new Set(defines.map(wholeName))) {
      words.count(words.id(PREFIX.defined + name), BODY);
    }
    words.flush(number);
    this.#definedAt.push(this.#runAt.length - 1);
    const label: ChunkLabel = { kind, symbol, breadcrumb };
    this.#labels.push(JSON.stringify(label));
    this.#lineStart.push(lineStart);
    this.#lineEnd.push(lineEnd);
  }

  #addDefined(name: string): void {
    for (const term of identifierTerms(name)) {
      const id = this.#words.id(term);
      this.#words.count(id, SYMBOL);
      if (!term.startsWith(WHOLE_MARK)) this.#runTerms.push(id);
    }
    this.#runAt.push(this.#runTerms.length);
  }

  #addVectors(path: string, vectors: readonly Float32Array[]): void {
    const mean = new Float32Array(this.#embedder.dimensions);
    for (const vector of vectors) {
      this.#chunkVectors.add(vector);
      for (let at = 0; at < mean.length; at++) mean[at] = float32At(mean, at) + float32At(vector, at);
    }
    this.#fileVectors.add(toUnit(mean));
    const named = this.#embedder.path?.(path);
    if (named !== undefined) this.#pathVectors.add(named);
  }

  #addPath(path: string): void {
    const parts = path.split('/');
    const stem = (parts.pop() ?? '').replace(/(?<=.)\.\w+$/, '');
    for (const [prefix, text] of [
      [PREFIX.stem, stem],
      [PREFIX.folder, parts.slice(-PATH_FOLDERS).join(' ')],
    ] as const) {
      eachTerm(text.replaceAll('-', '_'), (term) => this.#words.count(this.#words.id(prefix + term), BODY));
    }
    this.#words.flush(this.#files.length);
  }
}

/** A short hash of a content. */
export function contentHash(content: Buffer): string {
  return createHash('sha1').update(content).digest('base64url').slice(0, 16);
}

/** Where each line starts, and where one more line would start. */
function lineStarts(lines: readonly string[]): Uint32Array {
  const starts = new Uint32Array(lines.length + 1);
  for (const [at, line] of lines.entries()) starts[at + 1] = uint32At(starts, at) + line.length + 1;
  return starts;
}
