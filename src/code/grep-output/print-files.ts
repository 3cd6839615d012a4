import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import { contents, type VerifyFile } from '../exact/read-candidate.ts';
import type { SkipReason } from '../files/source-tree.ts';
import { FilePrinter } from './file-printer.ts';
import { LinePrinter } from './line-printer.ts';
import { type PrintedFile, type PrintStyle, shownName } from './print-style.ts';

/** Files whose matches a thread prints. */
export interface PrintTask {
  readonly root: string;
  readonly pattern: PatternOptions;
  readonly files: readonly VerifyFile[];
  readonly style: PrintStyle;
  readonly everything: boolean;
  readonly sliceMs: number;
  /** Not zero once the reply is no longer needed. */
  readonly cancelled: Int32Array;
}

/** The result of a {@link PrintTask}. */
export interface PrintReply {
  readonly printed: readonly PrintedFile[];
  readonly skipped: readonly (readonly [path: string, reason: SkipReason])[];
  /** The first file that was not searched. */
  readonly next: number;
}

/** Prints the matches of files until the time slice is used up. */
export function printFiles(matcher: Matcher, task: PrintTask): PrintReply {
  const { style, everything, root } = task;
  const deadline = performance.now() + task.sliceMs;
  const printed: PrintedFile[] = [];
  const skipped: [string, SkipReason][] = [];
  const printer = new LinePrinter(style);
  const run = new FilePrinter(matcher, printer, style);
  const reading = { root, lines: { before: style.before, after: style.after }, everything };
  for (const [index, file] of task.files.entries()) {
    if (index > 0 && (performance.now() > deadline || Atomics.load(task.cancelled, 0) !== 0))
      return { printed, skipped, next: index };
    printer.begin(shownName(style, file.path));
    const reason = run.run(contents(reading, file, 0));
    if (reason !== undefined) skipped.push([file.path, reason]);
    const done = printer.end(run.searched);
    if (done !== undefined && reason === undefined) printed.push(done);
  }
  return { printed, skipped, next: task.files.length };
}
