import { Transform, type TransformCallback } from 'node:stream';
import { createIdFinder, type IdFinder, type MessageId } from './message-id.ts';

/** Below the 10 MB at which the SDK closes the connection. */
const MAX_MESSAGE_BYTES = 8_000_000;
const NEWLINE = 0x0a;
const INVALID_REQUEST = -32600;

/**
 * Passes whole lines of JSON-RPC on. A line that is too long is neither kept in memory nor passed on: `reply` gets an
 * error with the id of its request, and the connection stays open.
 */
export function withoutLongLines(reply: (message: string) => void, maxBytes = MAX_MESSAGE_BYTES): Transform {
  let parts: Buffer[] = [];
  let length = 0;
  let finder: IdFinder | undefined;

  const take = (part: Buffer) => {
    length += part.length;
    if (finder === undefined && length > maxBytes) {
      finder = createIdFinder();
      for (const earlier of parts) finder.read(earlier);
      parts = [];
    }
    if (finder === undefined) parts.push(part);
    else finder.read(part);
  };
  const endLine = (stream: Transform) => {
    if (finder === undefined) stream.push(Buffer.concat(parts));
    else reply(tooLong(finder.id(), maxBytes));
    parts = [];
    length = 0;
    finder = undefined;
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      for (let start = 0; start < chunk.length; ) {
        const newline = chunk.indexOf(NEWLINE, start);
        const end = newline === -1 ? chunk.length : newline + 1;
        take(chunk.subarray(start, end));
        if (newline !== -1) endLine(this);
        start = end;
      }
      done();
    },
  });
}

function tooLong(id: MessageId, maxBytes: number): string {
  const message = `A message must be at most ${maxBytes.toLocaleString('en')} bytes. Send less.`;
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`;
}
