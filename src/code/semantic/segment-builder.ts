import { createHash } from 'node:crypto';
import type { Chunk } from '../chunk/chunk.ts';
import { chunkText, type SyntaxReader } from '../chunk/chunker.ts';
import { pathText, type StaticModel, toUnit } from '../embed/static-model.ts';
import { VectorWriter } from '../embed/vector-writer.ts';
import { languageOf } from '../languages.ts';
import { rolesOf } from '../rank/roles.ts';
import { BODY, commentLines, SIGNATURE, SYMBOL } from '../words/fields.ts';
import { eachTerm, identifierTerms, WHOLE, wholeName } from '../words/terms.ts';
import { PREFIX, WordIndexBuilder } from '../words/word-index.ts';
import type { ChunkLabel, IndexedFile, Segment } from './segment.ts';

const PATH_FOLDERS = 3;

/** Reads files one by one into a segment. */
export class SegmentBuilder {
  readonly #model: StaticModel;
  readonly #syntax: SyntaxReader | undefined;
  readonly #words = new WordIndexBuilder();
  readonly #files: IndexedFile[] = [];
  readonly #labels: ChunkLabel[] = [];
  readonly #lineStart: number[] = [];
  readonly #lineEnd: number[] = [];
  readonly #length: number[] = [];
  readonly #definedAt: number[] = [0];
  readonly #runAt: number[] = [0];
  readonly #runTerms: number[] = [];
  readonly #chunkVectors: VectorWriter;
  readonly #fileVectors: VectorWriter;
  readonly #pathVectors: VectorWriter;

  constructor(model: StaticModel, syntax?: SyntaxReader) {
    this.#model = model;
    this.#syntax = syntax;
    this.#chunkVectors = new VectorWriter(model.dimensions);
    this.#fileVectors = new VectorWriter(model.dimensions);
    this.#pathVectors = new VectorWriter(model.dimensions);
  }

  add(path: string, text: string): void {
    const language = languageOf(path);
    const lines = text.split('\n');
    const chunkFrom = this.#labels.length;
    const comments = commentLines(lines, language);
    const pathSum = this.#model.pathSum(path);
    const mean = new Float32Array(this.#model.dimensions);
    for (const chunk of chunkText(text, language, lines, this.#syntax)) {
      this.#addChunk(chunk, lines, comments);
      const vector = this.#model.embedChunk(
        lines.slice(chunk.lineStart - 1, chunk.lineEnd).join('\n'),
        pathSum,
      );
      this.#chunkVectors.add(vector);
      for (let at = 0; at < mean.length; at++) mean[at] = (mean[at] ?? 0) + (vector[at] ?? 0);
    }
    this.#fileVectors.add(toUnit(mean));
    this.#pathVectors.add(this.#model.embedQuery(pathText(path)));
    this.#addPath(path);
    this.#files.push({
      path,
      hash: contentHash(text),
      language,
      lines: lines.length,
      roles: rolesOf(path, language, text),
      chunkFrom,
      chunkTo: this.#labels.length,
    });
  }

  #addChunk(chunk: Chunk, lines: readonly string[], comments: Uint8Array): void {
    const words = this.#words;
    const { lineStart, lineEnd, kind, symbol, breadcrumb, defines } = chunk;
    const number = this.#labels.length;
    for (let line = lineStart - 1; line < lineEnd; line++)
      words.countText(lines[line] ?? '', comments[line] === 1);
    for (const name of defines) this.#addDefined(name);
    for (const name of breadcrumb)
      for (const term of identifierTerms(name)) words.count(words.id(term), SIGNATURE);
    this.#length.push(words.flush(number));
    for (const name of new Set(defines.map(wholeName))) {
      words.count(words.id(PREFIX.defined + name), BODY);
    }
    words.flush(number);
    this.#definedAt.push(this.#runAt.length - 1);
    this.#labels.push({ kind, symbol, breadcrumb });
    this.#lineStart.push(lineStart);
    this.#lineEnd.push(lineEnd);
  }

  #addDefined(name: string): void {
    for (const term of identifierTerms(name)) {
      const id = this.#words.id(term);
      this.#words.count(id, SYMBOL);
      if (!term.startsWith(WHOLE)) this.#runTerms.push(id);
    }
    this.#runAt.push(this.#runTerms.length);
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

  finish(): Segment {
    return {
      files: this.#files,
      lineStart: Uint32Array.from(this.#lineStart),
      lineEnd: Uint32Array.from(this.#lineEnd),
      length: Uint32Array.from(this.#length),
      labels: this.#labels,
      words: this.#words.finish(),
      definedAt: Uint32Array.from(this.#definedAt),
      runAt: Uint32Array.from(this.#runAt),
      runTerms: Uint32Array.from(this.#runTerms),
      chunkVectors: this.#chunkVectors.finish(),
      fileVectors: this.#fileVectors.finish(),
      pathVectors: this.#pathVectors.finish(),
    };
  }
}

/** A short name for a content; equal content, equal name. */
export function contentHash(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 16);
}
