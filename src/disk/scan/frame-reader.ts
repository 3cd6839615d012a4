import { HEAD_BYTES } from './scanner-frames.ts';

/** Called with a complete frame; the payload starts at the beginning of its own buffer. */
export type OnFrame = (type: number, payload: Uint8Array) => void;

/** Cuts a stream of chunks into frames. */
export function frameReader(onFrame: OnFrame): (chunk: Uint8Array) => void {
  const head = Buffer.alloc(HEAD_BYTES);
  let headBytes = 0;
  let payload: Uint8Array | undefined;
  let payloadBytes = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (payload === undefined) {
        const part = chunk.subarray(at, at + HEAD_BYTES - headBytes);
        head.set(part, headBytes);
        headBytes += part.length;
        at += part.length;
        if (headBytes < HEAD_BYTES) return;
        payload = new Uint8Array(head.readUInt32LE(4));
        payloadBytes = 0;
      }
      const part = chunk.subarray(at, at + payload.length - payloadBytes);
      payload.set(part, payloadBytes);
      payloadBytes += part.length;
      at += part.length;
      if (payloadBytes === payload.length) {
        const whole = payload;
        payload = undefined;
        headBytes = 0;
        onFrame(head.readUInt32LE(0), whole);
      }
    }
  };
}
