import type { Matcher } from '../../regex/matcher.ts';
import { contextText, type Hit, type LineStyle, lineText } from './hits.ts';
import type { RipgrepFile } from './ripgrep.ts';
import { matchesOnlySecret, onlySecretsMatched } from './secret-line.ts';

/** One message of `--json`, as far as it is used. */
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

/** Puts the messages of ripgrep about one file together. */
export class RipgrepFiles {
  readonly #style: LineStyle;
  readonly #matcher: Matcher | undefined;
  #path = '';
  #hits: Hit[] = [];
  #before: string[] = [];

  constructor(style: LineStyle, matcher: Matcher | undefined) {
    this.#style = style;
    this.#matcher = matcher;
  }

  /** Takes a message; gives back a file when it is complete. */
  take({ type, data }: RipgrepMessage): Omit<RipgrepFile, 'moved'> | undefined {
    if (type === 'begin') {
      this.#path = textBytes(data.path).toString('utf8').replace(/^\.\//, '');
      this.#hits = [];
      this.#before = [];
    } else if (type === 'match') this.#match(data);
    else if (type === 'context') this.#context(data);
    else if (type === 'end')
      return { path: this.#path, hits: this.#hits, binary: typeof data.binary_offset === 'number' };
    return undefined;
  }

  #match(data: RipgrepMessage['data']): void {
    const style = this.#style;
    const line = lineBytes(data.lines);
    if (this.#onlySecret(line, data)) {
      this.#context(data);
      return;
    }
    const hit: Hit = { line: data.line_number ?? 0, ...lineText(line, data.submatches?.[0], style) };
    const before = this.#before.slice(-style.before);
    this.#hits.push(style.before > 0 && before.length > 0 ? { ...hit, before } : hit);
    this.#noteAfter(contextText(line, style), data.line_number ?? 0);
    this.#before = [...before, contextText(line, style)];
  }

  #onlySecret(line: Buffer, data: RipgrepMessage['data']): boolean {
    if (this.#matcher !== undefined) return matchesOnlySecret(this.#matcher, line);
    const matched = (data.submatches ?? []).map(({ match }) => textBytes(match).toString('utf8'));
    return onlySecretsMatched(line, matched);
  }

  #context(data: RipgrepMessage['data']): void {
    const text = contextText(lineBytes(data.lines), this.#style);
    this.#noteAfter(text, data.line_number ?? 0);
    if (this.#style.before > 0) this.#before.push(text);
  }

  /** The line also follows the hits shortly before it. */
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
  // Written by the ripgrep that this package brings along.
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
