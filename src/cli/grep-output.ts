/** A file with what was found in it. */
export interface GrepFile {
  readonly path: string;
  readonly hits: readonly GrepHit[];
  /** Number of matching lines, where only that was asked for. */
  readonly count?: number | undefined;
}

interface GrepHit {
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface GrepStyle {
  readonly form: 'lines' | 'files' | 'counts' | 'json';
  readonly numbers: boolean;
  /** The file's name above its lines instead of in front of each. */
  readonly heading: boolean;
  readonly colour: boolean;
  readonly before: number;
  readonly after: number;
  /** Lines of one file. */
  readonly most: number;
  /** Set when one file was named: then names are left out if it is that file. */
  readonly onlyFile: string | undefined;
}

/** What is needed to find the matches in a line again. */
export interface GrepPattern {
  readonly pattern: string;
  readonly fixed: boolean;
  readonly word: boolean;
  readonly case: 'smart' | 'sensitive' | 'insensitive';
}

type Paint = (text: string) => string;
const paint =
  (code: string): Paint =>
  (text) =>
    `\u001b[${code}m${text}\u001b[0m`;
const plain: Paint = (text) => text;

/** Writes files as ripgrep would. */
export async function grepPrinter(style: GrepStyle, pattern: GrepPattern) {
  const colours = style.colour
    ? { path: paint('35'), number: paint('32'), match: await matchPainter(pattern) }
    : { path: plain, number: plain, match: plain };
  let files = 0;
  const write = (text: string) => void process.stdout.write(`${text}\n`);

  const lines = ({ path, hits }: GrepFile) => {
    const named = style.onlyFile === undefined || path !== style.onlyFile;
    const context = style.before + style.after > 0;
    if (files > 0 && (style.heading || context)) write(style.heading ? '' : '--');
    if (style.heading && named) write(colours.path(path));
    const lead = (number: number, mark: string) =>
      `${named && !style.heading ? `${colours.path(path)}${mark}` : ''}${style.numbers ? `${colours.number(String(number))}${mark}` : ''}`;
    let last = 0;
    for (const [number, text, isHit] of shownLines(hits.slice(0, style.most), style)) {
      if (last > 0 && number > last + 1 && context) write('--');
      write(lead(number, isHit ? ':' : '-') + (isHit ? colours.match(text) : text));
      last = number;
    }
  };
  const json = ({ path, hits }: GrepFile) => {
    const name = { text: path };
    write(JSON.stringify({ type: 'begin', data: { path: name } }));
    for (const { line, text } of hits.slice(0, style.most)) {
      const data = { path: name, lines: { text: `${text}\n` }, line_number: line };
      write(JSON.stringify({ type: 'match', data }));
    }
    write(JSON.stringify({ type: 'end', data: { path: name, stats: { matched_lines: hits.length } } }));
  };
  return {
    file(file: GrepFile) {
      if (style.form === 'files') write(colours.path(file.path));
      else if (style.form === 'counts') {
        write(style.onlyFile === file.path ? String(file.count) : `${colours.path(file.path)}:${file.count}`);
      } else if (style.form === 'json') json(file);
      else lines(file);
      files++;
    },
    end() {
      if (style.form === 'json')
        write(JSON.stringify({ type: 'summary', data: { files_with_matches: files } }));
    },
  };
}

/** Hits with the lines around them, each line once, in order. */
function shownLines(hits: readonly GrepHit[], style: GrepStyle): (readonly [number, string, boolean])[] {
  const shown = new Map<number, readonly [string, boolean]>();
  for (const { line, text, before = [], after = [] } of hits) {
    const above = style.before === 0 ? [] : before.slice(-style.before);
    for (const [index, other] of above.entries()) add(shown, line - above.length + index, other);
    for (const [index, other] of after.slice(0, style.after).entries()) add(shown, line + 1 + index, other);
    shown.set(line, [text, true]);
  }
  return [...shown].map(([line, [text, isHit]]) => [line, text, isHit] as const).sort(([a], [b]) => a - b);
}

function add(shown: Map<number, readonly [string, boolean]>, line: number, text: string): void {
  if (!shown.has(line)) shown.set(line, [text, false]);
}

/** Colours every match of a line; the line as it is where only ripgrep itself understands the pattern. */
async function matchPainter(pattern: GrepPattern): Promise<Paint> {
  const { createMatcher } = await import('../regex/matcher.ts');
  const { smartCase } = await import('../code/search/smart-case.ts');
  const insensitive =
    pattern.case === 'smart' ? smartCase(pattern.pattern, pattern.fixed) : pattern.case === 'insensitive';
  try {
    const matcher = createMatcher({ ...pattern, insensitive });
    return (text) => paintMatches(text, (bytes, from) => matcher.locate(bytes, from, bytes.length));
  } catch {
    return plain;
  }
}

function paintMatches(
  text: string,
  locate: (bytes: Buffer, from: number) => { readonly start: number; readonly end: number } | undefined,
): string {
  const bytes = Buffer.from(text);
  const red = paint('1;31');
  let out = '';
  for (let from = 0; from < bytes.length; ) {
    const match = locate(bytes, from);
    if (match === undefined || match.end === match.start) return out + bytes.toString('utf8', from);
    out +=
      bytes.toString('utf8', from, from + match.start) +
      red(bytes.toString('utf8', from + match.start, from + match.end));
    from += match.end;
  }
  return out;
}
