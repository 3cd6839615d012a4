import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { workerFile } from '../../threads/worker-file.ts';
import { frameReader } from './frame-reader.ts';
import { ERROR_KINDS, type ErrorKind, MAX_ERROR_SAMPLES } from './node-kinds.ts';
import { ScanStage } from './scan-stage.ts';
import {
  type DirTask,
  FRAME,
  type ScannerCommand,
  type WalkOptions,
  type WalkReport,
} from './scanner-frames.ts';

const MAX_SCANNERS = 8;
/** Every core has a scanner, so helper threads for compiling and garbage collection would only slow down the others. */
const NODE_FLAGS = ['--single-threaded', '--max-semi-space-size=8'];
/** A scanner with fewer waiting folders is not asked to share. */
const MIN_FOLDERS_TO_SHARE = 4;

export interface ScanCounts {
  readonly entries: number;
  readonly dirsDone: number;
  readonly dirsLeft: number;
}

export interface PoolOptions {
  readonly walk: WalkOptions;
  readonly signal: AbortSignal;
  readonly onProgress?: (counts: ScanCounts) => void;
  readonly scanners?: number;
  /** The number of the first scanner; above 0 if others have scanned before. */
  readonly first?: number;
}

export interface Scanned {
  /** What each scanner read, in its own order. */
  readonly stages: readonly ScanStage[];
  readonly report: WalkReport;
}

interface Scanner {
  readonly process: ChildProcess;
  readonly stage: ScanStage;
  sent: number;
  pending: number;
  busy: boolean;
  asked: boolean;
}

/*
 * This does not use src/threads: entries arrive as binary frames through a pipe, several hundred megabytes in a large
 * scan, which an IPC channel would serialise, and a scanner can be told to give away work while it walks.
 */

/** Starts the scanners before there is work, because starting takes a moment. */
export function startScanners(options: PoolOptions): { scan(tasks: readonly DirTask[]): Promise<Scanned> } {
  // To follow links, one scanner must know everything that was seen.
  const wanted = options.walk.followSymlinks ? 1 : (options.scanners ?? availableParallelism());
  const count = Math.min(MAX_SCANNERS, Math.max(1, wanted));
  const scanners = Array.from({ length: count }, (_, index) =>
    startScanner((options.first ?? 0) + index, options.walk),
  );
  return { scan: (tasks) => run(scanners, tasks, options) };
}

function startScanner(index: number, walk: WalkOptions): Scanner {
  const file = workerFile(new URL('./scanner.worker.ts', import.meta.url));
  const child = spawn(process.execPath, [...NODE_FLAGS, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const scanner = { process: child, stage: new ScanStage(), sent: 0, pending: 0, busy: false, asked: false };
  child.stdin.on('error', () => undefined);
  tell(scanner, { op: 'start', options: walk, index });
  return scanner;
}

function tell(scanner: Scanner, command: ScannerCommand): void {
  scanner.sent++;
  scanner.process.stdin?.write(`${JSON.stringify(command)}\n`);
}

function assign(scanner: Scanner, dirs: readonly DirTask[]): void {
  scanner.busy = true;
  scanner.pending += dirs.length;
  tell(scanner, { op: 'scan', dirs });
}

function run(
  scanners: readonly Scanner[],
  tasks: readonly DirTask[],
  options: PoolOptions,
): Promise<Scanned> {
  return new Promise((resolve, reject) => {
    const { signal } = options;
    const reports: WalkReport[] = [];
    let ended = false;
    const stop = (error?: unknown) => {
      if (ended) return;
      ended = true;
      signal.removeEventListener('abort', abort);
      if (error === undefined) resolve({ stages: scanners.map((s) => s.stage), report: merged(reports) });
      else {
        for (const scanner of scanners) scanner.process.kill('SIGKILL');
        reject(error);
      }
    };
    const abort = () => stop(signal.reason ?? new Error('The scan was cancelled.'));
    signal.addEventListener('abort', abort);

    const share = () => {
      const idle = scanners.filter((s) => !s.busy);
      if (idle.length === scanners.length) {
        for (const scanner of scanners) tell(scanner, { op: 'end' });
        return;
      }
      if (idle.length === 0 || scanners.some((s) => s.asked)) return;
      const [richest] = scanners.filter((s) => s.busy).sort((a, b) => b.pending - a.pending);
      if (richest === undefined || richest.pending < MIN_FOLDERS_TO_SHARE) return;
      richest.asked = true;
      tell(richest, { op: 'give' });
    };
    const progress = () => {
      const sum = (of: (s: Scanner) => number) => scanners.reduce((total, s) => total + of(s), 0);
      options.onProgress?.({
        entries: sum((s) => s.stage.entries),
        dirsDone: sum((s) => s.stage.listings),
        dirsLeft: sum((s) => s.pending),
      });
    };
    const onFrame = (scanner: Scanner, type: number, payload: Uint8Array) => {
      if (type === FRAME.entries) {
        scanner.pending = scanner.stage.add(payload);
        progress();
      } else if (type === FRAME.done) {
        reports.push(parsed<WalkReport>(payload));
        if (reports.length === scanners.length) stop();
        return;
      } else if (type === FRAME.idle) {
        scanner.pending = 0;
        scanner.busy = parsed<{ commands: number }>(payload).commands !== scanner.sent;
      } else if (type === FRAME.gave) {
        scanner.asked = false;
        const { dirs } = parsed<{ dirs: DirTask[] }>(payload);
        scanner.pending = Math.max(0, scanner.pending - dirs.length);
        const idle = scanners.filter((s) => !s.busy);
        spread(idle.length > 0 ? idle : [scanner], dirs);
      }
      share();
    };
    for (const scanner of scanners) {
      scanner.process.stdout?.on(
        'data',
        frameReader((type, payload) => onFrame(scanner, type, payload)),
      );
      scanner.process.on('error', stop);
      scanner.process.on('exit', (code) => {
        if (code !== 0) stop(new Error(`A scanner process ended with ${code ?? 'a signal'}.`));
      });
    }
    if (signal.aborted) abort();
    else if (tasks.length === 0) share();
    else spread(scanners, tasks);
  });
}

/** Distributes folders among scanners in turn. */
function spread(scanners: readonly Scanner[], dirs: readonly DirTask[]): void {
  scanners.forEach((scanner, i) => {
    const part = dirs.filter((_, at) => at % scanners.length === i);
    if (part.length > 0) assign(scanner, part);
  });
}

/** Our own scanner wrote it, so the shape is known. */
function parsed<Message>(payload: Uint8Array): Message {
  return JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString()) as Message;
}

function merged(reports: readonly WalkReport[]): WalkReport {
  const errors: Partial<Record<ErrorKind, number>> = {};
  for (const kind of ERROR_KINDS) {
    const count = reports.reduce((total, report) => total + (report.errors[kind] ?? 0), 0);
    if (count > 0) errors[kind] = count;
  }
  return { errors, samples: reports.flatMap((report) => report.samples).slice(0, MAX_ERROR_SAMPLES) };
}
