import { Transform, type TransformCallback } from 'node:stream';
import { createIdFinder, type IdFinder, type MessageId } from './message-id.ts';

/** Below the 10 MB at which the SDK gives up the connection. */
export const MESSAGE_BYTES = 8_000_000;
const NEWLINE = 0x0a;
const INVALID_REQUEST = -32600;

/**
 * Hands on whole lines of JSON-RPC. A line that is too long is not kept in memory and not handed on; `reply` gets an
 * error for it, with the id of its request, and the connection lives on.
 */
export function withoutLongLines(reply: (message: string) => void, most = MESSAGE_BYTES): Transform {
  let parts: Buffer[] = [];
  let length = 0;
  let finder: IdFinder | undefined;

  const take = (part: Buffer) => {
    length += part.length;
    if (finder === undefined && length > most) {
      finder = createIdFinder();
      for (const earlier of parts) finder.read(earlier);
      parts = [];
    }
    if (finder === undefined) parts.push(part);
    else finder.read(part);
  };
  const endLine = (stream: Transform) => {
    if (finder === undefined) stream.push(Buffer.concat(parts));
    else reply(tooLong(finder.id(), most));
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

function tooLong(id: MessageId, most: number): string {
  const message = `A message must be at most ${most.toLocaleString('en')} bytes. Send less.`;
  return `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } })}\n`;
}
