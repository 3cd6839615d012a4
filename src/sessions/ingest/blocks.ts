import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EVENT_TYPES, type EventType } from '../model/event.ts';

/** Separates the texts of a block; does not occur in texts. */
export const SEPARATOR = '\u001e';
const BLOCK_CHARACTERS = 16 * 1024;
/** Neighbouring pieces of a text overlap by at least this much, so that no short match is lost between them. */
export const OVERLAP_CHARACTERS = 512;
/** The overlap is extended to a whole line, up to this much. */
const LINE_OVERLAP_CHARACTERS = 4 * 1024;
/** Texts longer than this are redacted separately before they are cut. */
const LONG_TEXT_CHARACTERS = 12 * 1024;

/** Where a piece of text comes from. */
export interface Mark {
  readonly event: number;
  readonly type: EventType;
  /** How much the piece overlaps with the previous one, if the text of the event was cut. */
  readonly shared?: number | undefined;
  /** The piece begins in the middle of a line. */
  readonly broken?: boolean | undefined;
}

export interface BlockEntry extends Mark {
  readonly text: string;
}

export interface Block {
  readonly entries: readonly BlockEntry[];
  readonly minMs: number;
  readonly maxMs: number;
  readonly size: number;
  /** More text may still be added. */
  readonly unfinished: boolean;
}

/** Collects texts of events in blocks of about 16 kB. */
export class BlockBuilder {
  #entries: BlockEntry[] = [];
  #size = 0;
  #minMs = Number.POSITIVE_INFINITY;
  #maxMs = 0;
  readonly #redact: (text: string) => string;
  readonly #emit: (block: Block) => void;

  constructor(redact: (text: string) => string, emit: (block: Block) => void) {
    this.#redact = redact;
    this.#emit = emit;
  }

  /** Continues a block that was stored unfinished. */
  resume(block: Block): void {
    this.#entries = [...block.entries];
    this.#size = block.size;
    this.#minMs = block.minMs;
    this.#maxMs = block.maxMs;
  }

  /** Marks a text that is already here as a prompt. */
  isPrompt(event: number): void {
    this.#entries = this.#entries.map((entry) =>
      entry.event === event ? { ...entry, type: 'user' } : entry,
    );
  }

  add(event: number, type: EventType, text: string, ms: number): void {
    const plain = text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, ' ') : text;
    if (plain.length <= LONG_TEXT_CHARACTERS) {
      this.#put({ event, type, text: plain }, ms);
      return;
    }
    for (const piece of cutText(this.#redact(plain))) this.#put({ event, type, ...piece }, ms);
  }

  #put(entry: BlockEntry, ms: number): void {
    const { text } = entry;
    if (this.#size + text.length > BLOCK_CHARACTERS && this.#entries.length > 0) this.#close(false);
    this.#entries.push(entry);
    this.#size += text.length + 1;
    if (ms < this.#minMs) this.#minMs = ms;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  /** Emits what is left as an unfinished block. */
  finish(): void {
    if (this.#entries.length > 0) this.#close(this.#size < BLOCK_CHARACTERS / 2);
  }

  #close(unfinished: boolean): void {
    const entries = redactAll(this.#entries, this.#redact);
    this.#emit({ entries, minMs: this.#minMs, maxMs: this.#maxMs, size: this.#size, unfinished });
    this.#entries = [];
    this.#size = 0;
    this.#minMs = Number.POSITIVE_INFINITY;
    this.#maxMs = 0;
  }
}

/** Cuts a long text into pieces of whole lines, unless a line is very long. */
function* cutText(text: string): Generator<Pick<BlockEntry, 'text' | 'shared' | 'broken'>> {
  for (let start = 0, shared = 0; ; ) {
    const end = pieceEnd(text, start);
    const broken = start > 0 && text[start - 1] !== '\n';
    yield { text: text.slice(start, end), shared: shared || undefined, broken: broken || undefined };
    if (end >= text.length) return;
    const next = nextStart(text, start, end);
    shared = end - next;
    start = next;
  }
}

function pieceEnd(text: string, start: number): number {
  const most = start + BLOCK_CHARACTERS;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most - 1) + 1;
  return line > start + BLOCK_CHARACTERS / 2 ? line : wholeCharacter(text, most);
}

function nextStart(text: string, start: number, end: number): number {
  const wanted = end - OVERLAP_CHARACTERS;
  const line = text.lastIndexOf('\n', wanted - 1) + 1;
  return line > start && wanted - line <= LINE_OVERLAP_CHARACTERS ? line : wholeCharacter(text, wanted);
}

/** This position, or the one before if this one is inside a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}

/** Whether a line of this piece may continue in another one. */
export function isBroken({ broken }: Mark, text: string): boolean {
  return broken === true || text.length >= BLOCK_CHARACTERS - 1;
}

/** Redacts many texts at once; if a secret seems to span two of them, each is redacted separately. */
function redactAll(entries: readonly BlockEntry[], redact: (text: string) => string): readonly BlockEntry[] {
  const joined = entries.map((entry) => entry.text).join(SEPARATOR);
  const clean = redact(joined);
  if (clean === joined) return entries;
  const pieces = clean.split(SEPARATOR);
  if (pieces.length !== entries.length)
    return entries.map((entry) => ({ ...entry, text: redact(entry.text) }));
  return entries.map((entry, index) => ({ ...entry, text: pieces[index] ?? '' }));
}

/**
 * The text of a block, and marks that say which event each piece belongs to: a digit for the type, the difference from
 * the previous event, and after `+` (or `-` in the middle of a line) the overlap with the previous piece.
 */
export function packBlock(block: Block): { body: Buffer; marks: string; text: string } {
  const text = block.entries.map((entry) => entry.text).join(SEPARATOR);
  let last = 0;
  const marks = block.entries.map(({ event, type, shared = 0, broken }) => {
    const step = event - last;
    last = event;
    const cut = shared > 0 ? `${broken === true ? '-' : '+'}${shared.toString(36)}` : '';
    return `${EVENT_TYPES.indexOf(type)}${step.toString(36)}${cut}`;
  });
  return { body: deflateRawSync(text, { level: 1 }), marks: marks.join(' '), text };
}

/** Enough for a whole block, so that it is unpacked in one go. */
const UNPACK_BYTES = 24 * 1024;

/** The text of a block as bytes. */
export function unpackBytes(body: Uint8Array): Buffer {
  return inflateRawSync(body, { chunkSize: UNPACK_BYTES });
}

export function unpackBody(body: Uint8Array): string {
  return unpackBytes(body).toString('utf8');
}

export function unpackMarks(marks: string): readonly Mark[] {
  let event = 0;
  return marks.split(' ').map((mark) => {
    const [step = '', shared] = mark.slice(1).split(/[+-]/);
    event += Number.parseInt(step, 36);
    const known: Mark = { event, type: EVENT_TYPES[Number(mark[0])] ?? 'notification' };
    if (shared === undefined) return known;
    return { ...known, shared: Number.parseInt(shared, 36), broken: mark.includes('-') || undefined };
  });
}
