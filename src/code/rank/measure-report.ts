import { uint32At } from '../../contract/at.ts';
import { similarity } from '../embed/vectors.ts';
import { definers, partOfFile, type SearchIndex } from '../semantic/search-index.ts';
import { isSameLanguage, type NamedPath, namedPath, sameEnd } from './named-path.ts';
import type { NamedPlace } from './read-report.ts';
import type { ReportQuery } from './report-query.ts';
import type { ReportSignals } from './signal-weights.ts';

/** Parts at the end of a path that must agree, if a report gives that many. */
const MIN_PARTS = 2;
/** The share of a stack trace's worth that falls with a file's distance from the last frame. */
const LAST_FRAME = 0.6;

/** Returns the function that measures what a report says about one file; chunks `from` to `to` are its own. */
export function createReportMeasure(
  index: SearchIndex,
  report: ReportQuery,
  titleVector: Float32Array | undefined,
  accept: (file: number) => boolean,
): (file: number, from: number, to: number) => ReportSignals {
  const named = sharesByFile(index, report.names, accept, (before, share) => before + share);
  const namedInTrace = sharesByFile(index, report.traceNames, accept, Math.max);
  const frames = report.places.filter(({ isFrame }) => isFrame);
  const paths = report.places.filter(({ isFile, isFrame }) => isFile && !isFrame);
  return (file, from, to) => {
    const own = namedPath(index.files.path(file));
    const { segment, firstChunk } = partOfFile(index, file);
    let titleSemantic = 0;
    for (let chunk = from; titleVector !== undefined && chunk < to; chunk++)
      titleSemantic = Math.max(
        titleSemantic,
        similarity(segment.chunkVectors, chunk - firstChunk, titleVector),
      );
    return {
      titleSemantic,
      named: named.get(file) ?? 0,
      namedInTrace: namedInTrace.get(file) ?? 0,
      trace: traceWorth(frames, own),
      pathNamed: paths.some((place) => isAt(place, own)) ? 1 : 0,
    };
  };
}

/** For each file that defines any of the names: one over the number of files that do. */
function sharesByFile(
  index: SearchIndex,
  names: ReadonlySet<string>,
  accept: (file: number) => boolean,
  join: (before: number, share: number) => number,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const name of names) {
    const files = new Set(definers(index, name).map((chunk) => uint32At(index.fileOf, chunk)));
    const own = [...files].filter(accept);
    for (const file of own) found.set(file, join(found.get(file) ?? 0, 1 / own.length));
  }
  return found;
}

/** The last file of a trace is where the error occurred; the files before it led there. */
function traceWorth(frames: readonly NamedPlace[], own: NamedPath): number {
  const last = frames.findLastIndex((frame) => isAt(frame, own));
  return last === -1 ? 0 : 1 - LAST_FRAME + LAST_FRAME / (frames.length - last);
}

/** Whether a place is this file: the ends of both paths agree. */
function isAt({ parts, extension }: NamedPlace, own: NamedPath): boolean {
  if (extension !== undefined && !isSameLanguage(extension, own.extension)) return false;
  const same = sameEnd(parts, own.parts);
  return same >= Math.min(parts.length, MIN_PARTS) && same > 0;
}
