import type { Matcher } from '../../regex/matcher.ts';
import { contextText, type Hit, type LineStyle, lineText } from './hits.ts';
import type { RipgrepFile } from './ripgrep.ts';
import { type CleanLine, matchesCleanInTime, type TextParts, TextSecrets } from './secret-line.ts';

/** The parts of a `--json` message that are used. */
export interface RipgrepMessage {
  readonly type: string;
  readonly data: {
    readonly path?: Text;
    readonly lines?: Text;
    readonly line_number?: number | null;
    readonly submatches?: readonly { readonly match: Text; readonly start: number; readonly end: number }[];
    readonly binary_offset?: number | null;
    readonly absolute_offset?: number;
    readonly stats?: { readonly bytes_searched: number };
  };
}
type Text = { readonly text: string } | { readonly bytes: string };

/** A file with more hits than this comes in several pieces. */
const MAX_HITS_PER_PIECE = 256;

type Found = Omit<RipgrepFile, 'moved'>;

/** Collects ripgrep's messages about one file. */
export class RipgrepFiles {
  readonly #text: TextParts;
  readonly #style: LineStyle;
  readonly #matcher: Matcher | undefined;
  #path = '';
  #hits: Hit[] = [];
  #before: string[] = [];
  #secrets: TextSecrets;

  /** `text` reads the file that the current messages are about. */
  constructor(text: TextParts, style: LineStyle, matcher: Matcher | undefined) {
    this.#text = text;
    this.#secrets = new TextSecrets(text);
    this.#style = style;
    this.#matcher = matcher;
  }

  /** Takes a message; returns a file when it is complete, or a piece of one with many hits. */
  take({ type, data }: RipgrepMessage): Found | undefined {
    if (type === 'begin') {
      this.#secrets = new TextSecrets(this.#text);
      this.#path = textBytes(data.path).toString('utf8').replace(/^\.\//, '');
      this.#hits = [];
      this.#before = [];
    } else if (type === 'match') {
      if (this.#hits.length >= MAX_HITS_PER_PIECE) return this.#part(data);
      this.#match(data);
    } else if (type === 'context') this.#context(data);
    else if (type === 'end')
      return { path: this.#path, hits: this.#hits, binary: typeof data.binary_offset === 'number' };
    return undefined;
  }

  /** The hits that get no more context lines. */
  #part(data: RipgrepMessage['data']): Found | undefined {
    const open = this.#hits.findIndex((hit) => (data.line_number ?? 0) - hit.line <= this.#style.after);
    const hits = this.#hits.splice(0, open === -1 ? this.#hits.length : open);
    this.#match(data);
    return hits.length === 0 ? undefined : { path: this.#path, hits, binary: false };
  }

  #match(data: RipgrepMessage['data']): void {
    const style = this.#style;
    const line = lineBytes(data.lines);
    const clean = this.#clean(line, data);
    if (clean !== undefined && !matchesCleanInTime(this.#matcher, clean)) {
      this.#add(clean.bytes, data);
      return;
    }
    const shown = clean?.bytes ?? line;
    // The position of the match may reveal the secret, so the match is found again without it.
    const place = clean === undefined ? data.submatches?.[0] : this.#matcher?.locate(shown, 0, shown.length);
    const number = data.line_number ?? 0;
    const text = { line: number, ...lineText(shown, place, style) };
    const hit: Hit = clean === undefined ? text : { ...text, redacted: true };
    const before = style.before === 0 ? [] : this.#before.slice(-style.before);
    this.#add(shown, data);
    this.#hits.push(before.length > 0 ? { ...hit, before } : hit);
  }

  #context(data: RipgrepMessage['data']): void {
    const line = lineBytes(data.lines);
    this.#add(this.#clean(line, data)?.bytes ?? line, data);
  }

  #clean(line: Buffer, data: RipgrepMessage['data']): CleanLine | undefined {
    return this.#secrets.clean(line, data.absolute_offset ?? 0);
  }

  /** A context line of nearby hits. */
  #add(line: Buffer, data: RipgrepMessage['data']): void {
    const { before, after } = this.#style;
    if (before + after === 0) return;
    const text = contextText(line, this.#style);
    this.#noteAfter(text, data.line_number ?? 0);
    this.#before = before === 0 ? [] : [...this.#before.slice(1 - before), text].slice(-before);
  }

  /** Adds the line to the hits shortly before it. */
  #noteAfter(text: string, line: number): void {
    for (let index = this.#hits.length - 1; index >= 0; index--) {
      const hit = this.#hits[index];
      if (hit === undefined || line - hit.line > this.#style.after) return;
      if (hit.line < line) this.#hits[index] = { ...hit, after: [...(hit.after ?? []), text] };
    }
  }
}

/** Reads a line of `--json`. */
export function parseMessage(line: string): RipgrepMessage {
  // Written by the ripgrep that is bundled with this package.
  return JSON.parse(line) as RipgrepMessage;
}

export function textBytes(text: Text | undefined): Buffer {
  if (text === undefined) return Buffer.alloc(0);
  return 'text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64');
}

function lineBytes(text: Text | undefined): Buffer {
  const bytes = textBytes(text);
  return bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
}
