import { join } from 'node:path';
import { uint32At } from '../../contract/at.ts';
import { Lru } from '../../contract/lru.ts';
import type { Embedder } from '../embed/embedder.ts';
import { type EmbedderChoice, openEmbedder } from '../embed/open-embedder.ts';
import { vectorAt } from '../embed/vectors.ts';
import { pathFilter } from '../exact/file-filter.ts';
import { questionWeights } from '../rank/question-weights.ts';
import { type RankOptions, rank } from '../rank/rank.ts';
import { type Query, readQuery } from '../rank/read-query.ts';
import { alikeWords } from '../rank/thesaurus.ts';
import type { FileTable } from './file-table.ts';
import { holdsRepositories } from './repository-collection.ts';
import {
  type JoinedIndex,
  joinSegments,
  labelOf,
  linesOf,
  partOfFile,
  type SearchIndex,
} from './search-index.ts';
import type { SemanticAnswer, SemanticHit, SemanticQuestion } from './semantic-answer.ts';
import { type OpenSegment, openSegment } from './semantic-segment-reader.ts';
import { smallSegments } from './small-segments.ts';
import { whyUnread } from './why-unread.ts';

/** Which segments make up the index of a root. */
export interface SegmentList {
  readonly root: string;
  /** Segment files, oldest first; a later one hides the same paths in earlier ones. */
  readonly files: readonly string[];
  readonly gone: readonly string[];
  /** Segments whose files the caller knows; only those of others are reported. */
  readonly have: readonly string[];
  readonly embedder: EmbedderChoice;
}

/** Indexed files in columns, which are cheap to send between threads. */
export interface FileColumns {
  /** Joined by NUL, each with one at its end. */
  readonly paths: Uint8Array;
  /** Size and time of each. */
  readonly stamps: Float64Array;
  /** As `paths`. */
  readonly hashes: Uint8Array;
}

export interface LoadReport {
  readonly model: string | undefined;
  /** The files of the segments that the caller does not have. */
  readonly files: FileColumns;
  readonly chunks: number;
  readonly bytes: number;
}

interface Loaded {
  readonly open: ReadonlyMap<string, OpenSegment>;
  readonly index: JoinedIndex;
  /** Whether the folders of earlier questions contain several repositories. */
  readonly collections: Map<string, boolean>;
}

/** The loaded indexes by root. */
const indexes = new Map<string, Loaded>();
let model: Promise<Embedder> | undefined;

/** The model, opened once. */
export function opened(choice: EmbedderChoice): Promise<Embedder> {
  model ??= openEmbedder(choice);
  return model;
}

