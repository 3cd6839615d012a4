import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EVENT_TYPES, type EventType } from '../model/event.ts';

/** Texts of a block are joined by a character that text does not hold. */
export const SEPARATOR = '\u001e';
const BLOCK_SIZE = 16 * 1024;
/** Neighbouring pieces of a cut text share this much, so that no short match is lost between them. */
export const OVERLAP = 512;
/** Texts longer than this are redacted on their own before they are cut. */
const LONG = 12 * 1024;

export interface BlockEntry {
  readonly event: number;
  readonly type: EventType;
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

/** Gathers texts of events into blocks of about 16 kB. */
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

  /** Takes up a block that was stored unfinished. */
  resume(block: Block): void {
    this.#entries = [...block.entries];
    this.#size = block.size;
    this.#minMs = block.minMs;
    this.#maxMs = block.maxMs;
  }

  add(event: number, type: EventType, text: string, ms: number): void {
    const plain = text.includes(SEPARATOR) ? text.replaceAll(SEPARATOR, ' ') : text;
    if (plain.length <= LONG) {
      this.#put(event, type, plain, ms);
      return;
    }
    const clean = this.#redact(plain);
    for (let start = 0; start < clean.length; start += BLOCK_SIZE - OVERLAP) {
      this.#put(event, type, clean.slice(start, start + BLOCK_SIZE), ms);
      if (start + BLOCK_SIZE >= clean.length) break;
    }
  }

  #put(event: number, type: EventType, text: string, ms: number): void {
    if (this.#size + text.length > BLOCK_SIZE && this.#entries.length > 0) this.#close(false);
    this.#entries.push({ event, type, text });
    this.#size += text.length + 1;
    if (ms < this.#minMs) this.#minMs = ms;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  /** Hands out what is left as an unfinished block. */
  finish(): void {
    if (this.#entries.length > 0) this.#close(this.#size < BLOCK_SIZE / 2);
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

/** Redacts many texts in one go; a secret that seems to span two of them is looked for in each alone. */
function redactAll(entries: readonly BlockEntry[], redact: (text: string) => string): readonly BlockEntry[] {
  const joined = entries.map((entry) => entry.text).join(SEPARATOR);
  const clean = redact(joined);
  if (clean === joined) return entries;
  const pieces = clean.split(SEPARATOR);
  if (pieces.length !== entries.length)
    return entries.map((entry) => ({ ...entry, text: redact(entry.text) }));
  return entries.map((entry, index) => ({ ...entry, text: pieces[index] ?? '' }));
}

/** Text of a block and the marks that tell which event each piece is of: index differences with a type digit. */
export function packBlock(block: Block): { body: Buffer; marks: string; text: string } {
  const text = block.entries.map((entry) => entry.text).join(SEPARATOR);
  let last = 0;
  const marks = block.entries.map(({ event, type }) => {
    const step = event - last;
    last = event;
    return `${EVENT_TYPES.indexOf(type)}${step.toString(36)}`;
  });
  return { body: deflateRawSync(text, { level: 1 }), marks: marks.join(' '), text };
}

/** Room for a whole block, so that it is unpacked in one go. */
const UNPACKED = 24 * 1024;

/** The text of a block as bytes. */
export function unpackBytes(body: Uint8Array): Buffer {
  return inflateRawSync(body, { chunkSize: UNPACKED });
}

export function unpackBody(body: Uint8Array): string {
  return unpackBytes(body).toString('utf8');
}

export function unpackMarks(marks: string): readonly { event: number; type: EventType }[] {
  let event = 0;
  return marks.split(' ').map((mark) => {
    event += Number.parseInt(mark.slice(1), 36);
    return { event, type: EVENT_TYPES[Number(mark[0])] ?? 'notification' };
  });
}
