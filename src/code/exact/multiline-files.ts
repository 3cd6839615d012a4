import { NotOpened, readWhole } from '../../contract/open-file.ts';
import type { Span } from '../../regex/simulate.ts';
import { MAX_FILE_BYTES, skipReason, textOf } from '../files/file-content.ts';
import type { SkipReason } from '../files/source-tree.ts';
import type { Candidate } from '../trigram/merge-candidates.ts';
import { isGone } from './read-candidate.ts';
import { matchingPaths, ONLY_THESE, type RipgrepRun } from './ripgrep.ts';
import { parseMessage, type RipgrepMessage, textBytes } from './ripgrep-files.ts';
import { listsOf } from './ripgrep-lists.ts';
import { patternArguments, ripgrepOutput } from './ripgrep-process.ts';
import { TextSecrets } from './secret-line.ts';
import { byName, isNameable } from './unnameable-files.ts';

/*
 * Matches that span lines. ripgrep finds them in the text that this process has read. What is shown depends only on the
 * text without its secrets: each secret becomes one byte that no pattern matches, and a match that touches one does not
 * count. Any other match is in the file itself as well, so a file in which ripgrep finds nothing at first has none.
 */

/** A line of a file, without its secrets and its line break. */
export interface CleanedLine {
  readonly bytes: Buffer;
  /** Where the line starts in the file's text. */
  readonly offset: number;
  readonly redacted: boolean;
}

/** Adjacent lines that matches cover. */
export interface MatchedLines {
  /** The first and the last line, from 1. */
  readonly first: number;
  readonly last: number;
  /** The matches in each of the lines, in bytes; unknown in a file with secrets. */
  readonly places: readonly (readonly Span[])[];
}

/** A file with matches. */
export interface MultilineFile {
  readonly path: string;
  readonly bytes: number;
  readonly blocks: readonly MatchedLines[];
  /** Line `number` of the file, from 1. */
  line(number: number): CleanedLine | undefined;
}

export interface MultilineRun extends RipgrepRun {
  readonly onSkipped: (path: string, reason: SkipReason) => void;
  readonly onSearched: (files: number) => void;
}

/** Files per run: what ripgrep finds in them is kept until all are searched. */
const FILES_AT_ONCE = 64;
const NEWLINE = 10;
/** No character pattern matches this byte. */
const GAP = 0xff;

/** The files with matches, in path order. */
export async function* multilineFiles(
  run: MultilineRun,
  candidates: Iterator<Candidate>,
): AsyncGenerator<MultilineFile> {
  for (const list of listsOf(candidates)) {
    const paths = list.map(({ file }) => file.path);
    const matching = await matchingPaths(run, paths);
    const found = paths.filter((path) => matching.has(path));
    run.onSearched(paths.length - found.length);
    for (let from = 0; from < found.length; from += FILES_AT_ONCE) {
      const some = found.slice(from, from + FILES_AT_ONCE);
      const messages = await matchesIn(run, byName(run.root, some).nameable);
      for (const path of some) {
        const file = await fileOf(run, path, messages.get(path) ?? []);
        run.onSearched(1);
        if (typeof file === 'string') run.onSkipped(path, file);
        else if (file !== undefined && file.blocks.length > 0) yield file;
      }
    }
  }
}

