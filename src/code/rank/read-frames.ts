/** A call in a stack trace. */
export interface Frame {
  /** The file as it was written, if the trace has it. */
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  /** The function, without what it is in. */
  readonly name?: string | undefined;
  /** Packages, modules and types around the function, outermost first. */
  readonly within: readonly string[];
}

/** What one line of a trace says: a function, a file with a line, or both. */
interface FrameLine {
  readonly call?: string | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  /** The function is named after its file, before it, or called by the code there, as in PHP. */
  readonly order: 'both' | 'call first' | 'place' | 'calls';
}

interface FrameShape {
  readonly pattern: RegExp;
  readonly order: FrameLine['order'];
}

const PYTHON = /^\s*File "/;
/** Longer lines are not frames. */
const MAX_FRAME_LENGTH = 1_000;
/** Deeper calls than these say nothing more. */
const MAX_FRAMES = 200;
const PLACE = String.raw`(?<path>[^\s"'():]*[\w\])]\.[A-Za-z]\w{0,5}):(?<line>\d{1,7})(?::\d+)?`;
const SHAPES: readonly FrameShape[] = [
  // Python
  { pattern: /^\s*File "(?<path>[^"]+)", line (?<line>\d+)(?:, in (?<call>\S+))?/, order: 'both' },
  // Java, Kotlin, Scala
  { pattern: /^\s*at (?<call>[^\s(]+)\((?<path>[^():\s]+\.\w+)(?::(?<line>\d+))?\)/, order: 'both' },
  // C#
  { pattern: /^\s*at (?<call>[^\s(]+)\([^)]*\)(?: in (?<path>.+?):line (?<line>\d+))?\s*$/, order: 'both' },
  // JavaScript
  {
    pattern:
      /^\s*at (?:async |new )*(?<call>[^\s(]+)(?: \[as \S+\])? \((?:file:\/\/)?(?<path>[^()]+?\.\w+):(?<line>\d+)(?::\d+)?\)/,
    order: 'both',
  },
  { pattern: /^\s*at (?:async )?(?:file:\/\/)?(?<path>[^\s()]+\.\w+):(?<line>\d+):\d+\s*$/, order: 'place' },
  { pattern: /^(?<call>[\w$./<]*)@(?<path>\S+?\.\w+):(?<line>\d+):\d+\s*$/, order: 'both' },
  // Ruby
  {
    pattern:
      /^\s*(?:from |\d+: from )?(?<path>[^\s:]+\.(?:rb|rake|ru|erb)):(?<line>\d+):in [`'](?:(?:rescue|ensure|block(?: \(\d+ levels\))?) in )*(?<call>[^'`]+)'/,
    order: 'both',
  },
  // PHP
  { pattern: /^\s*#\d+ (?<path>[^\s()]+\.\w+)\((?<line>\d+)\): (?<call>[^\s(]+)\(/, order: 'calls' },
  { pattern: /\b(?:in|thrown in) (?<path>\S+\.php)(?::| on line )(?<line>\d+)/, order: 'place' },
  // gdb, sanitizers
  {
    pattern: new RegExp(String.raw`^\s*#\d+\s+(?:0x[\da-f]+ in )?(?<call>[^\s(]+).*? at ${PLACE}\s*$`, 'i'),
    order: 'both',
  },
  {
    pattern: new RegExp(String.raw`^\s*#\d+\s+0x[\da-f]+ in (?<call>[^\s(]+).*?\s${PLACE}\s*$`, 'i'),
    order: 'both',
  },
  // Elixir
  {
    pattern:
      /^\s*(?:\([^)]*\) )?(?<path>\S+\.exs?):(?<line>\d+): (?:anonymous fn\/\d+ in )?(?<call>[\w.!?]+)\/\d+/,
    order: 'both',
  },
  // Go and Rust name the function on a line of its own; some tools write both on one.
  {
    pattern: new RegExp(String.raw`^(?<call>[\w./~-]+\.(?:\(\*?\w+\)\.)?[\w.]+)\([^)]*\)\s+${PLACE}`),
    order: 'both',
  },
  {
    pattern: /^(?:created by )?(?<call>[\w./~-]+\.(?:\(\*?\w+(?:\[\.{3}\])?\)\.)?[\w.[\]]+)\((?:[^)]*)\)\s*$/,
    order: 'call first',
  },
  {
    pattern: /^created by (?<call>[\w./~-]+\.(?:\(\*?\w+\)\.)?[\w.]+)(?: in goroutine \d+)?\s*$/,
    order: 'call first',
  },
  {
    pattern:
      /^\s*\d+:\s+(?:0x[\da-f]+ - )?(?<call><?[A-Za-z_][\w<>&*, :{}#[\]$]*::[\w<>{}#:$]+|[a-z_]\w*)\s*$/,
    order: 'call first',
  },
  { pattern: new RegExp(String.raw`^\s+at ${PLACE}\s*$`), order: 'place' },
  { pattern: new RegExp(String.raw`^\s+${PLACE}(?: \+0x[\da-f]+)?\s*$`), order: 'place' },
  { pattern: new RegExp(`panicked at (?:'.*', )?${PLACE}`), order: 'place' },
];

/** Whether any frame of the line could match; most lines of a log could not. */
const MAYBE = /[.:]\d|", line \d|^\s*at |\)\s*$|^\s*\d+: |^created by |\(\d+\): | on line \d|:line \d|\/\d/;

/** A line of a stack trace; undefined for anything else. */
function readFrameLine(text: string): FrameLine | undefined {
  if (text.length > MAX_FRAME_LENGTH || !MAYBE.test(text)) return undefined;
  for (const { pattern, order } of SHAPES) {
    const { call, path, line } = pattern.exec(text)?.groups ?? {};
    if (call === undefined && path === undefined) continue;
    return { call, path, line: line === undefined ? undefined : Number(line), order };
  }
  return undefined;
}

/** The calls of the stack traces in a text, where it happened first, and the lines that they are on. */
export function readFrames(lines: readonly string[]): {
  readonly frames: readonly Frame[];
  readonly at: ReadonlySet<number>;
} {
  const frames: Frame[] = [];
  const at = new Set<number>();
  /** A function whose file is on the next line, and in PHP the place that the next function is in. */
  let pending: { readonly call: string; readonly number: number } | undefined;
  let thrown: { readonly path: string; readonly line: number | undefined } | undefined;
  for (const [number, text] of lines.entries()) {
    if (frames.length >= MAX_FRAMES) break;
    const found = readFrameLine(text);
    const before = pending;
    pending = undefined;
    if (found === undefined) continue;
    const { call, path, line, order } = found;
    if (order === 'call first' && call !== undefined) {
      pending = { call, number };
      continue;
    }
    at.add(number);
    if (order === 'calls') {
      frames.push(frameOf(call, thrown?.path, thrown?.line));
      thrown = path === undefined ? undefined : { path, line };
      continue;
    }
    if (order === 'place' && path?.endsWith('.php')) {
      thrown ??= { path, line };
      continue;
    }
    if (order === 'place' && before !== undefined) {
      at.add(before.number);
      frames.push(frameOf(before.call, path, line));
      continue;
    }
    const frame = frameOf(call, path, line);
    // Python writes where it happened last, all others first.
    if (PYTHON.test(text)) frames.unshift(frame);
    else frames.push(frame);
  }
  if (thrown !== undefined) frames.push(frameOf(undefined, thrown.path, thrown.line));
  return { frames, at };
}

/** What compilers write for functions without a name, and where coroutines go on. */
const NAMELESS =
  /^(?:func\d+|\d+|\w|lambda|closure|anonymous|module|main|top|required|invoke|invokeSuspend|MoveNext|call_once|[db]__\w*|h[\da-f]{16}|init|ctor|cctor|clinit|impl|as|dyn)$/;
const CONSTRUCTOR = /(?:<init>|\.c?ctor)$/;

function frameOf(call: string | undefined, path: string | undefined, line: number | undefined): Frame {
  const parts = call === undefined ? [] : partsOf(call);
  return { path, line, name: parts.at(-1), within: parts.slice(0, -1) };
}

/** `github.com/spf13/cobra.(*Command).ExecuteC` as packages, type and function; without closures. */
function partsOf(call: string): string[] {
  const plain = call
    .replace(/lambda\$(\w+?)\$\d+/g, '$1')
    .replace(/::h[\da-f]{16}$/, '')
    .replace(/\{+[^{}]*\}+/g, '')
    .replace(/\[[^[\]]*\]/g, '');
  const parts = plain.split(/[^\w!?]+/).filter((part) => part !== '');
  const isMain = parts.length <= 2 && parts.at(-1) === 'main' && !plain.includes('<');
  while (!isMain && NAMELESS.test(parts.at(-1) ?? ' ') && !(CONSTRUCTOR.test(plain) && parts.length < 2))
    parts.pop();
  return parts;
}