/** Makes the given segments the index of a root; segments that are already loaded are not read again. */
export function load({ root, files, gone, have, embedder }: SegmentList): LoadReport {
  warm(embedder);
  const before = indexes.get(root);
  const open = new Map(files.map((file) => [file, before?.open.get(file) ?? openSegment(file)]));
  for (const [file, segment] of before?.open ?? []) if (!open.has(file)) segment.close();
  const segments = [...open.values()];
  const grows = before !== undefined && [...before.open.keys()].every((file, at) => files[at] === file);
  const index = joinSegments(
    segments.map(({ segment }) => segment),
    new Set(gone),
    grows ? before.index : undefined,
  );
  indexes.set(root, { open, index, collections: grows ? before.collections : new Map() });
  const had = new Set(have);
  const added = [...open].flatMap(([file, { segment }]) => (had.has(file) ? [] : [segment.files]));
  return {
    model: segments[0]?.segment.model,
    files: columnsOf(added),
    chunks: index.chunks,
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function columnsOf(tables: readonly FileTable[]): FileColumns {
  const count = tables.reduce((sum, { length }) => sum + length, 0);
  const stamps = new Float64Array(2 * count);
  const paths: string[] = [];
  const hashes: string[] = [];
  for (const table of tables) {
    for (let number = 0; number < table.length; number++) {
      stamps.set([table.size(number), table.mtimeMs(number)], 2 * paths.length);
      paths.push(`${table.path(number)}\0`);
      hashes.push(`${table.hash(number)}\0`);
    }
  }
  return { paths: Buffer.from(paths.join('')), stamps, hashes: Buffer.from(hashes.join('')) };
}

/** The small segments of a loaded root, if there are many, and the paths whose newest text they have. */
export function smallest({ root, least }: { readonly root: string; readonly least?: number | undefined }): {
  readonly files: readonly string[];
  readonly paths: readonly string[];
} {
  const { open, index } = indexes.get(root) ?? { open: new Map<string, OpenSegment>(), index: undefined };
  const all = [...open.keys()].map((file, at) => ({ file, part: index?.parts[at] }));
  const sizes = all.map(({ part }) => {
    const { length = 0, textBytes = 0 } = part?.segment.files ?? {};
    return { files: length, textBytes };
  });
  const small = smallSegments(sizes, least).flatMap((place) => all[place] ?? []);
  const paths = small.flatMap(({ part }) =>
    [...(part?.segment.files ?? [])].flatMap(({ path }, local) =>
      index?.newest.get(index.files, path) === (part?.firstFile ?? 0) + local ? [path] : [],
    ),
  );
  return { files: small.map(({ file }) => file), paths };
}

/** Starts opening the model and the thesaurus, so that they are open for the first question. */
export function warm(embedder: EmbedderChoice): void {
  opened(embedder).then(
    () => alikeWords(''),
    () => {},
  );
}

/** The loaded index of a root. */
export function loadedIndex(root: string): SearchIndex | undefined {
  return indexes.get(root)?.index;
}

/** Frees the index of a root. */
export function unload({ root }: { readonly root: string }): void {
  for (const segment of indexes.get(root)?.open.values() ?? []) segment.close();
  indexes.delete(root);
}

/** Answers to the last questions about an index. Each load makes a new index, so they are never out of date. */
const answered = new WeakMap<SearchIndex, Lru<string, SemanticAnswer>>();
/** Each has up to 200 places, about 40 kB. */
const MAX_KEPT_ANSWERS = 64;

/** Answers a question about a loaded root. */
export async function ask(
  question: SemanticQuestion,
): Promise<SemanticAnswer | 'not loaded' | 'no such place'> {
  const loaded = indexes.get(question.root);
  if (loaded === undefined) return 'not loaded';
  const { index } = loaded;
  const answers = answered.get(index) ?? new Lru<string, SemanticAnswer>({ most: MAX_KEPT_ANSWERS });
  answered.set(index, answers);
  const key = JSON.stringify(question);
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = await findAnswer(loaded, question);
  if (typeof answer !== 'string') answers.set(key, answer);
  return answer;
}

async function findAnswer(
  { index, collections }: Loaded,
  question: SemanticQuestion,
): Promise<SemanticAnswer | 'no such place'> {
  const started = performance.now();
  const asked =
    question.like === undefined
      ? await fromText(index, question.text ?? '', await opened(question.embedder))
      : fromPlace(index, question.like);
  if (asked === undefined) return 'no such place';
  const accept = acceptFiles(index, question.filter);
  const { phrase } = await opened(question.embedder);
  const weigh = questionWeights(index);
  const embed = phrase && question.like === undefined ? (text: string) => phrase(text, weigh) : undefined;
  const unread = question.like === undefined ? whyUnread(index, asked.query, asked.vector) : undefined;
  const options: RankOptions = {
    mode: question.like === undefined ? question.mode : 'semantic',
    vector: asked.vector,
    titleVector: asked.titleVector,
    alike: asked.alike,
    alikeVector: asked.alikeVector,
    embed,
    accept,
    collection: isCollection(collections, join(question.root, question.filter.below)),
  };
  const ranked = unread === undefined ? rank(index, asked.query, options) : [];
  const hits: SemanticHit[] = [];
  for (const { file, chunk, score, worth, parts, frame } of ranked) {
    if (hits.length >= question.limit) break;
    if (score < question.minScore || chunk === asked.chunk) continue;
    const { path, language, size, mtimeMs } = index.files.at(file);
    const place = { path, ...linesOf(index, chunk), ...labelOf(index, chunk) };
    hits.push({
      ...place,
      language,
      score,
      worth,
      size,
      mtimeMs,
      ...(frame && { frame }),
      ...(question.explain === true && { parts: parts() }),
    });
  }
  const { kind, terms, identifiers } = asked.query;
  return {
    hits,
    plan: {
      kind: question.like === undefined ? kind : 'like',
      terms: terms.map(({ term }) => term),
      identifiers: [...identifiers],
      ...(unread && { unread }),
      files: index.files.length,
      chunks: index.chunks,
      ms: performance.now() - started,
    },
  };
}

function isCollection(known: Map<string, boolean>, folder: string): boolean {
  const found = known.get(folder) ?? holdsRepositories(folder);
  known.set(folder, found);
  return found;
}

interface Asked {
  readonly query: Query;
  readonly vector: Float32Array;
  readonly alike?: RankOptions['alike'];
  /** The same words as one text. */
  readonly alikeText?: string;
  readonly alikeVector?: RankOptions['alikeVector'];
  readonly titleVector?: Float32Array | undefined;
  /** The chunk that the question is about, which is not an answer. */
  readonly chunk?: number;
}

/** The question that a text asks of an index. */
export async function fromText(index: SearchIndex, text: string, model: Embedder): Promise<Asked> {
  const query = readQuery(text);
  const weigh = questionWeights(index);
  const { report } = query;
  if (report === undefined) {
    const vector = await model.question(text, weigh);
    if (query.kind === 'symbol') return { query, vector };
    const { terms, text: alike } = alikeWords(text);
    // A second vector is free only with our own model.
    const isFree = model.phrase !== undefined && alike !== '';
    return {
      query,
      vector,
      alike: terms,
      alikeText: alike,
      alikeVector: isFree ? await model.question(alike, weigh) : undefined,
    };
  }
  const vector = await model.question(report.text, (word) => weigh(word) * report.weightOf(word));
  return { query, vector, titleVector: await model.question(report.title, weigh) };
}

/** The vector of the chunk at a place. Its words are not used, because its own file has them all. */
function fromPlace(index: JoinedIndex, { path, line }: { path: string; line: number }): Asked | undefined {
  const file = index.newest.get(index.files, path);
  if (file === undefined || index.fileLength[file] === 0) return undefined;
  const part = partOfFile(index, file);
  for (
    let chunk = uint32At(index.firstChunkOf, file);
    chunk < uint32At(index.firstChunkOf, file + 1);
    chunk++
  ) {
    const { line_start, line_end } = linesOf(index, chunk);
    if (line < line_start || line > line_end) continue;
    return {
      query: readQuery(''),
      vector: vectorAt(part.segment.chunkVectors, chunk - part.firstChunk),
      chunk,
    };
  }
  return undefined;
}

/** The filter by file number; each path is tested once. */
function acceptFiles(
  index: SearchIndex,
  filter: SemanticQuestion['filter'],
): ((file: number) => boolean) | undefined {
  if (filter.below === '' && filter.globs.length === 0 && filter.language === undefined) return undefined;
  const test = pathFilter(filter);
  const answers = new Int8Array(index.files.length);
  return (file) => {
    if (answers[file] === 0) answers[file] = test(index.files.path(file)) ? 1 : -1;
    return answers[file] === 1;
  };
}