/** ripgrep's matches by path. */
async function matchesIn(
  { root, pattern, everything, signal }: RipgrepRun,
  paths: readonly string[],
  input?: Buffer,
): Promise<Map<string, RipgrepMessage['data'][]>> {
  const found = new Map<string, RipgrepMessage['data'][]>();
  const places = input === undefined ? paths.map((path) => `./${path}`) : ['--encoding=none', '-'];
  const args = [...patternArguments(pattern, everything), '--json', ...ONLY_THESE, ...places];
  if (places.length === 0) return found;
  for await (const piece of ripgrepOutput(args, root, signal, input)) {
    for (let from = 0, end = piece.indexOf(NEWLINE); end !== -1; end = piece.indexOf(NEWLINE, from)) {
      const { type, data } = parseMessage(piece.toString('utf8', from, end));
      from = end + 1;
      if (type !== 'match') continue;
      const path = textBytes(data.path).toString('utf8').replace(/^\.\//, '');
      const known = found.get(path);
      if (known === undefined) found.set(path, [data]);
      else known.push(data);
    }
  }
  return found;
}

/** The part of a file that may be shown, or the reason why it is not searched; undefined if it was deleted. */
async function fileOf(
  run: RipgrepRun,
  path: string,
  raw: readonly RipgrepMessage['data'][],
): Promise<MultilineFile | SkipReason | undefined> {
  let content: Buffer;
  try {
    content = readWhole(`${run.root}/${path}`, 'exact', MAX_FILE_BYTES);
  } catch (error) {
    if (error instanceof NotOpened && error.why === 'size') return 'too_large';
    return isGone(error) ? undefined : 'unreadable';
  }
  const text = textOf(content);
  const skipped = run.everything ? undefined : skipReason(text.bytes);
  if (skipped !== undefined) return skipped;
  const { lines, searched } = withGaps(text.bytes);
  // Without secrets, what ripgrep found in the file itself is valid.
  const inFile = searched.gaps.length === 0 && isNameable(run.root, path);
  if (inFile) {
    // ripgrep opened the file by its path, so its matches are compared with the text that was read here.
    const isSame = raw.every(({ absolute_offset: from = 0, lines: found }) =>
      text.bytes.subarray(from, from + textBytes(found).length).equals(textBytes(found)),
    );
    if (!isSame) return 'unreadable';
  }
  const messages = inFile ? raw : [...(await matchesIn(run, [path], searched.bytes)).values()].flat();
  const blocks = messages.flatMap((message) => blockOf(message, searched));
  return { path, bytes: content.length, blocks, line: (number) => lines[number - 1] };
}

/** A text with one byte in place of each secret. */
interface SearchedText {
  readonly bytes: Buffer;
  /** Where these bytes are. */
  readonly gaps: readonly number[];
}

function withGaps(bytes: Buffer): {
  readonly lines: readonly CleanedLine[];
  readonly searched: SearchedText;
} {
  const secrets = new TextSecrets({ first: 0, read: (from, to) => bytes.subarray(from, to) });
  const lines: CleanedLine[] = [];
  const parts: Buffer[] = [];
  const gaps: number[] = [];
  let length = 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (let from = 0; from < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(from, to);
    const clean = secrets.clean(line, from);
    lines.push({ bytes: clean?.bytes ?? line, offset: from, redacted: clean !== undefined });
    if (clean === undefined) add(line);
    else {
      // If the rest of the line was changed too, all of it is a gap.
      const isKept = clean.gaps.length > 0 && Buffer.from(line.toString('utf8')).equals(line);
      let kept = 0;
      for (const gap of isKept ? clean.gaps : [{ start: 0, end: clean.bytes.length }]) {
        add(clean.bytes.subarray(kept, gap.start));
        gaps.push(length);
        add(Buffer.of(GAP));
        kept = gap.end;
      }
      add(clean.bytes.subarray(kept));
    }
    if (newline !== -1) add(bytes.subarray(newline, newline + 1));
    from = to + 1;
  }
  return { lines, searched: { bytes: gaps.length === 0 ? bytes : Buffer.concat(parts), gaps } };
}

/** The lines that a message covers; none if each of its matches touches a secret. */
function blockOf(data: RipgrepMessage['data'], { gaps }: SearchedText): MatchedLines[] {
  const text = textBytes(data.lines);
  const from = data.absolute_offset ?? 0;
  const matches = (data.submatches ?? []).filter(
    ({ start, end }) => !gaps.some((gap) => gap >= from + start - 1 && gap <= from + end),
  );
  if (matches.length === 0) return [];
  const starts = [0];
  for (let end = text.indexOf(NEWLINE); end !== -1 && end < text.length - 1; ) {
    starts.push(end + 1);
    end = text.indexOf(NEWLINE, end + 1);
  }
  const places: Span[][] = starts.map(() => []);
  let line = 0;
  // If the file has a secret, positions in its lines differ from those in the searched text.
  for (const { start, end } of gaps.length > 0 ? [] : matches) {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= start) line++;
    for (let index = line; (starts[index] ?? Number.POSITIVE_INFINITY) <= end; index++) {
      const from = starts[index] ?? 0;
      const to = (starts[index + 1] ?? text.length + 1) - 1;
      const place = { start: Math.max(start, from) - from, end: Math.min(end, to) - from };
      if (place.end > place.start || start === end) places[index]?.push(place);
    }
  }
  const first = data.line_number ?? 1;
  return [{ first, last: first + starts.length - 1, places }];
}
