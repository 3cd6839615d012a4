/** What the lines around a failure say about it. */
export interface FailureDetails {
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly message?: string | undefined;
}

/** Looks around the line `at` of an output that names `name` as failed. */
type Details = (lines: readonly string[], at: number, name: string) => FailureDetails;

/** How far a test's message may be from its name. */
const NEAR_LINES = 40;

/** Go prints the messages of a test below its name, or above it when it prints every test. */
function goTest(lines: readonly string[], at: number, name: string): FailureDetails {
  const below = takeWhile(lines, at + 1, (line) => /^\s/.test(line) && !/^\s*--- /.test(line));
  const found = goMessage(below);
  if (found !== undefined) return found;
  const start = lines.lastIndexOf(`=== RUN   ${name}`, at);
  return (start < 0 || at - start > NEAR_LINES ? undefined : goMessage(lines.slice(start + 1, at))) ?? {};
}

function goMessage(lines: readonly string[]): FailureDetails | undefined {
  for (const [at, line] of lines.entries()) {
    const [, path, number, said = ''] = /^\s+([\w./-]+\.go):(\d+):\s*(.*)$/.exec(line) ?? [];
    if (path === undefined) continue;
    // testify prints the message in a table below.
    const table = said === '' ? lines.slice(at + 1, at + 12) : [];
    const cell = table.map((row) => /^\s+Error:\s+(\S.*)$/.exec(row)?.[1]).find((text) => text !== undefined);
    return { path, line: Number(number), message: cell ?? said };
  }
  return undefined;
}

/** pytest prints the reason after the name, and the line number in the test's own section. */
function pytest(lines: readonly string[], at: number, name: string): FailureDetails {
  const [path = '', ...names] = name.split('::');
  const own = names.at(-1)?.replace(/\[.*$/, '');
  const start = lines.findIndex(
    (line) => /^_{3,} .* _{3,}$/.test(line) && line.split(/[ .[\]]/).includes(own ?? ''),
  );
  const section =
    start < 0 ? [] : takeWhile(lines, start + 1, (line) => !/^(?:_{3,}|={3,}) /.test(line), 400);
  const place = section
    .map((line) => /^(\S+\.py):(\d+): /.exec(line))
    .findLast((match) => match?.[1] === path);
  const message = / - (.+)$/.exec(lines[at]?.slice(lines[at]?.indexOf(name) + name.length) ?? '')?.[1];
  return { path, line: numberOf(place?.[2]), message };
}

/** Rust prints the location and the reason at the point where the test panicked. */
function cargo(lines: readonly string[], _: number, name: string): FailureDetails {
  const start = lines.findIndex(
    (line) => line.startsWith(`thread '${name}'`) && line.includes('panicked at'),
  );
  const [, path, line, said] =
    /panicked at (?:'.*', )?([^\s:]+):(\d+):\d+:?\s*(.*)$/.exec(lines[start] ?? '') ?? [];
  return { path, line: numberOf(line), message: said || (start < 0 ? undefined : lines[start + 1]) };
}

/** JavaScript runners print the error below the name, and the location in a stack trace. */
function javascript(lines: readonly string[], at: number, name: string): FailureDetails {
  const file = /^[^\s>]+\.(?:[cm]?[jt]sx?|vue|svelte)\b/.exec(name)?.[0];
  const below = takeWhile(lines, at + 1, (line) => !/^\s*(?:FAIL |●|⎯{4})/.test(line));
  const message = below.find((line) => line.trim() !== '')?.trim();
  const frames = below.flatMap((line) => {
    const [, path, number] =
      /(?:❯ |\()?((?:\.{0,2}\/)?[\w@./-]+\.(?:[cm]?[jt]sx?|vue|svelte)):(\d+):\d+/.exec(line) ?? [];
    return path === undefined || path.includes('node_modules') ? [] : [{ path, line: Number(number) }];
  });
  const frame = frames.find(({ path }) => file === undefined || path.endsWith(file)) ?? frames[0];
  return { path: file ?? frame?.path, line: frame?.line, message };
}

/** Compilers and linters print the location on the same line, or on the one before or after it. */
function placed(lines: readonly string[], at: number): FailureDetails {
  const line = lines[at] ?? '';
  const [, path, number, said] =
    /^(?:vet: )?(\S+?\.\w{1,8})[:(](\d+)(?:[:,]\d+)?\)?:?\s*(?:- )?(.*)$/.exec(line) ?? [];
  if (path !== undefined) return { path, line: numberOf(number), message: said };
  const [, arrow, arrowLine] = /^\s*--> (\S+?):(\d+)/.exec(lines[at + 1] ?? '') ?? [];
  if (arrow !== undefined) return { path: arrow, line: numberOf(arrowLine), message: line };
  const [, stylish, text] = /^\s+(\d+):\d+\s+error\s+(.*)$/.exec(line) ?? [];
  if (stylish === undefined) return { message: line };
  const heading = lines.slice(0, at).findLast((above) => /^\S+\.\w{1,8}$/.test(above));
  return { path: heading, line: numberOf(stylish), message: text?.replace(/\s+/g, ' ') };
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));

function takeWhile(
  lines: readonly string[],
  from: number,
  wanted: (line: string) => boolean,
  most = NEAR_LINES,
): readonly string[] {
  const end = lines.slice(from, from + most).findIndex((line) => !wanted(line));
  return lines.slice(from, end < 0 ? from + most : from + end);
}

/** By runner; for the others, the line itself says everything. */
const DETAILS: Readonly<Record<string, Details>> = {
  'go test': goTest,
  pytest,
  'cargo test': cargo,
  vitest: javascript,
  jest: javascript,
};

/** Where a failure is and what it says. */
export function detailsOf(
  runner: string,
  what: 'test' | 'package' | 'error',
  place: { readonly lines: readonly string[]; readonly at: number; readonly name: string },
): FailureDetails {
  if (what === 'package') return {};
  const details = what === 'test' ? DETAILS[runner] : placed;
  return details?.(place.lines, place.at, place.name) ?? {};
}
