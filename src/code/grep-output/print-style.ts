/** How matches are printed, modelled on ripgrep's options. */
export interface PrintStyle {
  /** Whole lines, only the matches, JSON messages, or only counts. */
  readonly form: 'lines' | 'only' | 'json' | 'counts';
  readonly before: number;
  readonly after: number;
  /** Print the lines that do not match. */
  readonly invert: boolean;
  /** Matching lines of one file. */
  readonly most: number;
  /** File names: in front of each line, or above the lines. */
  readonly names: 'none' | 'inline' | 'heading';
  readonly numbers: boolean;
  readonly columns: boolean;
  /** Show where in the file each line, or each match, begins. */
  readonly offsets: boolean;
  /** Leave out white space at the beginning of lines. */
  readonly trim: boolean;
  /** Printed where lines between context were left out, with its line break. */
  readonly gap: string;
  readonly colour: boolean;
  /** Print a NUL byte after each name. */
  readonly nul: boolean;
  /** A file is shown as this text followed by its path from `cut` on. */
  readonly lead: string;
  readonly cut: number;
}

/** `path:line:text`, with the path from the root. */
export const PLAIN_STYLE: PrintStyle = {
  form: 'lines',
  before: 0,
  after: 0,
  invert: false,
  most: Number.POSITIVE_INFINITY,
  names: 'inline',
  numbers: true,
  columns: false,
  offsets: false,
  trim: false,
  gap: '--\n',
  colour: false,
  nul: false,
  lead: '',
  cut: 0,
};

/** The printed matches of one file. */
export interface PrintedFile {
  readonly name: string;
  readonly text: Uint8Array;
  /** Matching lines, and matches in them if they were counted. */
  readonly lines: number;
  readonly matches: number;
  /** Bytes searched, and bytes printed. */
  readonly bytes: number;
  readonly printed: number;
}

/** The name under which a file is shown. */
export function shownName({ lead, cut }: Pick<PrintStyle, 'lead' | 'cut'>, path: string): string {
  const rest = path.slice(cut);
  return rest === '' || lead === '' ? lead + rest : `${lead}/${rest}`;
}

/** Prints in a colour, as ripgrep does, with a reset in front. */
export function painted(style: Pick<PrintStyle, 'colour'>, codes: readonly number[], text: string): string {
  if (!style.colour) return text;
  return `\u001b[0m${codes.map((code) => `\u001b[${code}m`).join('')}${text}\u001b[0m`;
}

/** The codes of ripgrep's own colours. */
export const COLOURS = { name: [35], number: [32], column: [], match: [1, 31] } as const;
