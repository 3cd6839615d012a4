import { uint32At } from '../../contract/at.ts';
import { definers, labelOf, linesOf, type SearchIndex } from '../semantic/search-index.ts';
import { termsOf, wholeName } from '../words/terms.ts';
import { PREFIX } from '../words/word-index.ts';
import { isSameLanguage, namedPath, sameEnd } from './named-path.ts';
import type { Frame } from './read-frames.ts';

/** A call of a stack trace in the files of an index. */
export interface FoundFrame {
  readonly file: number;
  readonly chunk: number;
  readonly frame: Frame;
}

/** Frames looked up, and files that may be meant by one name. */
const MAX_LOOKED_UP = 60;
const MAX_FILES_BY_NAME = 5;
/** Shorter names are common. */
const MIN_LONE_NAME = 6;
/** Standard libraries and installed packages: rarely where the fault is, if own files are in the trace, too. */
const FOREIGN =
  /[\\/](?:site-packages|dist-packages|node_modules|rustc|\.cargo|gems|usr[\\/]local[\\/]go|lib[\\/]python[\d.]+|vendor)[\\/]|^(?:node:|java\.)/;

/** The calls of a trace that are in an index: own files before libraries, then where it happened first. */
export function findFrames(
  index: SearchIndex,
  frames: readonly Frame[],
  accept: (file: number) => boolean,
): readonly FoundFrame[] {
  const found = new Map<string, FoundFrame & { readonly isForeign: boolean }>();
  for (const frame of frames.slice(0, MAX_LOOKED_UP)) {
    const one = fileAndChunk(index, frame, accept);
    if (one === undefined) continue;
    const key = `${one.file} ${frame.name ?? one.chunk} ${frame.within.at(-1)}`;
    if (!found.has(key)) found.set(key, { ...one, frame, isForeign: FOREIGN.test(frame.path ?? '') });
  }
  const all = [...found.values()];
  return [...all.filter(({ isForeign }) => !isForeign), ...all.filter(({ isForeign }) => isForeign)];
}

function fileAndChunk(
  index: SearchIndex,
  frame: Frame,
  accept: (file: number) => boolean,
): Pick<FoundFrame, 'file' | 'chunk'> | undefined {
  const defining = frame.name === undefined ? [] : definers(index, wholeName(frame.name));
  const own = defining.filter((chunk) => accept(uint32At(index.fileOf, chunk)));
  const definingFiles = new Set(own.map((chunk) => uint32At(index.fileOf, chunk)));
  const file = fileOf(index, frame, accept, definingFiles) ?? fileByName(index, frame, definingFiles);
  if (file === undefined) return undefined;
  const named = own.filter((chunk) => uint32At(index.fileOf, chunk) === file);
  const chunk = named.length > 0 ? bestChunk(index, named, frame) : chunkAtLine(index, file, frame.line);
  return chunk === undefined ? undefined : { file, chunk };
}

/** The file that a frame names: the one whose path agrees most. */
function fileOf(
  index: SearchIndex,
  { path, within }: Frame,
  accept: (file: number) => boolean,
  defining: ReadonlySet<number>,
): number | undefined {
  if (path === undefined) return undefined;
  const named = namedPath(path);
  let best: { readonly file: number; readonly worth: number } | undefined;
  for (const file of filesNamed(index, named.parts.at(-1) ?? '')) {
    if (!accept(file)) continue;
    const own = namedPath(index.files.path(file));
    if (!isSameLanguage(named.extension, own.extension)) continue;
    const same = sameEnd(named.parts, own.parts);
    // A file at the root has no folder to compare.
    const isWhole = same === own.parts.length && defining.has(file);
    if (same < Math.min(named.parts.length, 2) && !isWhole) continue;
    const hints = own.parts.filter((part) => within.includes(part)).length;
    const worth =
      8 * same + hints + (defining.has(file) ? 6 : 0) + (named.extension === own.extension ? 0.5 : 0);
    if (best === undefined || worth > best.worth) best = { file, worth };
  }
  return best?.file;
}

/** Where the function is, if its file is not known: a file that also has the type around it, or the only one. */
function fileByName(
  index: SearchIndex,
  { path, name = '', within }: Frame,
  defining: ReadonlySet<number>,
): number | undefined {
  // Every program has one.
  if (name === 'main') return undefined;
  const extension = path === undefined ? undefined : namedPath(path).extension;
  const files = [...defining].filter(
    (file) =>
      extension === undefined || isSameLanguage(extension, namedPath(index.files.path(file)).extension),
  );
  const type = within.at(-1);
  if (type !== undefined) {
    const around = new Set(definers(index, wholeName(type)).map((chunk) => uint32At(index.fileOf, chunk)));
    const both = files.filter((file) => around.has(file));
    if (both.length > 0 && both.length <= MAX_FILES_BY_NAME) return both[0];
  }
  return files.length === 1 && name.length >= MIN_LONE_NAME ? files[0] : undefined;
}

/** Of the chunks that define the function: in the type that the frame names, then the nearest to its line. */
function bestChunk(
  index: SearchIndex,
  chunks: readonly number[],
  { line, within }: Frame,
): number | undefined {
  const type = within.at(-1);
  const farness = (chunk: number): number => {
    const { line_start, line_end } = linesOf(index, chunk);
    const away = line === undefined ? 0 : Math.max(0, line_start - line, line - line_end);
    const { symbol, breadcrumb } = labelOf(index, chunk);
    const isInType = type === undefined || symbol === type || breadcrumb.includes(type);
    return away + (isInType ? 0 : 1e6);
  };
  return chunks.toSorted((a, b) => farness(a) - farness(b))[0];
}

function chunkAtLine(index: SearchIndex, file: number, line: number | undefined): number | undefined {
  if (line === undefined) return undefined;
  for (
    let chunk = uint32At(index.firstChunkOf, file);
    chunk < uint32At(index.firstChunkOf, file + 1);
    chunk++
  )
    if (linesOf(index, chunk).line_end >= line) return chunk;
  return undefined;
}

/** Files with this name, without folders and extension. */
function filesNamed(index: SearchIndex, name: string): readonly number[] {
  // The longest is the whole name, if it has several words.
  const [term] = termsOf(name.replaceAll('-', '_')).toSorted((a, b) => b.length - a.length);
  if (term === undefined) return [];
  const files: number[] = [];
  for (const { reader, firstFile } of index.parts) {
    const found = reader.find(PREFIX.stem + term);
    if (found !== undefined) reader.owners(found, (owner) => files.push(firstFile + owner));
  }
  return files.filter((file) => namedPath(index.files.path(file)).parts.at(-1) === name);
}
