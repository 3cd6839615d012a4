import { writeSync } from 'node:fs';
import { Walker } from './disk-walk.ts';
import { EntryBatch } from './entry-batch.ts';
import { FRAME, HEAD_BYTES, type ScannerCommand } from './scanner-frames.ts';

/*
 * One scanner: a process of its own, because only a process can change its working folder. It reads commands as lines
 * of JSON from its input and writes frames to its output (see scanner-frames.ts).
 */

/** How long it walks before it checks for commands. */
const SLICE_MS = 8;
const STDOUT = 1;

const batch = new EntryBatch();
let walker: Walker | undefined;
let commands = 0;
let walking = false;
let unread = '';

process.stdin.setEncoding('utf8');
process.stdin.on('data', (text: string) => {
  const lines = (unread + text).split('\n');
  unread = lines.pop() ?? '';
  // The only writer of these lines is the process that started this one.
  for (const line of lines) execute(JSON.parse(line) as ScannerCommand);
});
process.stdin.on('end', () => process.exit(0));

function execute(command: ScannerCommand): void {
  commands++;
  if (command.op === 'start') walker = new Walker(command.options, command.index, batch);
  else if (command.op === 'scan') {
    walker?.push(command.dirs);
    if (!walking) setImmediate(walk);
    walking = true;
  } else if (command.op === 'give') {
    send(FRAME.gave, { dirs: walker?.give() ?? [] });
    if (!walking) send(FRAME.idle, { commands });
  } else {
    send(FRAME.done, walker?.report ?? {});
    process.exit(0);
  }
}

function walk(): void {
  if (walker === undefined) return;
  const end = performance.now() + SLICE_MS;
  while (walker.pending > 0 && performance.now() < end) {
    walker.step();
    if (batch.full) flush();
  }
  if (walker.pending > 0) setImmediate(walk);
  else {
    walking = false;
    flush();
    // The count tells the reader whether it has sent more commands in the meantime.
    send(FRAME.idle, { commands });
  }
}

function flush(): void {
  const frame = batch.take(walker?.pending ?? 0);
  if (frame !== undefined) write(frame);
}

function send(type: number, message: unknown): void {
  const text = Buffer.from(JSON.stringify(message));
  const frame = Buffer.alloc(HEAD_BYTES + Math.ceil(text.length / 8) * 8, 0x20);
  frame.writeUInt32LE(type, 0);
  frame.writeUInt32LE(frame.length - HEAD_BYTES, 4);
  text.copy(frame, HEAD_BYTES);
  write(frame);
}

function write(frame: Uint8Array): void {
  let at = 0;
  while (at < frame.length) {
    try {
      at += writeSync(STDOUT, frame, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) process.exit(1);
    }
  }
}
